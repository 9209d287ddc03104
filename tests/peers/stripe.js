// Stripe's own client drives the sandbox and checks its events.
'use strict';

const Stripe = require('stripe');
const { assert, test } = require('./harness.js');

function client(sandbox, more = {}) {
  const { secret_key: key } = sandbox.settings('stripe');
  return new Stripe(key, {
    host: '127.0.0.1', port: sandbox.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false, ...more,
  });
}

// A card payment of 19.99 USD, confirmed at once.
function card(order, more = {}) {
  return {
    amount: 1999, currency: 'usd', payment_method: 'pm_card_visa', confirm: true,
    automatic_payment_methods: { enabled: true, allow_redirects: 'never' }, metadata: { order_id: order }, ...more,
  };
}

const key = (idempotencyKey) => ({ idempotencyKey });

// The error of a promise that must fail.
async function refusal(promise) {
  return promise.then(() => assert.fail('it should have been refused'), (error) => error);
}

test('stripe: a confirmed intent charges once, also when it is sent again', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const first = await stripe.paymentIntents.create(card('S1'), key('pay_S1'));
  assert.equal(first.status, 'succeeded');
  assert.equal(first.amount_received, 1999);
  assert.equal(first.metadata.order_id, 'S1');
  const again = await stripe.paymentIntents.create(card('S1'), key('pay_S1'));
  assert.equal(again.id, first.id);
  assert.equal(again.lastResponse.headers['idempotent-replayed'], 'true');
  assert.equal((await stripe.paymentIntents.retrieve(first.id)).status, 'succeeded');
  assert.deepEqual(await sandbox.sums('S1'), { charged: 1, charged_minor: 1999, refunded_minor: 0 });
});

test('stripe: the same key with other parameters is an idempotency error', async ({ sandbox }) => {
  const error = await refusal(client(sandbox).paymentIntents.create(card('S1', { amount: 2000 }), key('pay_S1')));
  assert.ok(error instanceof Stripe.errors.StripeIdempotencyError, error.type);
  assert.equal((await sandbox.sums('S1')).charged_minor, 1999);
});

test('stripe: a lost answer is answered by the same key', async ({ sandbox }) => {
  const stripe = client(sandbox);
  // The client repeats a request by itself if its connection was reset, once.
  await sandbox.fault('create', 'drop_after', { order: 'S2', times: 2 });
  const error = await refusal(stripe.paymentIntents.create(card('S2'), key('pay_S2')));
  assert.ok(error instanceof Stripe.errors.StripeConnectionError, error.type);
  assert.equal((await stripe.paymentIntents.create(card('S2'), key('pay_S2'))).status, 'succeeded');
  assert.equal((await sandbox.sums('S2')).charged, 1);
});

test('stripe: a 500 after the charge stays the answer under its key, and the list knows better', async ({ sandbox }) => {
  const stripe = client(sandbox);
  await sandbox.fault('create', 'answer_500_after', { order: 'S3' });
  for (let i = 0; i < 2; ++i) {
    const error = await refusal(stripe.paymentIntents.create(card('S3'), key('pay_S3')));
    assert.equal(error.statusCode, 500);
  }
  const listed = await stripe.paymentIntents.list({ limit: 100 });
  assert.equal(listed.data.find((intent) => intent.metadata.order_id === 'S3').status, 'succeeded');
  assert.equal((await sandbox.sums('S3')).charged, 1);
});

test('stripe: the client\'s own repeats charge once', async ({ sandbox }) => {
  await sandbox.fault('create', 'answer_503_before', { order: 'S4', times: 2 });
  const stripe = client(sandbox, { maxNetworkRetries: 3 });
  assert.equal((await stripe.paymentIntents.create(card('S4'))).status, 'succeeded');
  assert.equal((await sandbox.sums('S4')).charged, 1);
});

test('stripe: a declined card is a card error, and the intent can be paid by another', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const declined = card('S5', { payment_method: 'pm_card_visa_chargeDeclinedInsufficientFunds' });
  const error = await refusal(stripe.paymentIntents.create(declined, key('pay_S5')));
  assert.ok(error instanceof Stripe.errors.StripeCardError, error.type);
  assert.equal(error.code, 'card_declined');
  assert.equal(error.decline_code, 'insufficient_funds');
  assert.equal(error.payment_intent.status, 'requires_payment_method');
  const paid = await stripe.paymentIntents.confirm(error.payment_intent.id, { payment_method: 'pm_card_visa' });
  assert.equal(paid.status, 'succeeded');
  assert.equal((await sandbox.sums('S5')).charged, 1);
});

test('stripe: a buyer who has to act does so on the bank\'s page', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const asked = card('S6', { payment_method: 'pm_card_threeDSecure2Required' });
  const intent = await stripe.paymentIntents.create(asked, key('pay_S6'));
  assert.equal(intent.status, 'requires_action');
  const page = new URL(intent.next_action.redirect_to_url.url);
  assert.match(await sandbox.ask('GET', page.pathname), /19\.99 USD/);
  await sandbox.ask('POST', `${page.pathname}/approve`);
  assert.equal((await stripe.paymentIntents.retrieve(intent.id)).status, 'succeeded');
});

test('stripe: a canceled intent is never paid', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const intent = await stripe.paymentIntents.create({ amount: 500, currency: 'eur' }, key('pay_S7'));
  assert.equal(intent.status, 'requires_payment_method');
  const canceled = await stripe.paymentIntents.cancel(intent.id, { cancellation_reason: 'abandoned' });
  assert.equal(canceled.status, 'canceled');
  const error = await refusal(stripe.paymentIntents.confirm(intent.id, { payment_method: 'pm_card_visa' }));
  assert.equal(error.code, 'payment_intent_unexpected_state');
  assert.equal(error.payment_intent.status, 'canceled');
});

test('stripe: a paid intent can\'t be canceled', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const paid = await stripe.paymentIntents.create(card('S8'), key('pay_S8'));
  const error = await refusal(stripe.paymentIntents.cancel(paid.id));
  assert.equal(error.code, 'payment_intent_unexpected_state');
  assert.equal(error.payment_intent.status, 'succeeded');
});

test('stripe: a held amount is captured in part', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const held = await stripe.paymentIntents.create(card('S9', { capture_method: 'manual' }), key('pay_S9'));
  assert.equal(held.status, 'requires_capture');
  assert.equal(held.amount_capturable, 1999);
  assert.equal((await sandbox.sums('S9')).charged, 0);
  const captured = await stripe.paymentIntents.capture(held.id, { amount_to_capture: 1500 });
  assert.equal(captured.status, 'succeeded');
  assert.equal(captured.amount_received, 1500);
  assert.equal((await sandbox.sums('S9')).charged_minor, 1500);
});

test('stripe: refunds never exceed the charge', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const paid = await stripe.paymentIntents.create(card('S10'), key('pay_S10'));
  const part = { payment_intent: paid.id, amount: 1500, metadata: { refund: 'ref_1' } };
  const first = await stripe.refunds.create(part, key('ref_S10'));
  assert.equal(first.status, 'succeeded');
  assert.equal((await stripe.refunds.create(part, key('ref_S10'))).id, first.id);
  const error = await refusal(stripe.refunds.create({ payment_intent: paid.id, amount: 500 }, key('ref_S10b')));
  assert.equal(error.type, 'StripeInvalidRequestError');
  await stripe.refunds.create({ payment_intent: paid.id }, key('ref_S10c'));
  const none = await refusal(stripe.refunds.create({ payment_intent: paid.id }, key('ref_S10d')));
  assert.equal(none.code, 'charge_already_refunded');
  const listed = await stripe.refunds.list({ payment_intent: paid.id });
  assert.deepEqual(listed.data.map((refund) => refund.amount), [499, 1500]);
  assert.equal((await stripe.refunds.retrieve(first.id)).metadata.refund, 'ref_1');
  assert.equal((await sandbox.sums('S10')).refunded_minor, 1999);
});

test('stripe: currencies keep Stripe\'s own units', async ({ sandbox }) => {
  const stripe = client(sandbox);
  const pay = (order, amount, currency) =>
    stripe.paymentIntents.create(card(order, { amount, currency }), key(`pay_${order}`));
  await pay('S11', 500, 'isk');
  assert.equal((await sandbox.sums('S11')).charged_minor, 5);
  await pay('S12', 500, 'jpy');
  assert.equal((await sandbox.sums('S12')).charged_minor, 500);
  await pay('S13', 5120, 'kwd');
  assert.equal((await sandbox.sums('S13')).charged_minor, 5120);
  assert.equal((await refusal(pay('S14', 5124, 'kwd'))).param, 'amount');
});

test('stripe: the balance names every charge and refund', async ({ sandbox }) => {
  const rows = await client(sandbox).balanceTransactions.list({ limit: 100 });
  assert.ok(rows.data.some((row) => row.type === 'charge' && row.amount === 1500));
  assert.ok(rows.data.some((row) => row.type === 'refund' && row.amount === -499));
});

test('stripe: events carry a signature that the client accepts, and no other', async ({ sandbox, merchant }) => {
  const { webhook_secret: secret } = sandbox.settings('stripe');
  await client(sandbox).paymentIntents.create(card('S15'), key('pay_S15'));
  const is = (type) => (notice) => notice.body.includes(type) && notice.body.includes('"S15"');
  const notice = await merchant.notice(is('payment_intent.succeeded'));
  const header = notice.headers['stripe-signature'];
  const event = Stripe.webhooks.constructEvent(notice.body, header, secret);
  assert.equal(event.type, 'payment_intent.succeeded');
  assert.equal(event.data.object.amount_received, 1999);
  const tampered = notice.body.replace('1999', '1998');
  const refused = Stripe.errors.StripeSignatureVerificationError;
  assert.throws(() => Stripe.webhooks.constructEvent(tampered, header, secret), refused);
  assert.throws(() => Stripe.webhooks.constructEvent(notice.body, header, 'whsec_other'), refused);
});

test('stripe: a wrongly signed event is refused by the client', async ({ sandbox, merchant }) => {
  const { webhook_secret: secret } = sandbox.settings('stripe');
  await sandbox.fault('notice', 'wrong_signature', { order: 'S16' });
  await client(sandbox).paymentIntents.create(card('S16'), key('pay_S16'));
  const notice = await merchant.notice(({ body }) => body.includes('"S16"'));
  const check = () => Stripe.webhooks.constructEvent(notice.body, notice.headers['stripe-signature'], secret);
  assert.throws(check, Stripe.errors.StripeSignatureVerificationError);
});

test('stripe: another secret key opens nothing', async ({ sandbox }) => {
  const stranger = new Stripe('sk_test_stranger', {
    host: '127.0.0.1', port: sandbox.port, protocol: 'http', maxNetworkRetries: 0, telemetry: false,
  });
  const error = await refusal(stranger.paymentIntents.create(card('S17')));
  assert.ok(error instanceof Stripe.errors.StripeAuthenticationError, error.type);
  assert.equal(await sandbox.sums('S17'), undefined);
});
