// Two clients of WeChat Pay drive the sandbox and check its answers, certificates and notices.
'use strict';

const { Aes, Rsa, Formatter, Wechatpay } = require('wechatpay-axios-plugin');
const Pay = require('wechatpay-node-v3');
const { assert, test } = require('./harness.js');

// With WeChat Pay's public key, or with the platform's certificate.
function client(sandbox, mode = 'public_key') {
  const settings = sandbox.settings('wechatpay');
  const certs = mode === 'public_key'
    ? { [settings.public_key_id]: sandbox.key('wechatpay/wechatpay_public_key.pem') }
    : { [settings.platform_serial]: sandbox.key('wechatpay/platform_cert.pem') };
  const pay = new Wechatpay({
    mchid: settings.mchid, serial: settings.merchant_serial, secret: settings.api_v3_key,
    privateKey: sandbox.key('wechatpay/merchant_private_key.pem'), certs,
  });
  const options = { baseURL: sandbox.url, headers: { 'Wechatpay-Serial': Object.keys(certs)[0] } };
  return { pay, options, settings };
}

function order(sandbox, merchant, number, more = {}) {
  const { mchid, appid } = sandbox.settings('wechatpay');
  return {
    mchid, appid, description: '茶', out_trade_no: number, notify_url: `${merchant.url}/wechatpay`,
    amount: { total: 8888, currency: 'CNY' }, ...more,
  };
}

async function native(sandbox, merchant, number, more = {}) {
  const { pay, options } = client(sandbox);
  const answer = await pay.chain('v3/pay/transactions/native').post(order(sandbox, merchant, number, more), options);
  return answer.data;
}

async function query(sandbox, number, mode) {
  const { pay, options, settings } = client(sandbox, mode);
  const answer = await pay.chain('v3/pay/transactions/out-trade-no/{out_trade_no}')
    .get({ params: { mchid: settings.mchid }, out_trade_no: number, ...options });
  return answer.data;
}

async function close(sandbox, number) {
  const { pay, options, settings } = client(sandbox);
  return pay.chain('v3/pay/transactions/out-trade-no/{out_trade_no}/close')
    .post({ mchid: settings.mchid }, { out_trade_no: number, ...options });
}

async function refund(sandbox, merchant, number, refundNumber, amount) {
  const { pay, options } = client(sandbox);
  const answer = await pay.chain('v3/refund/domestic/refunds').post({
    out_trade_no: number, out_refund_no: refundNumber, notify_url: `${merchant.url}/wechatpay`,
    amount: { refund: amount, total: 8888, currency: 'CNY' },
  }, options);
  return answer.data;
}

const buy = (sandbox, number) => sandbox.ask('POST', `/pay/${number}/approve`);

// The code of an answer that must be an error.
async function code(promise) {
  return promise.then(() => assert.fail('it should have been refused'), (error) => error.response.data.code);
}

// The first notice about this number, taken apart.
async function noticeOf(sandbox, merchant, number) {
  const { api_v3_key: key } = sandbox.settings('wechatpay');
  const open = ({ resource }) =>
    JSON.parse(Aes.AesGcm.decrypt(resource.ciphertext, key, resource.nonce, resource.associated_data));
  const mine = ({ path, body }) => path === '/wechatpay' && open(JSON.parse(body)).out_trade_no === number;
  const notice = await merchant.notice(mine);
  return { ...notice, event: JSON.parse(notice.body), told: open(JSON.parse(notice.body)) };
}

function isSigned(sandbox, { headers, body }, key = 'wechatpay/wechatpay_public_key.pem') {
  const text = Formatter.response(headers['wechatpay-timestamp'], headers['wechatpay-nonce'], body);
  return Rsa.verify(text, headers['wechatpay-signature'], Rsa.from(sandbox.key(key), Rsa.KEY_TYPE_PUBLIC));
}

test('wechatpay: a Native order is paid once', async ({ sandbox, merchant }) => {
  const { code_url: page } = await native(sandbox, merchant, 'pay_W1');
  assert.ok(page.endsWith('/pay/pay_W1'));
  assert.equal((await query(sandbox, 'pay_W1')).trade_state, 'NOTPAY');
  assert.equal((await native(sandbox, merchant, 'pay_W1')).code_url, page);
  await buy(sandbox, 'pay_W1');
  const paid = await query(sandbox, 'pay_W1');
  assert.equal(paid.trade_state, 'SUCCESS');
  assert.equal(paid.amount.total, 8888);
  assert.equal(await code(native(sandbox, merchant, 'pay_W1')), 'ORDERPAID');
  assert.deepEqual(await sandbox.sums('pay_W1'), { charged: 1, charged_minor: 8888, refunded_minor: 0 });
});

test('wechatpay: the same number with another amount is refused', async ({ sandbox, merchant }) => {
  await native(sandbox, merchant, 'pay_W2');
  const other = native(sandbox, merchant, 'pay_W2', { amount: { total: 1, currency: 'CNY' } });
  assert.equal(await code(other), 'OUT_TRADE_NO_USED');
});

test('wechatpay: JSAPI, H5 and app orders need what theirs need', async ({ sandbox, merchant }) => {
  const { pay, options } = client(sandbox);
  const create = async (product, number, more) =>
    (await pay.chain(`v3/pay/transactions/${product}`).post(order(sandbox, merchant, number, more), options)).data;
  assert.match((await create('jsapi', 'pay_W3a', { payer: { openid: 'o1' } })).prepay_id, /^wx/);
  assert.match((await create('app', 'pay_W3b', {})).prepay_id, /^wx/);
  const scene = { scene_info: { payer_client_ip: '127.0.0.1', h5_info: { type: 'Wap' } } };
  assert.ok((await create('h5', 'pay_W3c', scene)).h5_url);
  assert.equal(await code(create('jsapi', 'pay_W3d', {})), 'PARAM_ERROR');
});

test('wechatpay: answers are signed as the request asks', async ({ sandbox, merchant }) => {
  await native(sandbox, merchant, 'pay_W4');
  assert.equal((await query(sandbox, 'pay_W4', 'certificate')).trade_state, 'NOTPAY');
  const { pay, options, settings } = client(sandbox);
  const asked = { ...options, headers: { 'Wechatpay-Serial': settings.platform_serial } };
  const wrong = pay.chain('v3/pay/transactions/out-trade-no/{out_trade_no}')
    .get({ params: { mchid: settings.mchid }, out_trade_no: 'pay_W4', ...asked });
  await assert.rejects(wrong);  // this client knows the other key only
});

test('wechatpay: a closed order stays unpaid', async ({ sandbox, merchant }) => {
  await native(sandbox, merchant, 'pay_W5');
  assert.equal((await close(sandbox, 'pay_W5')).status, 204);
  assert.equal((await close(sandbox, 'pay_W5')).status, 204);
  await buy(sandbox, 'pay_W5');
  assert.equal((await query(sandbox, 'pay_W5')).trade_state, 'CLOSED');
  assert.equal(await code(native(sandbox, merchant, 'pay_W5')), 'ORDER_CLOSED');
  assert.equal(await code(close(sandbox, 'pay_none')), 'ORDER_NOT_EXIST');
  assert.equal(await code(close(sandbox, 'pay_W1')), 'TRADE_ERROR');
});

test('wechatpay: refunds are one per number and never exceed the order', async ({ sandbox, merchant }) => {
  await native(sandbox, merchant, 'pay_W6');
  await buy(sandbox, 'pay_W6');
  const first = await refund(sandbox, merchant, 'pay_W6', 'ref_W6', 5000);
  assert.equal(first.status, 'SUCCESS');
  assert.equal((await refund(sandbox, merchant, 'pay_W6', 'ref_W6', 5000)).refund_id, first.refund_id);
  assert.equal(await code(refund(sandbox, merchant, 'pay_W6', 'ref_W6', 5001)), 'INVALID_REQUEST');
  assert.equal(await code(refund(sandbox, merchant, 'pay_W6', 'ref_W6b', 3889)), 'INVALID_REQUEST');
  const { pay, options } = client(sandbox);
  const known = pay.chain('v3/refund/domestic/refunds/{out_refund_no}');
  assert.equal((await known.get({ out_refund_no: 'ref_W6', ...options })).data.amount.refund, 5000);
  assert.equal(await code(known.get({ out_refund_no: 'ref_none', ...options })), 'RESOURCE_NOT_EXISTS');
  assert.equal((await query(sandbox, 'pay_W6')).trade_state, 'REFUND');
  assert.equal((await sandbox.sums('pay_W6')).refunded_minor, 5000);
});

test('wechatpay: a request signed with another key is refused', async ({ sandbox }) => {
  const { mchid, merchant_serial: serial, public_key_id: id } = sandbox.settings('wechatpay');
  const thief = new Wechatpay({
    mchid, serial, secret: 'x'.repeat(32), privateKey: sandbox.key('wechatpay/platform_private_key.pem'),
    certs: { [id]: sandbox.key('wechatpay/wechatpay_public_key.pem') },
  });
  const asked = thief.chain('v3/pay/transactions/out-trade-no/{out_trade_no}')
    .get({ params: { mchid }, out_trade_no: 'pay_W1', baseURL: sandbox.url });
  const error = await asked.then(() => assert.fail('it should have been refused'), (refused) => refused);
  assert.equal(error.response.status, 401);
});

test('wechatpay: the platform\'s certificate comes encrypted', async ({ sandbox }) => {
  const { pay, options, settings } = client(sandbox, 'certificate');
  const [{ serial_no: serial, encrypt_certificate: sealed }] = (await pay.chain('v3/certificates').get(options)).data.data;
  assert.equal(serial, settings.platform_serial);
  const open = (nonce) =>
    Aes.AesGcm.decrypt(sealed.ciphertext, settings.api_v3_key, nonce, sealed.associated_data);
  assert.equal(open(sealed.nonce), sandbox.key('wechatpay/platform_cert.pem'));
  assert.throws(() => open('000000000000'));
});

test('wechatpay: notices are signed and sealed, and a changed one is not believed', async ({ sandbox, merchant }) => {
  await native(sandbox, merchant, 'pay_W7');
  await buy(sandbox, 'pay_W7');
  const notice = await noticeOf(sandbox, merchant, 'pay_W7');
  assert.equal(notice.event.event_type, 'TRANSACTION.SUCCESS');
  assert.equal(notice.told.trade_state, 'SUCCESS');
  assert.equal(notice.told.amount.total, 8888);
  assert.ok(isSigned(sandbox, notice));
  assert.ok(!isSigned(sandbox, { ...notice, body: notice.body.replace('SUCCESS', 'SUCCES5') }));
  const { resource } = notice.event;
  const { api_v3_key: key } = sandbox.settings('wechatpay');
  const flipped = (resource.ciphertext[0] === 'A' ? 'B' : 'A') + resource.ciphertext.slice(1);
  assert.throws(() => Aes.AesGcm.decrypt(flipped, key, resource.nonce, resource.associated_data));
  assert.throws(() => Aes.AesGcm.decrypt(resource.ciphertext, key, resource.nonce, 'other'));
});

test('wechatpay: a probe with a wrong signature is refused', async ({ sandbox, merchant }) => {
  await sandbox.fault('notice', 'wrong_signature', { order: 'pay_W8' });
  await native(sandbox, merchant, 'pay_W8');
  await buy(sandbox, 'pay_W8');
  const notice = await noticeOf(sandbox, merchant, 'pay_W8');
  assert.match(notice.headers['wechatpay-signature'], /^WECHATPAY\/SIGNTEST\//);
  assert.ok(!isSigned(sandbox, notice));
});

test('wechatpay: a second client agrees on signatures and sealing', async ({ sandbox, merchant }) => {
  const settings = sandbox.settings('wechatpay');
  const pay = new Pay({
    appid: settings.appid, mchid: settings.mchid, serial_no: settings.merchant_serial, key: settings.api_v3_key,
    publicKey: Buffer.from(sandbox.key('wechatpay/merchant_cert.pem')),
    privateKey: Buffer.from(sandbox.key('wechatpay/merchant_private_key.pem')),
  });
  assert.equal(pay.getSN().toUpperCase(), settings.merchant_serial);
  const { headers, body, event } = await noticeOf(sandbox, merchant, 'pay_W7');
  Pay.certificates[settings.public_key_id] = sandbox.key('wechatpay/wechatpay_public_key.pem');
  const check = (told) => pay.verifySign({
    timestamp: headers['wechatpay-timestamp'], nonce: headers['wechatpay-nonce'], body: told,
    serial: headers['wechatpay-serial'], signature: headers['wechatpay-signature'],
  });
  assert.equal(await check(body), true);
  assert.equal(await check(`${body} `), false);
  const { ciphertext, associated_data: data, nonce } = event.resource;
  assert.equal(pay.decipher_gcm(ciphertext, data, nonce).out_trade_no, 'pay_W7');
});
