// The examples of back ends in six languages, against the real service: each order is shipped once, and neither a copy,
// nor copies at the same moment, nor a forgery, nor an old recording ships anything. (The one in Node is the demo's shop.)
import { execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { equal, holds, Skipped, test } from '../browser/check.mjs';
import { binary, startServers } from '../browser/servers.mjs';
import { hasPostgres, postgres } from './postgres.mjs';
import { secret, signed } from './signed.mjs';

const example = (path) => fileURLToPath(new URL(`../../examples/${path}`, import.meta.url));
const jars = ['jackson-core', 'jackson-databind', 'jackson-annotations', 'postgresql'].map((name) => `/usr/share/java/${name}.jar`);
const goPackages = '/usr/share/gocode';

// `needs`: programs and files; `start`: the command line and what it wants in its environment.
const backEnds = {
  Python: {
    needs: ['python3'],
    start: (folder) => ({ command: ['python3', '-B', example('python/shop.py'), join(folder, 'shop.sqlite')] }),
  },
  PHP: {
    needs: ['php', 'php: pdo_sqlite'],
    start: (folder, port) => ({
      command: ['php', '-S', `127.0.0.1:${port}`, example('php/shop.php')],
      environment: { DATABASE: `sqlite:${folder}/shop.sqlite`, PHP_CLI_SERVER_WORKERS: '4' },
    }),
  },
  Java: {
    needs: ['java', 'javac', ...jars, 'postgres'],
    start: async () => ({
      command: ['java', '-cp', jars.join(delimiter), example('java/Shop.java'), `jdbc:postgresql://${await jdbcPlace()}`],
    }),
  },
  Go: {
    needs: ['go', `${goPackages}/src/github.com/lib/pq`, 'postgres'],
    start: async (folder) => {
      const environment = { ...process.env, GO111MODULE: 'off', GOPATH: goPackages };
      execFileSync('go', ['build', '-o', join(folder, 'shop'), example('go/shop.go')], { env: environment });
      return { command: [join(folder, 'shop'), `postgres://${await postgres()}?sslmode=disable`] };
    },
  },
  'C++': {
    needs: ['g++', 'pkg-config', '/usr/include/httplib.h', '/usr/include/postgresql/libpq-fe.h', 'postgres'],
    start: async (folder) => {
      // As the packages were built: cpp-httplib's classes differ with its macros.
      const flags = execFileSync('pkg-config', ['--cflags', '--libs', 'cpp-httplib', 'libpq', 'libcrypto']);
      execFileSync('g++', ['-std=c++20', '-Wall', '-Wextra', '-Werror', example('cpp/shop.cpp'), '-o', join(folder, 'shop'),
        ...String(flags).trim().split(/\s+/), '-lboost_json'], { stdio: 'inherit' });
      return { command: [join(folder, 'shop'), `postgresql://${await postgres()}`] };
    },
  },
};

async function jdbcPlace() {
  const [user, place] = (await postgres()).split('@');
  return `${place}?user=${user}`;
}

function isThere(need) {
  if (need === 'postgres') return hasPostgres();
  if (need.startsWith('/')) return existsSync(need);
  const [program, extension] = need.split(': ');
  const look = extension ? `${program} -m | grep -qx ${extension}` : `command -v ${program}`;
  try {
    execFileSync('sh', ['-c', look], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

async function answers(url, child) {
  for (let i = 0; i < 300; i += 1) {
    if (child.exitCode !== null) return false;
    if (await fetch(url).then(() => true, () => false)) return true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return false;
}

// The example beside servers of its own, for as long as `use` needs it.
async function withBackEnd({ needs, start }, use) {
  const missing = needs.filter((need) => !isThere(need));
  if (missing.length > 0) throw new Skipped(`not installed: ${missing.join(', ')}`);
  const folder = mkdtempSync(join(tmpdir(), 'payonce-example-'));
  const world = await startServers();
  const port = world.ports.example;
  const log = join(folder, 'log');
  let child;
  try {
    const { command: [program, ...parameters], environment = {} } = await start(folder, port);
    child = spawn(program, parameters, {
      stdio: ['ignore', 'ignore', openSync(log, 'w')],
      // A group of its own: some have children.
      detached: true,
      env: { ...process.env, PAYONCE_URL: world.service, PAYONCE_KEY: world.key, EFFECT_SECRET: secret, PORT: port, ...environment },
    });
    const shop = `http://127.0.0.1:${port}`;
    holds(await answers(`${shop}/orders/0`, child), `the example starts: ${readFileSync(log, 'utf8')}`);
    await use(world, shop).catch((error) => {
      throw new Error(`${error.message}\n${readFileSync(log, 'utf8').slice(-2000)}`);
    });
  } finally {
    if (child?.pid) process.kill(-child.pid, 'SIGTERM');
    world.stop();
    rmSync(folder, { recursive: true });
  }
}

const place = async (shop) => (await fetch(`${shop}/orders`, { method: 'POST', body: '{"item":"tea"}' })).json();
const shippedAt = async (shop, order) => Number((await (await fetch(`${shop}/orders/${order}`)).json()).shipped);

async function shipsOnce(world, shop) {
  const { order, checkout } = await place(shop);
  const { offer, amount } = await (await fetch(`${checkout}/state`)).json();
  equal(amount, 12800, 'the amount to pay');
  await fetch(`${checkout}/pay`, { method: 'POST', body: new Blob([JSON.stringify({ offer, method: 'sandbox' })]) });
  while ((await shippedAt(shop, order)) === 0) await new Promise((resolve) => setTimeout(resolve, 50));

  const { effects } = (await world.api('GET', `/v1/orders/${order}`)).body;
  const { id } = effects.find(({ effect }) => effect === 'ship-example');
  const body = JSON.stringify({ type: 'payment.succeeded', data: { effect: 'ship-example', order_id: String(order) } });
  const deliver = async (headers) => (await fetch(`${shop}/ship`, { method: 'POST', body, headers })).status;
  equal(await Promise.all([1, 2, 3, 4].map(() => deliver(signed(id, body)))), [200, 200, 200, 200], 'copies');
  equal(await deliver(signed(`${id}2`, body, { by: 'other' })), 401, 'forged');
  equal(await shippedAt(shop, order), 1, 'shipped');
  equal((await world.ledger(String(order))).charged, 1, 'charges');
}

// The drill's exit status and report.
function drill(url, more = []) {
  return new Promise((resolve) =>
    execFile(binary, ['drill', '--shop', url, '--secret', secret, ...more], (error, report) =>
      resolve({ status: error?.code ?? 0, report })));
}

async function standsTheDrill(shop) {
  const orders = [await place(shop), await place(shop), await place(shop)].flatMap(({ order }) => ['--order', String(order)]);
  const { status, report } = await drill(`${shop}/ship`, [...orders, '--shipped', `${shop}/orders/{order}`]);
  equal([status, report.match(/^DOES NOT.*/gm)], [0, null], report);
  equal(report.match(/^stands    shipped/gm).length, 4, 'counted');
}

for (const [language, backEnd] of Object.entries(backEnds))
  test(`the back end in ${language} ships an order once, and stands payonce drill --shop`, () =>
    withBackEnd(backEnd, async (world, shop) => {
      await shipsOnce(world, shop);
      await standsTheDrill(shop);
    }));

test('the back end in Node, the demo shop, stands payonce drill --shop', async () => {
  const world = await startServers();
  try {
    const ids = [];
    for (let i = 0; i < 3; i += 1) {
      const placed = await fetch(`${world.shop}/api/orders`, { method: 'POST', body: '{"items":{"cup":1}}' });
      ids.push((await placed.json()).id);
    }
    const { status, report } = await drill(`${world.shop}/ship`, [
      ...ids.flatMap((id) => ['--order', id]), '--shipped', `${world.shop}/api/shipped?id={order}`]);
    equal([status, report.match(/^DOES NOT.*/gm)], [0, null], report);
    equal(report.match(/^stands    shipped/gm).length, 4, 'counted');
  } finally {
    world.stop();
  }
});

test('payonce drill --shop: a shop that believes everything does not', async () => {
  let shipped = 0;
  const shop = createServer((request, response) => {
    if (request.method === 'POST') shipped += 1;
    response.end(String(shipped));
  });
  await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const here = `http://127.0.0.1:${shop.address().port}`;
  const { status, report } = await drill(`${here}/ship`,
    ['--order', 'A', '--order', 'B', '--order', 'C', '--shipped', `${here}/{order}`]);
  shop.close();
  equal(status, 1, report);
  for (const what of ['a forged signature is refused', 'a recording from ten minutes ago is refused', 'shipped A once'])
    holds(report.includes(`DOES NOT  ${what}`), report);
});

