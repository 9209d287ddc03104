// Alipay's own client drives the sandbox's gateway and checks its answers and notices.
'use strict';

const { AlipaySdk } = require('alipay-sdk');
const { assert, test } = require('./harness.js');

function client(sandbox, more = {}) {
  const { app_id: appId } = sandbox.settings('alipay');
  return new AlipaySdk({
    appId, keyType: 'PKCS8', privateKey: sandbox.key('alipay/app_private_key.pem'),
    alipayPublicKey: sandbox.key('alipay/alipay_public_key.pem'), gateway: `${sandbox.url}/gateway.do`,
    camelcase: false, ...more,
  });
}

function withCertificates(sandbox) {
  return client(sandbox, {
    alipayPublicKey: undefined, appCertContent: sandbox.key('alipay/app_cert.pem'),
    alipayPublicCertContent: sandbox.key('alipay/alipay_cert.pem'),
    alipayRootCertContent: sandbox.key('alipay/alipay_root_cert.pem'),
  });
}

const call = (sdk, method, bizContent, more = {}) =>
  sdk.exec(method, { bizContent, ...more }, { validateSign: true });

const offer = (number, more = {}) =>
  ({ out_trade_no: number, total_amount: '88.88', subject: 'Tea 茶', ...more });

async function precreate(sandbox, merchant, number, more = {}) {
  const asked = { notify_url: `${merchant.url}/alipay` };
  return call(client(sandbox), 'alipay.trade.precreate', offer(number, more), asked);
}

// What a buyer does with the QR code: opens it and confirms.
async function buy(sandbox, qrCode) {
  await sandbox.ask('GET', new URL(qrCode).pathname);
  await sandbox.ask('POST', `/pay/${new URL(qrCode).pathname.split('/').pop()}/approve`);
}

test('alipay: a QR code is no trade before it is scanned, and is paid once', async ({ sandbox, merchant }) => {
  const sdk = client(sandbox);
  const offered = await precreate(sandbox, merchant, 'pay_A1');
  assert.equal(offered.code, '10000');
  const unseen = await call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A1' });
  assert.equal(unseen.sub_code, 'ACQ.TRADE_NOT_EXIST');
  await sandbox.ask('GET', new URL(offered.qr_code).pathname);
  const waiting = await call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A1' });
  assert.equal(waiting.trade_status, 'WAIT_BUYER_PAY');
  await buy(sandbox, offered.qr_code);
  const paid = await call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A1' });
  assert.equal(paid.trade_status, 'TRADE_SUCCESS');
  assert.equal(paid.total_amount, '88.88');
  const again = await precreate(sandbox, merchant, 'pay_A1');
  assert.equal(again.sub_code, 'ACQ.TRADE_HAS_SUCCESS');
  assert.deepEqual(await sandbox.sums('pay_A1'), { charged: 1, charged_minor: 8888, refunded_minor: 0 });
});

test('alipay: the same number with another amount is refused', async ({ sandbox, merchant }) => {
  await precreate(sandbox, merchant, 'pay_A2');
  const other = await precreate(sandbox, merchant, 'pay_A2', { total_amount: '88.89' });
  assert.equal(other.sub_code, 'ACQ.CONTEXT_INCONSISTENT');
});

test('alipay: a page payment is opened by the signed address and no other', async ({ sandbox }) => {
  const sdk = client(sandbox);
  const bizContent = offer('pay_A3', { product_code: 'FAST_INSTANT_TRADE_PAY' });
  const url = new URL(sdk.pageExecute('alipay.trade.page.pay', 'GET', { bizContent }));
  const tampered = new URL(url);
  tampered.searchParams.set('biz_content', url.searchParams.get('biz_content').replace('88.88', '0.01'));
  assert.match(await sandbox.ask('GET', tampered.pathname + tampered.search), /isv\.invalid-signature/);
  await sandbox.ask('GET', url.pathname + url.search);
  await sandbox.ask('POST', '/pay/pay_A3/approve');
  assert.equal((await call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A3' })).trade_status, 'TRADE_SUCCESS');
});

test('alipay: an app payment is opened by its order string', async ({ sandbox }) => {
  const sdk = client(sandbox);
  const text = sdk.sdkExecute('alipay.trade.app.pay', { bizContent: offer('pay_A4') });
  await sandbox.ask('GET', `/gateway.do?${text}`);
  const waiting = await call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A4' });
  assert.equal(waiting.trade_status, 'WAIT_BUYER_PAY');
});

test('alipay: only a trade that waits can be closed, and then it stays unpaid', async ({ sandbox, merchant }) => {
  const sdk = client(sandbox);
  const offered = await precreate(sandbox, merchant, 'pay_A5');
  const nothing = await call(sdk, 'alipay.trade.close', { out_trade_no: 'pay_A5' });
  assert.equal(nothing.sub_code, 'ACQ.TRADE_NOT_EXIST');
  await sandbox.ask('GET', new URL(offered.qr_code).pathname);
  assert.equal((await call(sdk, 'alipay.trade.close', { out_trade_no: 'pay_A5' })).code, '10000');
  await buy(sandbox, offered.qr_code);
  assert.equal((await call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A5' })).trade_status, 'TRADE_CLOSED');
  const again = await call(sdk, 'alipay.trade.close', { out_trade_no: 'pay_A5' });
  assert.equal(again.sub_code, 'ACQ.TRADE_STATUS_ERROR');
  assert.equal((await sandbox.sums('pay_A5')).charged, 0);
});

test('alipay: refunds are one per number, and their sum is told', async ({ sandbox, merchant }) => {
  const sdk = client(sandbox);
  await buy(sandbox, (await precreate(sandbox, merchant, 'pay_A6')).qr_code);
  const refund = (number, amount) => call(sdk, 'alipay.trade.refund',
    { out_trade_no: 'pay_A6', out_request_no: number, refund_amount: amount });
  const first = await refund('ref_A6', '50.00');
  assert.deepEqual([first.fund_change, first.refund_fee], ['Y', '50.00']);
  const again = await refund('ref_A6', '50.00');
  assert.deepEqual([again.fund_change, again.refund_fee], ['N', '50.00']);
  assert.equal((await refund('ref_A6', '50.01')).sub_code, 'ACQ.DISCORDANT_REPEAT_REQUEST');
  assert.equal((await refund('ref_A6b', '38.89')).sub_code, 'ACQ.REASON_TRADE_REFUND_FEE_ERR');
  const query = (number) => call(sdk, 'alipay.trade.fastpay.refund.query',
    { out_trade_no: 'pay_A6', out_request_no: number });
  assert.equal((await query('ref_A6')).refund_status, 'REFUND_SUCCESS');
  assert.equal((await query('ref_other')).refund_status, undefined);
  assert.equal((await sandbox.sums('pay_A6')).refunded_minor, 5000);
});

test('alipay: a cancel closes what waits and gives back what is paid', async ({ sandbox, merchant }) => {
  const sdk = client(sandbox);
  await buy(sandbox, (await precreate(sandbox, merchant, 'pay_A7')).qr_code);
  assert.equal((await call(sdk, 'alipay.trade.cancel', { out_trade_no: 'pay_A7' })).action, 'refund');
  assert.equal((await sandbox.sums('pay_A7')).refunded_minor, 8888);
});

test('alipay: certificates are named as the client names them', async ({ sandbox, merchant }) => {
  const sdk = withCertificates(sandbox);
  const settings = sandbox.settings('alipay');
  assert.equal(sdk.config.appCertSn, settings.app_cert_sn);
  assert.equal(sdk.config.alipayCertSn, settings.alipay_cert_sn);
  assert.equal(sdk.config.alipayRootCertSn, settings.alipay_root_cert_sn);
  const asked = { notify_url: `${merchant.url}/alipay` };
  assert.equal((await call(sdk, 'alipay.trade.precreate', offer('pay_A8'), asked)).code, '10000');
});

test('alipay: a strange application and a wrong key are refused', async ({ sandbox }) => {
  const stranger = client(sandbox, { appId: '2021000000000002' });
  await assert.rejects(stranger.exec('alipay.trade.query', { bizContent: { out_trade_no: 'pay_A1' } },
    { validateSign: true }));
  const thief = client(sandbox, { privateKey: sandbox.key('alipay/alipay_private_key.pem') });
  const refused = await thief.exec('alipay.trade.query', { bizContent: { out_trade_no: 'pay_A1' } }).catch((e) => e);
  assert.match(JSON.stringify(refused) + String(refused), /invalid-signature|sign/i);
});

test('alipay: an answer signed with another key is refused by the client', async ({ sandbox }) => {
  const sdk = client(sandbox, { alipayPublicKey: sandbox.key('alipay/app_public_key.pem') });
  await assert.rejects(call(sdk, 'alipay.trade.query', { out_trade_no: 'pay_A1' }));
});

test('alipay: notices are signed, and a changed one is not believed', async ({ sandbox, merchant }) => {
  const sdk = client(sandbox);
  merchant.answer = () => ({ status: 200, body: 'success' });
  await buy(sandbox, (await precreate(sandbox, merchant, 'pay_A9', { body: '' })).qr_code);
  const notice = await merchant.notice(({ body }) => body.includes('out_trade_no=pay_A9'));
  const fields = Object.fromEntries(new URLSearchParams(notice.body));
  assert.equal(fields.trade_status, 'TRADE_SUCCESS');
  assert.equal(fields.total_amount, '88.88');
  assert.equal(fields.subject, 'Tea 茶');
  assert.ok(sdk.checkNotifySignV2({ ...fields }));
  assert.ok(!sdk.checkNotifySignV2({ ...fields, total_amount: '88.89' }));
  assert.ok(!sdk.checkNotifySignV2({ ...fields, body: 'x' }));
});

test('alipay: a wrongly signed notice is refused by the client', async ({ sandbox, merchant }) => {
  await sandbox.fault('notice', 'wrong_signature', { order: 'pay_A10' });
  await buy(sandbox, (await precreate(sandbox, merchant, 'pay_A10')).qr_code);
  const notice = await merchant.notice(({ body }) => body.includes('out_trade_no=pay_A10'));
  assert.ok(!client(sandbox).checkNotifySignV2(Object.fromEntries(new URLSearchParams(notice.body))));
});

test('alipay: a notice is sent again until the merchant says success', async ({ sandbox, merchant }) => {
  const mine = ({ body }) => body.includes('out_trade_no=pay_A11');
  let asked = 0;
  merchant.answer = (notice) => ({ status: 200, body: mine(notice) && ++asked < 3 ? 'ok' : 'success' });
  await buy(sandbox, (await precreate(sandbox, merchant, 'pay_A11')).qr_code);
  await merchant.notice(() => asked >= 3);
  const ids = merchant.notices.filter(mine).map(({ body }) => new URLSearchParams(body).get('notify_id'));
  assert.equal(new Set(ids).size, 1);
});
