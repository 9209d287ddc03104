// The examples of back ends and the receiver kit, against the real service: each order is shipped once, and neither a
// copy, nor copies at the same moment, nor a forgery, nor an old recording ships anything.
import { execFile, spawn } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ForgedEffect, once, readEffect } from '../../kit/node/effects.mjs';
import { equal, holds, test } from './check.mjs';
import { binary } from './servers.mjs';

const secret = `whsec_${Buffer.alloc(32, 'e').toString('base64')}`;
const key = Buffer.alloc(32, 'e');
const now = () => Math.floor(Date.now() / 1000);

function signed(id, body, { seconds = now(), by = key } = {}) {
  const signature = createHmac('sha256', by).update(`${id}.${seconds}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(seconds), 'webhook-signature': `v1,${signature}` };
}

// The example, on a fresh database, for as long as `use` needs it.
async function withPythonShop(world, use) {
  const folder = mkdtempSync(join(tmpdir(), 'payonce-python-'));
  const program = fileURLToPath(new URL('../../examples/python/shop.py', import.meta.url));
  const { python } = world.ports;
  const child = spawn('python3', ['-B', program, join(folder, 'shop.sqlite')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, PAYONCE_URL: world.service, PAYONCE_KEY: world.key, EFFECT_SECRET: secret, PORT: python },
  });
  try {
    await new Promise((resolve) => child.stdout.once('data', resolve));
    await use(`http://127.0.0.1:${python}`);
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
}

const place = async (shop) => (await fetch(`${shop}/orders`, { method: 'POST', body: '{"item":"tea"}' })).json();
const shippedAt = async (shop, order) => (await (await fetch(`${shop}/orders/${order}`)).json()).shipped;

test('the Python back end ships an order once', (world) =>
  withPythonShop(world, async (shop) => {
    const { order, checkout } = await place(shop);
    const { offer } = await (await fetch(`${checkout}/state`)).json();
    await fetch(`${checkout}/pay`, { method: 'POST', body: new Blob([JSON.stringify({ offer, method: 'sandbox' })]) });
    while ((await shippedAt(shop, order)) === 0) await new Promise((resolve) => setTimeout(resolve, 50));

    const { effects } = (await world.api('GET', `/v1/orders/${order}`)).body;
    const { id } = effects.find(({ effect }) => effect === 'ship-python');
    const body = JSON.stringify({ type: 'payment.succeeded', data: { effect: 'ship-python', order_id: String(order) } });
    const deliver = async (headers) => (await fetch(`${shop}/ship`, { method: 'POST', body, headers })).status;
    equal(await Promise.all([1, 2, 3, 4].map(() => deliver(signed(id, body)))), [200, 200, 200, 200], 'copies');
    equal(await deliver(signed(`${id}2`, body, { by: 'other' })), 401, 'forged');
    equal(await shippedAt(shop, order), 1, 'shipped');
    equal((await world.ledger(String(order))).charged, 1, 'charges');
  }));

// The drill's exit status and report.
function drill(url, more = []) {
  return new Promise((resolve) =>
    execFile(binary, ['drill', '--shop', url, '--secret', secret, ...more], (error, report) =>
      resolve({ status: error?.code ?? 0, report })));
}

test('payonce drill --shop: the Python back end stands it all', (world) =>
  withPythonShop(world, async (shop) => {
    const orders = [await place(shop), await place(shop), await place(shop)].flatMap(({ order }) => ['--order', String(order)]);
    const { status, report } = await drill(`${shop}/ship`, [...orders, '--shipped', `${shop}/orders/{order}`]);
    equal([status, report.match(/^DOES NOT/gm)], [0, null], report);
    equal(report.match(/^stands    shipped/gm).length, 4, 'counted');
  }));

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

test('the kit for Node refuses what payonce did not sign', () => {
  const body = '{"type":"payment.succeeded","data":{"effect":"ship","order_id":"A1"}}';
  const read = (headers, text = body) => readEffect({ secrets: ['whsec_b3RoZXI=', secret], headers, body: text });
  equal(read(signed('pay_1.ship', body)).data.order_id, 'A1', 'genuine');
  const rotated = signed('pay_1.ship', body);
  rotated['webhook-signature'] = `v1,AAAA ${rotated['webhook-signature']}`;
  equal(read(rotated).id, 'pay_1.ship', 'one of two signatures fits');
  for (const [what, attempt] of Object.entries({
    forged: () => read(signed('pay_1.ship', body, { by: 'x' })),
    changed: () => read(signed('pay_1.ship', body), body.replace('A1', 'A2')),
    'of another id': () => read({ ...signed('pay_1.ship', body), 'webhook-id': 'pay_2.ship' }),
    old: () => read(signed('pay_1.ship', body, { seconds: now() - 301 })),
    'of tomorrow': () => read(signed('pay_1.ship', body, { seconds: now() + 301 })),
    bare: () => read({}),
  })) {
    let refused = false;
    try {
      attempt();
    } catch (error) {
      refused = error instanceof ForgedEffect;
    }
    holds(refused, `${what} is refused`);
  }
});

test('the kit for Node does the work in the transaction of the row, or not at all', async () => {
  const log = [];
  let rows = 1;
  const client = { query: async (sql) => (log.push(sql.split(' ')[0]), { rowCount: sql.startsWith('INSERT') ? rows : null }) };
  const effect = { id: 'pay_1.ship', data: { effect: 'ship', order_id: 'A1' } };
  equal(await once(client, effect, async () => log.push('work')), true, 'the first time');
  rows = 0;
  equal(await once(client, effect, async () => log.push('work')), false, 'the second time');
  rows = 1;
  const broken = once(client, effect, async () => { throw new Error('disk'); });
  equal(await broken.catch(({ message }) => message), 'disk', 'a failure of the work');
  equal(log, ['BEGIN', 'INSERT', 'work', 'COMMIT', 'BEGIN', 'INSERT', 'COMMIT', 'BEGIN', 'INSERT', 'ROLLBACK'], 'in order');
});
