// Everything in which a buyer's browser takes part. Usage: node run.mjs [regular expression for names]
import { launch } from './buyer.mjs';
import { runAll } from './check.mjs';
import { startServers } from './servers.mjs';
import './method_change.mjs';
import './one_charge.mjs';
import './pages.mjs';
import './sdk.mjs';
import './shop.mjs';

const servers = await startServers();
const browser = await launch();
let orders = 0;
const contexts = [];

const world = {
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

const fine = await runAll(world, process.argv[2] ?? '');
await browser.close();
servers.stop();
process.exit(fine ? 0 : 1);
