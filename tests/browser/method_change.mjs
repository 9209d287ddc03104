// The buyer turns to another method while the first waits for them: with a shop that waits for proof (strict), and with
// one that lets the first go (release). One charge, and the page says at each moment what is true.
import { Buyer } from './buyer.mjs';
import { equal, holds, test } from './check.mjs';
import { open, paidOnce } from './one_charge.mjs';
import { accessible, keep, sizes } from './pages.mjs';

const closing = 'This payment is being closed at the bank. Until that is certain you can still finish it there, and ' +
  'nothing else is begun, so that you do not pay twice.';

// The wallet waits for its buyer, who has turned to the card and not pressed yet. Answers the wallet's number.
async function turned(world, { order, buyer, shop = world.api }) {
  await buyer.choose('Wallet');
  await buyer.press();
  // A redirect has led to the bank's page by itself; the buyer comes back.
  if (shop !== world.api) {
    await buyer.page.getByRole('button', { name: /Approve/ }).waitFor();
    await buyer.page.goBack();
  }
  await buyer.sees('action');
  await buyer.page.getByRole('button', { name: 'Pay in another way' }).click();
  await buyer.page.getByText('the first payment is closed before the new one begins').waitFor();
  return (await shop('GET', `/v1/orders/${order}`)).body.payments[0].id;
}

// The bank does not answer when it is told to close what was begun for this order.
const neverCloses = (world, order) => world.fault(order, 'close', 'drop_before', { times: 1000 });
const stateOf = async (shop, order, number) =>
  (await shop('GET', `/v1/orders/${order}`)).body.payments.find(({ id }) => id === number).state;

test('another way to pay: the first one is closed before', async (world) => {
  const { order, buyer } = await open(world);
  const wallet = await turned(world, { order, buyer });
  const labels = await buyer.page.locator('form label').allTextContents();
  equal(labels, ['Card', 'Broken card'], 'the other ways');
  await buyer.page.getByRole('button', { name: 'Stay with Wallet' }).click();
  await buyer.page.locator('.code svg').waitFor();
  await buyer.page.getByRole('button', { name: 'Pay in another way' }).click();
  await buyer.payButton.dblclick();
  await paidOnce(world, order, buyer);
  equal(await stateOf(world.api, order, wallet), 'CANCELED', 'the wallet');
  await world.approve(wallet);
  await paidOnce(world, order, buyer);
});

test('another way to pay, chosen in two tabs at once', async (world) => {
  const { order, url, device, buyer } = await open(world);
  await turned(world, { order, buyer });
  const second = await Buyer.in(device, url);
  await second.page.getByRole('button', { name: 'Pay in another way' }).click();
  const presses = await Promise.allSettled([buyer.press(5000), second.press(5000)]);
  holds(presses.some(({ status }) => status === 'fulfilled'), 'one of them pressed');
  await paidOnce(world, order, buyer);
  await second.sees('paid');
  equal((await world.api('GET', `/v1/orders/${order}`)).body.payments.length, 2, 'payments');
});

test('another way to pay, and the first was paid meanwhile', async (world) => {
  const { order, device, buyer } = await open(world);
  await world.fault(order, 'notice', 'never', { times: 10 });
  const wallet = await turned(world, { order, buyer });
  await device.route((url) => url.pathname.endsWith('/pay'), async (route) => {
    await world.approve(wallet);
    await route.continue();
  });
  await buyer.press();
  await paidOnce(world, order, buyer);
  equal((await world.api('GET', `/v1/orders/${order}`)).body.payments.length, 1, 'payments');
});

for (const [lang, size, counting] of [['en', 'desk', /^Another way to pay opens in (29|30):\d\d$/],
  ['zh', 'phone', /^可更换支付方式，还需等待 (29|30):\d\d$/]])
  test(`strict: the page waits for proof, counts down, and offers nothing else (${lang})`, async (world) => {
    const { order, url, buyer } = await open(world);
    await neverCloses(world, order);
    const wallet = await turned(world, { order, buyer });
    await buyer.press();
    await buyer.sees('closing');
    const other = await Buyer.in(await world.device({ viewport: sizes[size] }), `${url}?lang=${lang}`);
    await other.sees('closing');
    const left = await other.page.locator('.left').textContent();
    holds(counting.test(left), `the countdown: ${left}`);
    equal(await other.payButton.isVisible(), false, 'a button to pay with');
    equal(await other.page.locator('button.plain').isVisible(), false, 'another way');
    await other.page.locator('.code svg').waitFor();
    await keep(other.page, `closing-${lang}-${size}`);
    await accessible(other.page);
    equal((await world.ledger(order)).charged, 0, 'charges');
    await world.approve(wallet);
    await paidOnce(world, order, buyer);
    equal((await buyer.hears()).filter(({ shown }) => shown === 'closing').map(({ text }) => text), [closing],
      'said meanwhile');
    await other.sees('paid');
  });

test('strict: with the proof the other way opens', async (world) => {
  const { order, buyer } = await open(world);
  await neverCloses(world, order);
  const wallet = await turned(world, { order, buyer });
  await buyer.press();
  await buyer.sees('closing');
  await world.clearFaults();
  // What was pressed goes on by itself if its call still waits for the proof; else the buyer may choose again.
  await buyer.page.locator('[part=body].paid, [part=body].ready').first().waitFor({ timeout: 30_000 });
  if (await buyer.body('ready').isVisible()) await buyer.press();
  await paidOnce(world, order, buyer);
  equal(await stateOf(world.api, order, wallet), 'CANCELED', 'the wallet');
  await world.approve(wallet);
  await paidOnce(world, order, buyer);
});

test('release: the first is let go without proof, and its buyer pays once', async (world) => {
  const { order, buyer } = await open(world, { shop: world.lenient });
  await neverCloses(world, order);
  const wallet = await turned(world, { order, buyer, shop: world.lenient });
  await buyer.press();
  await paidOnce(world, order, buyer, world.lenient);
  equal(await stateOf(world.lenient, order, wallet), 'RELEASED', 'the wallet');
  await world.clearFaults();
  while ((await stateOf(world.lenient, order, wallet)) !== 'CANCELED')
    await new Promise((resolve) => setTimeout(resolve, 100));
  await world.approve(wallet);
  await paidOnce(world, order, buyer, world.lenient);
});

test('release: what was let go is paid all the same, and given back once', async (world) => {
  const { order, buyer } = await open(world, { shop: world.lenient });
  await neverCloses(world, order);
  const wallet = await turned(world, { order, buyer, shop: world.lenient });
  await buyer.press();
  await paidOnce(world, order, buyer, world.lenient);
  await world.approve(wallet);
  let refunds = [];
  while (refunds.length === 0) ({ refunds } = await world.ledger(order));
  equal(refunds.map(({ charge_number: number, amount }) => [number, amount]), [[wallet, 1999]], 'given back');
  await buyer.page.reload();
  await buyer.sees('paid');
});
