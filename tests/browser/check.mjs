// A small runner: tests one by one in each world, a line for each, and "N passed, N failed" at the end.
export const tests = [];
export const test = (name, run) => tests.push({ name, run });

// Thrown by a test that can't be tried here; it counts neither as passed nor as failed.
export class Skipped extends Error {}

export function equal(actual, expected, what) {
  if (JSON.stringify(actual) === JSON.stringify(expected)) return;
  throw new Error(`${what}: ${JSON.stringify(actual)}, not ${JSON.stringify(expected)}`);
}

export function holds(condition, what) {
  if (!condition) throw new Error(`it does not hold: ${what}`);
}

const testTimeoutMs = 90_000;

function limited(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error('took longer than 90 s')), testTimeoutMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

// The worlds know nothing of each other, so that a test in one may run beside a test in another.
export async function runAll(worlds, filter) {
  let failed = 0;
  let skipped = 0;
  const chosen = tests.filter(({ name }) => new RegExp(filter).test(name));
  const waiting = [...chosen];
  const runThem = async (world) => {
    for (let it = waiting.shift(); it; it = waiting.shift()) {
      const started = Date.now();
      try {
        await limited(it.run(world));
        console.log(`ok      ${it.name} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
      } catch (error) {
        if (error instanceof Skipped) {
          skipped += 1;
          console.log(`skipped ${it.name}: ${error.message}`);
          continue;
        }
        failed += 1;
        console.log(`FAILED  ${it.name}\n        ${error.stack}`);
      }
      await world.tidy();
    }
  };
  await Promise.all(worlds.map(runThem));
  console.log(`${chosen.length - failed - skipped} passed, ${failed} failed`);
  return failed === 0;
}
