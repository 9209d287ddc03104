// The shipped binary for the tests in a browser: bank, service and the demo shop on free ports with a fresh folder.
import { execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const binary = process.env.PAYONCE ?? 'build/release/payonce';

// A server at this address, or undefined when it is taken.
const listens = (address) =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(address, () => resolve(server.unref()));
  });

// A port that stays free until its server starts: below those that the kernel hands out by itself, and reserved among
// all tests of this kind at once by a name that lasts as long as this process (an abstract socket of Linux).
export async function freePort() {
  for (;;) {
    const port = randomInt(10_000, 20_000);
    if (!(await listens(`\0payonce-test-port-${port}`))) continue;
    const there = await listens({ port, host: '127.0.0.1' });
    if (!there) continue;
    await new Promise((resolve) => there.close(resolve));
    return port;
  }
}

const shopProgram = fileURLToPath(new URL('../../web/shop/server.mjs', import.meta.url));
export const effectSecret = `whsec_${Buffer.alloc(32, 'e').toString('base64')}`;

// Starts a server and waits for the line that says it listens.
function start(program, args, environment = {}, stderr = 'inherit') {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', stderr], env: { ...process.env, ...environment } });
  return new Promise((resolve, reject) => {
    child.stdout.once('data', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`${program} ${args[0]} ended with ${code}`)));
  });
}

const effect = (name, port, path = name) => `
[[merchant.effect]]
name = "${name}"
url = "http://127.0.0.1:${port}/${path}"
secrets = ["${effectSecret}"]
`;

// `action` is how the buyer gets to the wallet.
const methods = (action) => `
[[merchant.method]]
provider = "sandbox"
name = "Card"
name_zh = "银行卡"
[[merchant.method]]
provider = "sandbox"
method = "approve"
name = "Wallet"
name_zh = "钱包"
action = "${action}"
[[merchant.method]]
provider = "sandbox"
method = "decline"
name = "Broken card"
name_zh = "坏卡"
`;

// Two shops: one waits for proof before another method, one releases what only its buyer could still pay.
function configuration(ports) {
  return `
[server]
port = ${ports.service}
[database]
url = "sqlite:${ports.folder}/payonce.db"
[log]
level = "error"
[checkout]
url = "http://127.0.0.1:${ports.service}"
secrets = ["0123456789abcdef0123456789abcdef"]
[[provider]]
name = "sandbox"
kind = "sandbox"
url = "http://127.0.0.1:${ports.bank}"
account = "sandbox-account"
notice_secrets = ["secret"]
call_timeout_ms = 1000
retry_first_ms = 300
retry_longest_ms = 600
request_life_ms = 300
[[merchant]]
id = "lenient"
providers = ["sandbox"]
switch = "release"
${methods('redirect')}
[[merchant]]
id = "shop"
providers = ["sandbox"]
${methods('qr')}
${['ship', 'points', 'coupon'].map((name) => effect(name, ports.shop)).join('')}${effect('ship-example', ports.example, 'ship')}`;
}

export async function startServers() {
  const folder = mkdtempSync(join(tmpdir(), 'payonce-browser-'));
  const ports = { folder };
  for (const name of ['service', 'bank', 'shop', 'example']) ports[name] = await freePort();
  const config = join(folder, 'payonce.toml');
  writeFileSync(config, configuration(ports));
  const service = `http://127.0.0.1:${ports.service}`;
  const bank = `http://127.0.0.1:${ports.bank}`;
  const children = [
    await start(binary, ['sandbox', '--port', String(ports.bank), '--notice-secret', 'secret', '--notify',
      `${service}/v1/notices/sandbox`, '--return-url', `${service}/checkout/return`]),
    await start(binary, ['serve', '--config', config]),
  ];
  const keyOf = (merchant) =>
    execFileSync(binary, ['key', 'create', '--config', config, '--merchant', merchant, '--name', 'tests'], { stdio: 'pipe' })
      .toString().match(/pok_\w+/)[0];
  const key = keyOf('shop');
  const shop = `http://127.0.0.1:${ports.shop}`;
  const shopEnvironment = {
    SHOP_PORT: String(ports.shop), SHOP_DATA: folder, PAYONCE_URL: service, PAYONCE_KEY: key, BANK_URL: bank,
    EFFECT_SECRETS: effectSecret,
  };
  children.push(await start(process.execPath, [shopProgram], shopEnvironment, 'ignore'));

  const json = async (url, method = 'GET', body = undefined, headers = {}) => {
    const response = await fetch(url, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      headers: { 'Content-Type': 'application/json', ...headers },
    });
    return { status: response.status, body: await response.json() };
  };
  const apiWith = (bearer) => (method, path, body, headers) =>
    json(service + path, method, body, { Authorization: `Bearer ${bearer}`, ...headers });
  const api = apiWith(key);

  // The next calls of this kind for the order suffer the fault.
  const fault = (order, call, name, more = {}) => json(`${bank}/faults`, 'POST', { order, call, fault: name, ...more });

  return {
    service,
    bank,
    shop,
    key,
    ports,
    api,
    lenient: apiWith(keyOf('lenient')),
    fault,
    // The bank charges, and neither its answer, nor its notice, nor its word when asked ever comes. Its answer is lost
    // as often as it is given: a kept connection that breaks is tried again at once, and more than once on a busy machine.
    async goDark(order) {
      await fault(order, 'create', 'drop_after', { times: 1000 });
      await fault(order, 'query', 'drop_before', { times: 1000 });
      await fault(order, 'notice', 'never', { times: 1000 });
    },
    clearFaults: () => json(`${bank}/faults`, 'DELETE'),
    async ledger(order) {
      const { body } = await json(`${bank}/ledger?order=${order}`);
      return { charged: body.by_order[order]?.charged ?? 0, charges: body.charges, refunds: body.refunds };
    },
    approve: (number) => fetch(`${bank}/pay/${number}/approve`, { method: 'POST', redirect: 'manual' }),
    async checkout(order, { amount = 1999, currency = 'CNY', shop = api, ...token } = {}) {
      await shop('PUT', `/v1/orders/${order}`, { amount, currency });
      return (await shop('POST', `/v1/orders/${order}/checkout-tokens`, token)).body.url;
    },
    stop() {
      for (const child of children) child.removeAllListeners('exit').kill('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
