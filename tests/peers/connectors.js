// What payonce's connectors sign is checked by the providers' own clients, and what payonce believes is signed by them:
// a service of its own in front of a gateway that keeps what it gets and answers as the test says.
'use strict';

const crypto = require('node:crypto');
const { execFileSync, spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const path = require('node:path');
const { AlipaySdk } = require('alipay-sdk');
const Stripe = require('stripe');
const { Aes, Rsa, Formatter } = require('wechatpay-axios-plugin');
const { after, assert, test } = require('./harness.js');

const program = process.env.PAYONCE || 'build/release/payonce';
const stripeSecrets = { old: 'whsec_of_the_peers_old', fresh: 'whsec_of_the_peers_new' };

// Every request to a provider ends here; unanswered ones get a 500, which leaves all in doubt.
class Gateway {
  constructor() {
    this.requests = [];
    this.answer = () => ({ status: 500 });
    this.server = http.createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const got = { method: request.method, url: request.url, headers: request.headers, body: Buffer.concat(parts).toString() };
        this.requests.push(got);
        const { status = 200, headers = {}, body = '' } = this.answer(got);
        response.writeHead(status, headers).end(body);
      });
    });
  }
  async listen() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }
}

function configuration(sandbox, gateway, database) {
  const file = (name) => `"file:${path.join(sandbox.keys, name)}"`;
  const alipay = sandbox.settings('alipay');
  const wechat = sandbox.settings('wechatpay');
  const paypal = sandbox.settings('paypal');
  // Bills would be asked for at any moment, between the requests that a test looks at.
  const provider = (name, kind, lines) =>
    `[[provider]]\nname = "${name}"\nkind = "${kind}"\ncall_timeout_ms = 5000\nstatements = false\n${lines.join('\n')}\n`;
  const ofAlipay = [`url = "${gateway.url}/gateway.do"`, `account = "${alipay.seller_id}"`, `app_id = "${alipay.app_id}"`,
    `private_key = ${file('alipay/app_private_key.pem')}`, 'default_method = "precreate"', `notify_url = "${gateway.url}/n"`];
  return [
    `[database]\nurl = "sqlite:${database}"\n`,
    provider('alipay', 'alipay', [...ofAlipay, `alipay_public_keys = [${file('alipay/alipay_public_key.pem')}]`]),
    provider('alipay-certificates', 'alipay', [...ofAlipay, `app_certificate = ${file('alipay/app_cert.pem')}`,
      `alipay_certificates = [${file('alipay/alipay_cert.pem')}]`,
      `alipay_root_certificates = ${file('alipay/alipay_root_cert.pem')}`]),
    provider('wechat', 'wechatpay', [`url = "${gateway.url}"`, `app_id = "${wechat.appid}"`, `mch_id = "${wechat.mchid}"`,
      `merchant_serial = "${wechat.merchant_serial}"`, `private_key = ${file('wechatpay/merchant_private_key.pem')}`,
      `api_v3_key = "${wechat.api_v3_key}"`, `public_key_id = "${wechat.public_key_id}"`,
      `public_key = ${file('wechatpay/wechatpay_public_key.pem')}`, `notify_url = "${gateway.url}/n"`]),
    provider('stripe', 'stripe', [`url = "${gateway.url}"`, 'api_secret = "sk_test_peers"',
      `notice_secrets = ["${stripeSecrets.old}", "${stripeSecrets.fresh}"]`]),
    provider('paypal', 'paypal', [`url = "${gateway.url}"`, `client_id = "${paypal.client_id}"`, 'api_secret = "x"',
      `webhook_id = "${paypal.webhook_id}"`, `webhook_certificates = [${file('paypal/webhook_cert.pem')}]`]),
    '[[merchant]]\nid = "shop"\nproviders = ["alipay", "alipay-certificates", "wechat", "stripe", "paypal"]\n',
  ].join('\n');
}

let service = null;

// The service of all tests of this file, started by the first.
async function serviceOf(sandbox) {
  if (service) return service;
  const gateway = new Gateway();
  await gateway.listen();
  const folder = path.dirname(sandbox.keys);
  const database = path.join(folder, 'peers.db');
  const config = path.join(folder, 'payonce.toml');
  fs.writeFileSync(config, configuration(sandbox, gateway, database));
  const key = execFileSync(program, ['key', 'create', '--merchant', 'shop', '--database', `sqlite:${database}`],
    { stdio: ['ignore', 'pipe', 'ignore'] }).toString().split('\n')[0];
  const child = spawn(program, ['serve', '--config', config, '--port', '0'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((done, failed) => {
    child.on('exit', (code) => failed(new Error(`the service ended with ${code}`)));
    child.stdout.on('data', (text) => {
      const found = /on (http:\S+)/.exec(text);
      if (found) done(found[1]);
    });
  });
  after(() => {
    child.removeAllListeners('exit');
    child.kill();
    gateway.server.close();
    gateway.server.closeAllConnections();
  });
  service = { gateway, url, key };
  return service;
}

async function ask(sandbox, method, target, body, headers = {}) {
  const { url, key } = await serviceOf(sandbox);
  const answer = await fetch(url + target, {
    method, body: JSON.stringify(body),
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
  });
  return { status: answer.status, ...(await answer.json()) };
}

let orders = 0;

// Begins a payment that the gateway answers so: the payment, and the request that came to the gateway first.
async function pay(sandbox, provider, answer, method = '') {
  const { gateway } = await serviceOf(sandbox);
  const order = `order-${++orders}`;
  gateway.answer = answer;
  await ask(sandbox, 'PUT', `/v1/orders/${order}`, { amount: 8888, currency: 'CNY' });
  const before = gateway.requests.length;
  const payment = await ask(sandbox, 'POST', '/v1/payments', { order_id: order, provider, ...(method && { method }) },
    { 'idempotency-key': order, prefer: 'wait=5' });
  gateway.answer = () => ({ status: 500 });
  return { payment, request: gateway.requests[before] };
}

// How payonce takes a notice: true if it believes it.
async function believes(sandbox, provider, { headers, body }) {
  const { url } = await serviceOf(sandbox);
  const { status } = await fetch(`${url}/v1/notices/${provider}`, { method: 'POST', headers, body });
  assert.ok([200, 204, 401].includes(status), `the answer to a notice is ${status}`);
  return status !== 401;
}

const flipped = (text, from, to) => {
  assert.ok(text.includes(from));
  return text.replace(from, to);
};

// The client as Alipay has it: it checks what the application signed.
function alipaySide(sandbox, more = {}) {
  const { app_id: appId } = sandbox.settings('alipay');
  return new AlipaySdk({
    appId, keyType: 'PKCS8', privateKey: sandbox.key('alipay/app_private_key.pem'),
    alipayPublicKey: sandbox.key('alipay/app_public_key.pem'), ...more,
  });
}

const parametersOf = ({ url, body }) => ({
  ...Object.fromEntries(new URL(url, 'http://x').searchParams), ...Object.fromEntries(new URLSearchParams(body)),
});
const textOf = (parameters) => Object.keys(parameters).filter((name) => name !== 'sign').sort()
  .map((name) => `${name}=${parameters[name]}`).join('&');

const signedByAlipay = (sandbox, inner, more = '') => {
  const sign = crypto.sign('sha256', Buffer.from(inner), sandbox.key('alipay/alipay_private_key.pem')).toString('base64');
  return { body: `{"alipay_trade_precreate_response":${inner},${more}"sign":"${sign}"}` };
};
const qrCode = '{"code":"10000","msg":"Success","out_trade_no":"NUMBER","qr_code":"https:\\/\\/qr.alipay.com\\/bax1"}';
const withNumber = (request) =>
  qrCode.replace('NUMBER', JSON.parse(parametersOf(request).biz_content).out_trade_no);

test('connectors: Alipay\'s client accepts what payonce signs, and nothing that was changed', async ({ sandbox }) => {
  const { payment, request } = await pay(sandbox, 'alipay', (got) => signedByAlipay(sandbox, withNumber(got)));
  assert.equal(payment.state, 'REQUIRES_ACTION');
  assert.equal(payment.action_url, 'https://qr.alipay.com/bax1');
  const parameters = parametersOf(request);
  const sdk = alipaySide(sandbox);
  assert.ok(sdk.rsaCheck(textOf(parameters), parameters.sign));
  for (const name of ['biz_content', 'notify_url', 'timestamp'])
    assert.ok(!sdk.rsaCheck(textOf({ ...parameters, [name]: `${parameters[name]} ` }), parameters.sign), name);
  assert.equal(JSON.parse(parameters.biz_content).total_amount, '88.88');
  const beijing = new Date(`${parameters.timestamp.replace(' ', 'T')}+08:00`);
  assert.ok(Math.abs(beijing - Date.now()) < 60000, 'the time is Beijing\'s');
});

test('connectors: a page of Alipay is signed as its client signs it', async ({ sandbox }) => {
  const { payment } = await pay(sandbox, 'alipay', () => ({ status: 500 }), 'page');
  const parameters = parametersOf({ url: payment.action_url, body: '' });
  assert.ok(alipaySide(sandbox).rsaCheck(textOf(parameters), parameters.sign));
  assert.equal(parameters.method, 'alipay.trade.page.pay');
});

test('connectors: an answer that Alipay did not sign so is not believed', async ({ sandbox }) => {
  const changed = (got) => {
    const { body } = signedByAlipay(sandbox, withNumber(got));
    return { body: flipped(body, 'bax1', 'bax2') };
  };
  assert.equal((await pay(sandbox, 'alipay', changed)).payment.state, 'UNKNOWN');
});

test('connectors: certificates are named as Alipay\'s client names them', async ({ sandbox }) => {
  const { config } = alipaySide(sandbox, {
    alipayPublicKey: undefined, appCertContent: sandbox.key('alipay/app_cert.pem'),
    alipayPublicCertContent: sandbox.key('alipay/alipay_cert.pem'),
    alipayRootCertContent: sandbox.key('alipay/alipay_root_cert.pem'),
  });
  const answer = (got) => signedByAlipay(sandbox, withNumber(got), `"alipay_cert_sn":"${config.alipayCertSn}",`);
  const { payment, request } = await pay(sandbox, 'alipay-certificates', answer);
  assert.equal(payment.state, 'REQUIRES_ACTION');
  assert.equal(parametersOf(request).app_cert_sn, config.appCertSn);
  assert.equal(parametersOf(request).alipay_root_cert_sn, config.alipayRootCertSn);
  const other = (got) => signedByAlipay(sandbox, withNumber(got), '"alipay_cert_sn":"0123456789abcdef",');
  assert.equal((await pay(sandbox, 'alipay-certificates', other)).payment.state, 'UNKNOWN');
});

test('connectors: payonce and Alipay\'s client believe the same notices', async ({ sandbox }) => {
  const { app_id, seller_id } = sandbox.settings('alipay');
  const sdk = alipaySide(sandbox, { alipayPublicKey: sandbox.key('alipay/alipay_public_key.pem') });
  const notice = {
    app_id, seller_id, charset: 'utf-8', notify_id: 'n-peers', out_trade_no: 'SHOP-1', subject: '茶 a=1&b',
    body: '', total_amount: '88.88', trade_no: '2026', trade_status: 'TRADE_SUCCESS', version: '1.0',
  };
  const sign = crypto.sign('sha256', Buffer.from(textOf(notice)), sandbox.key('alipay/alipay_private_key.pem')).toString('base64');
  const genuine = { ...notice, sign_type: 'RSA2', sign };
  const { body: _, ...lacking } = genuine;
  for (const [form, verdict] of [[genuine, true], [{ ...genuine, total_amount: '88.89' }, false],
    [{ ...genuine, extra: '1' }, false], [lacking, false]]) {
    assert.equal(sdk.checkNotifySignV2({ ...form }), verdict);
    assert.equal(await believes(sandbox, 'alipay', {
      headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: new URLSearchParams(form).toString(),
    }), verdict, JSON.stringify(form));
  }
});

// As WeChat Pay signs answers and notices.
function signedByWechat(sandbox, body, age = 0) {
  const time = String(Math.floor(Date.now() / 1000) - age);
  const nonce = Formatter.nonce(32);
  const key = Rsa.from(sandbox.key('wechatpay/wechatpay_private_key.pem'), Rsa.KEY_TYPE_PRIVATE);
  return {
    body,
    headers: {
      'content-type': 'application/json', 'wechatpay-timestamp': time, 'wechatpay-nonce': nonce,
      'wechatpay-serial': sandbox.settings('wechatpay').public_key_id,
      'wechatpay-signature': Rsa.sign(Formatter.response(time, nonce, body), key),
    },
  };
}

const wechatMerchant = (sandbox) => Rsa.from(sandbox.key('wechatpay/merchant_public_key.pem'), Rsa.KEY_TYPE_PUBLIC);

test('connectors: WeChat Pay\'s client accepts what payonce signs, and nothing that was changed', async ({ sandbox }) => {
  const { payment, request } = await pay(sandbox, 'wechat', () => signedByWechat(sandbox, '{"code_url":"weixin://wxpay/1"}'));
  assert.equal(payment.action_url, 'weixin://wxpay/1');
  const pairs = Object.fromEntries([...request.headers.authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, a, b]) => [a, b]));
  const { mchid, merchant_serial } = sandbox.settings('wechatpay');
  assert.equal(pairs.mchid, mchid);
  assert.equal(pairs.serial_no, merchant_serial);
  const check = (body) => Rsa.verify(
    Formatter.request('POST', request.url, pairs.timestamp, pairs.nonce_str, body), pairs.signature, wechatMerchant(sandbox));
  assert.ok(check(request.body));
  assert.ok(!check(flipped(request.body, '8888', '8889')));
});

test('connectors: what a mini program hands to WeChat is signed', async ({ sandbox }) => {
  const { payment } = await pay(sandbox, 'wechat', () => signedByWechat(sandbox, '{"prepay_id":"wx1"}'), 'jsapi:oUpF8');
  const { appId, timeStamp, nonceStr, package: bundle, paySign } = JSON.parse(payment.action_url);
  const text = Formatter.joinedByLineFeed(appId, timeStamp, nonceStr, bundle);
  assert.ok(Rsa.verify(text, paySign, wechatMerchant(sandbox)));
  assert.equal(bundle, 'prepay_id=wx1');
});

test('connectors: an answer that WeChat Pay did not sign so is not believed', async ({ sandbox }) => {
  const changed = () => ({ ...signedByWechat(sandbox, '{"code_url":"weixin://wxpay/1"}'), body: '{"code_url":"weixin://wxpay/2"}' });
  assert.equal((await pay(sandbox, 'wechat', changed)).payment.state, 'UNKNOWN');
  const old = () => signedByWechat(sandbox, '{"code_url":"weixin://wxpay/1"}', 400);
  assert.equal((await pay(sandbox, 'wechat', old)).payment.state, 'UNKNOWN');
});

test('connectors: payonce opens what WeChat Pay\'s client sealed, and believes only what it signed', async ({ sandbox }) => {
  const { mchid, appid, api_v3_key } = sandbox.settings('wechatpay');
  const told = JSON.stringify({
    mchid, appid, out_trade_no: 'SHOP-1', transaction_id: '42', trade_state: 'SUCCESS', amount: { total: 8888, currency: 'CNY' },
  });
  const nonce = 'abcdefghijkl';
  const sealed = (key) => JSON.stringify({
    id: 'EV-peers', event_type: 'TRANSACTION.SUCCESS', resource_type: 'encrypt-resource',
    resource: {
      algorithm: 'AEAD_AES_256_GCM', original_type: 'transaction', associated_data: 'transaction', nonce,
      ciphertext: Aes.AesGcm.encrypt(told, key, nonce, 'transaction'),
    },
  });
  const genuine = signedByWechat(sandbox, sealed(api_v3_key));
  assert.ok(await believes(sandbox, 'wechat', genuine));
  assert.ok(!await believes(sandbox, 'wechat', { ...genuine, body: flipped(genuine.body, 'SUCCESS', 'CLOSED ') }));
  assert.ok(!await believes(sandbox, 'wechat', signedByWechat(sandbox, sealed(api_v3_key), 400)), 'too old');
  const probe = { ...genuine, headers: { ...genuine.headers, 'wechatpay-signature': `WECHATPAY/SIGNTEST/${genuine.headers['wechatpay-signature']}` } };
  assert.ok(!await believes(sandbox, 'wechat', probe));
});

test('connectors: payonce and Stripe\'s client believe the same events, under either secret', async ({ sandbox }) => {
  const payload = JSON.stringify({ id: 'evt_peers', object: 'event', type: 't', data: { object: { object: 'payout' } } });
  const now = Math.floor(Date.now() / 1000);
  const sign = (secret, timestamp = now) => Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
  const known = (body, header) => Object.values(stripeSecrets).some((secret) => {
    try {
      return Boolean(Stripe.webhooks.constructEvent(body, header, secret));
    } catch {
      return false;
    }
  });
  for (const [body, header] of [
    [payload, sign(stripeSecrets.old)], [payload, sign(stripeSecrets.fresh)], [payload, sign('whsec_of_nobody')],
    [flipped(payload, 'payout', 'refund'), sign(stripeSecrets.old)], [payload, sign(stripeSecrets.old, now - 301)],
    [payload, `${sign('whsec_of_nobody')},${sign(stripeSecrets.old).split(',')[1]}`], [payload, `t=${now}`],
  ]) {
    const headers = { 'content-type': 'application/json', 'stripe-signature': header };
    assert.equal(await believes(sandbox, 'stripe', { headers, body }), known(body, header), header);
  }
});
