// PayPal's own client drives the sandbox; webhooks are checked as PayPal documents it, with Node's own means.
'use strict';

const crypto = require('node:crypto');
const http = require('node:http');
const zlib = require('node:zlib');
const {
  Client, CheckoutPaymentIntent, CustomError, Environment, OrdersController, PaymentsController,
} = require('@paypal/paypal-server-sdk');
const { assert, test } = require('./harness.js');

// The client knows PayPal's addresses only; this agent leads them to the sandbox.
class Detour extends http.Agent {
  constructor(port) {
    super();
    this.port = port;
    this.protocol = 'https:';
    this.defaultPort = 443;
  }
  createConnection(options, done) {
    return super.createConnection({ host: '127.0.0.1', port: this.port }, done);
  }
}

function client(sandbox, more = {}) {
  const { client_id: oAuthClientId, client_secret: oAuthClientSecret } = sandbox.settings('paypal');
  const sdk = new Client({
    clientCredentialsAuthCredentials: { oAuthClientId, oAuthClientSecret, ...more },
    environment: Environment.Sandbox, timeout: 10000, httpClientOptions: { httpsAgent: new Detour(sandbox.port) },
  });
  return { orders: new OrdersController(sdk), payments: new PaymentsController(sdk) };
}

const order = (number, value = '19.99', currencyCode = 'USD', intent = CheckoutPaymentIntent.Capture) => ({
  intent,
  purchaseUnits: [{ amount: { currencyCode, value }, customId: number, invoiceId: number }],
  paymentSource: { paypal: { experienceContext: { returnUrl: 'http://shop/back', cancelUrl: 'http://shop/no' } } },
});

const create = async (sandbox, number, ...money) =>
  (await client(sandbox).orders.createOrder({ body: order(number, ...money), paypalRequestId: number })).result;

const approve = (sandbox, id) => sandbox.ask('POST', `/paypal/approve/${id}`);

const capture = (sandbox, id, paypalRequestId) => client(sandbox).orders.captureOrder({ id, paypalRequestId });

// An order that was approved and captured; its capture.
async function pay(sandbox, number) {
  const { id } = await create(sandbox, number);
  await approve(sandbox, id);
  const { result } = await capture(sandbox, id, `${number}_capture`);
  return { orderId: id, ...result.purchaseUnits[0].payments.captures[0] };
}

// The authorization of an order that holds its money.
async function hold(sandbox, number) {
  const { id } = await create(sandbox, number, '19.99', 'USD', CheckoutPaymentIntent.Authorize);
  await approve(sandbox, id);
  const { result } = await client(sandbox).orders.authorizeOrder({ id, paypalRequestId: `${number}_authorize` });
  return { orderId: id, ...result.purchaseUnits[0].payments.authorizations[0] };
}

// The issue of an answer that must be an error.
async function issue(promise) {
  return promise.then(() => assert.fail('it should have been refused'), (error) => {
    assert.ok(error instanceof CustomError || error.statusCode, String(error));
    return JSON.parse(error.body).details[0].issue;
  });
}

test('paypal: an order is captured once, after its buyer approved', async ({ sandbox }) => {
  const made = await create(sandbox, 'pay_P1');
  assert.equal(made.status, 'PAYER_ACTION_REQUIRED');
  assert.equal((await create(sandbox, 'pay_P1')).id, made.id);
  assert.equal(await issue(capture(sandbox, made.id, 'c1')), 'ORDER_NOT_APPROVED');
  await approve(sandbox, made.id);
  const first = await capture(sandbox, made.id, 'c1');
  assert.equal(first.statusCode, 201);
  assert.equal(first.result.status, 'COMPLETED');
  const again = await capture(sandbox, made.id, 'c1');
  assert.equal(again.statusCode, 200);
  assert.equal(await issue(capture(sandbox, made.id, 'c2')), 'ORDER_ALREADY_CAPTURED');
  assert.equal((await client(sandbox).orders.getOrder({ id: made.id })).result.status, 'COMPLETED');
  assert.deepEqual(await sandbox.sums('pay_P1'), { charged: 1, charged_minor: 1999, refunded_minor: 0 });
});

test('paypal: a lost answer of a capture is answered by the same request id', async ({ sandbox }) => {
  const { id } = await create(sandbox, 'pay_P2');
  await approve(sandbox, id);
  await sandbox.fault('create', 'drop_after', { order: 'pay_P2' });
  await assert.rejects(capture(sandbox, id, 'c'));
  assert.equal((await capture(sandbox, id, 'c')).result.status, 'COMPLETED');
  assert.equal((await sandbox.sums('pay_P2')).charged, 1);
});

test('paypal: refunds never exceed the capture, and a request id gives back once', async ({ sandbox }) => {
  const { payments } = client(sandbox);
  const { id: captureId } = await pay(sandbox, 'pay_P3');
  const refund = async (paypalRequestId, value) => payments.refundCapturedPayment(
    { captureId, paypalRequestId, body: { amount: { currencyCode: 'USD', value } } });
  const first = await refund('ref_P3', '15.00');
  assert.equal(first.result.status, 'COMPLETED');
  assert.equal((await refund('ref_P3', '15.00')).result.id, first.result.id);
  assert.equal(await issue(refund('ref_P3b', '5.00')), 'REFUND_AMOUNT_EXCEEDED');
  assert.equal((await payments.getRefund({ refundId: first.result.id })).result.amount.value, '15.00');
  assert.equal((await payments.getCapturedPayment({ captureId })).result.status, 'PARTIALLY_REFUNDED');
  assert.equal((await sandbox.sums('pay_P3')).refunded_minor, 1500);
});

test('paypal: held money is captured in parts, never beyond the hold, and each part is refunded by itself', async ({ sandbox }) => {
  const { orders, payments } = client(sandbox);
  const held = await hold(sandbox, 'pay_P10');
  assert.equal(held.status, 'CREATED');
  assert.ok(new Date(held.expirationTime) > new Date());
  const take = (paypalRequestId, value, finalCapture) => payments.captureAuthorizedPayment({
    authorizationId: held.id, paypalRequestId,
    body: { amount: { currencyCode: 'USD', value }, invoiceId: paypalRequestId, finalCapture },
  });
  const first = await take('cap_P10a', '5.00', false);
  assert.equal((await take('cap_P10a', '5.00', false)).result.id, first.result.id);
  assert.equal((await payments.getAuthorizedPayment({ authorizationId: held.id })).result.status, 'PARTIALLY_CAPTURED');
  assert.equal(await issue(take('cap_P10b', '15.00', true)), 'MAX_CAPTURE_AMOUNT_EXCEEDED');
  const last = await take('cap_P10c', '10.00', true);
  assert.equal(last.result.invoiceId, 'cap_P10c');
  assert.equal(await issue(take('cap_P10d', '1.00', true)), 'AUTHORIZATION_ALREADY_CAPTURED');
  const back = (captureId, paypalRequestId, value) => payments.refundCapturedPayment(
    { captureId, paypalRequestId, body: { amount: { currencyCode: 'USD', value } } });
  assert.equal(await issue(back(first.result.id, 'ref_P10a', '6.00')), 'REFUND_AMOUNT_EXCEEDED');
  await back(last.result.id, 'ref_P10b', '6.00');
  const { payments: told } = (await orders.getOrder({ id: held.orderId })).result.purchaseUnits[0];
  assert.deepEqual(told.captures.map(({ status }) => status), ['COMPLETED', 'PARTIALLY_REFUNDED']);
  assert.deepEqual(await sandbox.sums('pay_P10'), { charged: 1, charged_minor: 1500, refunded_minor: 600 });
});

test('paypal: held money is let go by a void', async ({ sandbox }) => {
  const { payments } = client(sandbox);
  const { id: authorizationId } = await hold(sandbox, 'pay_P11');
  await payments.voidPayment({ authorizationId, paypalRequestId: 'void_P11' });
  assert.equal((await payments.getAuthorizedPayment({ authorizationId })).result.status, 'VOIDED');
  assert.equal(await issue(payments.captureAuthorizedPayment({ authorizationId, paypalRequestId: 'cap_P11', body: {} })),
    'AUTHORIZATION_VOIDED');
  assert.equal((await sandbox.sums('pay_P11')).charged, 0);
});

test('paypal: yen have no decimals, and forints have none at PayPal', async ({ sandbox }) => {
  assert.equal((await create(sandbox, 'pay_P4', '500', 'JPY')).status, 'PAYER_ACTION_REQUIRED');
  assert.equal(await issue(create(sandbox, 'pay_P5', '5.00', 'HUF')), 'DECIMAL_PRECISION');
});

test('paypal: wrong credentials get no token', async ({ sandbox }) => {
  const { orders } = client(sandbox, { oAuthClientSecret: 'other' });
  await assert.rejects(orders.createOrder({ body: order('pay_P6') }));
});

// As PayPal says: the text is the transmission's id and time, the webhook's id and the CRC-32 of the raw body.
function isSigned({ headers, body }, webhookId, certificate) {
  const crc = crc32(Buffer.from(body));
  const text = [headers['paypal-transmission-id'], headers['paypal-transmission-time'], webhookId, crc].join('|');
  const { publicKey } = new crypto.X509Certificate(certificate);
  return crypto.verify('sha256', Buffer.from(text), publicKey, Buffer.from(headers['paypal-transmission-sig'], 'base64'));
}

// Node 18 has no zlib.crc32; the trailer of its gzip holds the same.
function crc32(bytes) {
  return zlib.gzipSync(bytes).readUInt32LE(zlib.gzipSync(bytes).length - 8);
}

test('paypal: webhooks are signed with the key of the certificate, and a changed one is not', async ({ sandbox, merchant }) => {
  const { webhook_id: id } = sandbox.settings('paypal');
  await pay(sandbox, 'pay_P7');
  const about = (type) => ({ path, body }) => path === '/paypal' && body.includes('"pay_P7"') && body.includes(type);
  const approval = await merchant.notice(about('CHECKOUT.ORDER.APPROVED'));
  assert.equal(JSON.parse(approval.body).resource.status, 'APPROVED');
  assert.equal(JSON.parse(approval.body).resource.purchase_units[0].custom_id, 'pay_P7');
  const notice = await merchant.notice(about('PAYMENT.CAPTURE.COMPLETED'));
  assert.equal(JSON.parse(notice.body).resource.amount.value, '19.99');
  const certificate = await sandbox.ask('GET', new URL(notice.headers['paypal-cert-url']).pathname);
  const root = new crypto.X509Certificate(sandbox.key('paypal/root_cert.pem'));
  assert.ok(new crypto.X509Certificate(certificate).verify(root.publicKey));
  assert.ok(isSigned(notice, id, certificate));
  assert.ok(!isSigned({ ...notice, body: notice.body.replace('19.99', '19.98') }, id, certificate));
  assert.ok(!isSigned(notice, 'WH-OTHER', certificate));
});

test('paypal: a wrongly signed webhook does not hold', async ({ sandbox, merchant }) => {
  const { webhook_id: id } = sandbox.settings('paypal');
  await sandbox.fault('notice', 'wrong_signature', { order: 'pay_P8' });
  await pay(sandbox, 'pay_P8');
  const notice = await merchant.notice(({ path, body }) => path === '/paypal' && body.includes('"pay_P8"'));
  assert.ok(!isSigned(notice, id, sandbox.key('paypal/webhook_cert.pem')));
});
