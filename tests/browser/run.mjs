// Everything in which a buyer's browser takes part. Usage: node run.mjs [regular expression for names]
import { launch } from './buyer.mjs';
import { runAll } from './check.mjs';
import { startServers } from './servers.mjs';
// The longest test is in the first of them, so that the others run beside it.
import './shop.mjs';
import './method_change.mjs';
import './one_charge.mjs';
import './pages.mjs';
import './sdk.mjs';

const browser = await launch();

// A service, a bank and a shop of its own, and as many buyers as one likes.
async function makeWorld() {
  const servers = await startServers();
  const contexts = [];
  let orders = 0;
  return {
    ...servers,
    browser,
    newOrder: () => `T${(orders += 1)}`,
    // A browser of its own: nothing in common with any other.
    async device(options = {}) {
      const context = await browser.newContext({ locale: 'en-US', ...options });
      contexts.push(context);
      return context;
    },
    async tidy() {
      // Once more, since the bank may have closed a kept connection at this very moment.
      await servers.clearFaults().catch(() => servers.clearFaults());
      while (contexts.length > 0) await contexts.pop().close();
    },
  };
}

// Several, since a test mostly waits.
const worlds = [];
while (worlds.length < 4) worlds.push(await makeWorld());
const fine = await runAll(worlds, process.argv[2] ?? '');
await browser.close();
for (const world of worlds) world.stop();
process.exit(fine ? 0 : 1);
