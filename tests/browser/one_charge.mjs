// One charge in the bank's ledger, whatever happens to the page; and what the page said meanwhile.
import { Buyer } from './buyer.mjs';
import { equal, holds, test } from './check.mjs';

const confirming = 'Confirming your payment. Please do not pay again.';

export async function paidOnce(world, order, buyer, shop = world.api) {
  await buyer.sees('paid');
  await buyer.heardNoFailure();
  equal((await world.ledger(order)).charged, 1, 'charges');
  equal((await shop('GET', `/v1/orders/${order}`)).body.state, 'PAID', 'order');
}

export async function open(world, options = {}) {
  const order = world.newOrder();
  const url = await world.checkout(order, options);
  const device = await world.device();
  return { order, url, device, buyer: await Buyer.in(device, url) };
}

// The slower of the two may find the button gone.
async function pressAtOnce(...buyers) {
  const presses = await Promise.allSettled(buyers.map((buyer) => buyer.press(5000)));
  holds(presses.some(({ status }) => status === 'fulfilled'), 'one of them pressed');
}

const isPay = (url) => url.pathname.endsWith('/pay');

test('a double click', async (world) => {
  const { order, buyer } = await open(world);
  await buyer.page.locator('button.pay[aria-disabled=false]').dblclick();
  await paidOnce(world, order, buyer);
  equal((await world.ledger(order)).charges.length, 1, 'requests that reached the bank');
});

test('two tabs, pressed at once', async (world) => {
  const { order, url, device, buyer } = await open(world);
  const second = await Buyer.in(device, url);
  await pressAtOnce(buyer, second);
  await paidOnce(world, order, buyer);
  await second.sees('paid');
  await second.heardNoFailure();
});

test('a press in one tab turns off the button of the other', async (world) => {
  const { order, url, device, buyer } = await open(world);
  const second = await Buyer.in(device, url);
  await second.page.locator('button.pay[aria-disabled=false]').waitFor();
  let release;
  const held = new Promise((resolve) => (release = resolve));
  await device.route(isPay, async (route) => {
    await held;
    await route.continue();
  });
  await buyer.press();
  await second.sees('confirming');
  equal((await second.hears()).at(-1).text, confirming, 'the other tab says');
  release();
  await paidOnce(world, order, buyer);
});

test('a reload while the outcome is open', async (world) => {
  const { order, buyer } = await open(world);
  await world.goDark(order);
  await buyer.press();
  await buyer.sees('confirming');
  for (let i = 0; i < 3; i += 1) {
    await buyer.page.reload();
    await buyer.sees('confirming');
    equal(await buyer.payButton.isVisible(), false, 'a button while the outcome is open');
  }
  await world.clearFaults();
  await paidOnce(world, order, buyer);
});

test('back from the bank, forward again, and back', async (world) => {
  const { order, buyer } = await open(world);
  await buyer.choose('Wallet');
  await buyer.press();
  await buyer.sees('action');
  await buyer.page.locator('a.button').click();
  await buyer.page.getByRole('button', { name: /Approve/ }).waitFor();
  await buyer.page.goBack();
  await buyer.sees('action');
  await buyer.page.goForward();
  await buyer.page.getByRole('button', { name: /Approve/ }).click();
  await buyer.page.getByRole('link', { name: /Back to the shop/ }).click();
  await paidOnce(world, order, buyer);
});

test('the network is cut before the press is sent', async (world) => {
  const { order, device, buyer } = await open(world);
  let cuts = 0;
  await device.route(isPay, (route) => (++cuts <= 2 ? route.abort('connectionreset') : route.continue()));
  await buyer.press();
  await buyer.sees('confirming');
  await paidOnce(world, order, buyer);
  equal(cuts, 3, 'sent');
});

test('the network is cut after the press was sent: the answer is lost', async (world) => {
  const { order, device, buyer } = await open(world);
  let losses = 0;
  await device.route(isPay, async (route) => {
    if (++losses > 1) return route.continue();
    await route.fetch();
    await route.abort('connectionreset');
  });
  await buyer.press();
  await paidOnce(world, order, buyer);
  holds((await buyer.heardNoFailure()).some(({ text }) => text === confirming), 'it said to wait');
});

test('a tunnel: no network for some seconds', async (world) => {
  const { order, device, buyer } = await open(world);
  await buyer.page.locator('button.pay[aria-disabled=false]').waitFor();
  await device.setOffline(true);
  await buyer.page.locator('button.pay').click();
  await buyer.page.getByText('No connection right now').waitFor();
  await device.setOffline(false);
  await buyer.page.locator('[part=body].paid, button.pay[aria-disabled=false]').first().waitFor({ timeout: 40_000 });
  if (!(await buyer.body('paid').isVisible())) await buyer.press();
  await paidOnce(world, order, buyer);
});

test('a reload before the press was sent: it is carried out without a second one', async (world) => {
  const { order, device, buyer } = await open(world);
  await device.route(isPay, (route) => route.abort('connectionreset'));
  await buyer.press();
  await buyer.sees('confirming');
  await device.unroute(isPay);
  await buyer.page.reload();
  await paidOnce(world, order, buyer);
});

test('a tab that crashes with the press on its way: the other one carries it out', async (world) => {
  const { order, url, device, buyer } = await open(world);
  const second = await Buyer.in(device, url);
  await second.page.locator('button.pay[aria-disabled=false]').waitFor();
  await buyer.page.route(isPay, () => {});
  await buyer.press();
  await second.sees('confirming');
  await buyer.page.close({ runBeforeUnload: false });
  await paidOnce(world, order, second);
});

test('phone and computer, pressed at once in two ways', async (world) => {
  const { order, url, buyer } = await open(world);
  const phone = await Buyer.in(await world.device(), url);
  await phone.choose('Wallet');
  await pressAtOnce(buyer, phone);
  await buyer.page.locator('[part=body].paid, [part=body].action').first().waitFor();
  const { payments } = (await world.api('GET', `/v1/orders/${order}`)).body;
  equal(payments.length, 1, 'payments');
  if (payments[0].state === 'REQUIRES_ACTION') await world.approve(payments[0].id);
  await paidOnce(world, order, buyer);
  await phone.sees('paid');
});

test('the buyer returns before the notice', async (world) => {
  const { order, buyer } = await open(world);
  await world.fault(order, 'notice', 'late', { delay_ms: 3000, times: 10 });
  await buyer.choose('Wallet');
  await buyer.press();
  await buyer.sees('action');
  await buyer.page.locator('a.button').click();
  await buyer.page.getByRole('button', { name: /Approve/ }).click();
  await buyer.page.getByRole('link', { name: /Back to the shop/ }).click();
  await buyer.page.locator('[part=body].action, [part=body].paid').first().waitFor();
  await paidOnce(world, order, buyer);
});

test('the notice comes before the buyer returns', async (world) => {
  const { order, buyer } = await open(world);
  await buyer.choose('Wallet');
  await buyer.press();
  await buyer.sees('action');
  const { payments } = (await world.api('GET', `/v1/orders/${order}`)).body;
  await world.approve(payments[0].id);
  await paidOnce(world, order, buyer);
  await buyer.page.goto(`${world.service}/checkout/return?status=unpaid`);
  await paidOnce(world, order, buyer);
});

test('a closed laptop: paid elsewhere meanwhile', async (world) => {
  const { order, url, device, buyer } = await open(world);
  await buyer.page.locator('button.pay[aria-disabled=false]').waitFor();
  const sleeper = await device.newCDPSession(buyer.page);
  await sleeper.send('Page.setWebLifecycleState', { state: 'frozen' });
  const phone = await Buyer.in(await world.device(), url);
  await phone.press();
  await phone.sees('paid');
  await sleeper.send('Page.setWebLifecycleState', { state: 'active' });
  await paidOnce(world, order, buyer);
});

test('an old page sends its offer again after the order was paid', async (world) => {
  const { order, url } = await open(world);
  const { offer } = await (await fetch(`${url}/state`)).json();
  const send = () =>
    fetch(`${url}/pay`, { method: 'POST', body: JSON.stringify({ offer, method: 'sandbox' }),
      headers: { 'Content-Type': 'application/json' } }).then((answer) => answer.json());
  equal((await send()).situation, 'paid', 'first');
  equal((await send()).situation, 'paid', 'again');
  equal((await world.ledger(order)).charges.length, 1, 'charges');
});

test('a clock that is wrong by years', async (world) => {
  const order = world.newOrder();
  const url = await world.checkout(order);
  const device = await world.device();
  await device.clock.install({ time: new Date('2001-01-01T00:00:00Z') });
  await device.clock.resume();
  const buyer = await Buyer.in(device, url);
  await buyer.choose('Wallet');
  await buyer.press();
  await buyer.sees('action');
  const left = await buyer.page.locator('.left').textContent();
  holds(/ (29:[0-5]\d|30:00)$/.test(left), `half an hour is left: ${left}`);
  const { payments } = (await world.api('GET', `/v1/orders/${order}`)).body;
  await world.approve(payments[0].id);
  await paidOnce(world, order, buyer);
});

test('storage is cleared while the outcome is open', async (world) => {
  const { order, url, buyer } = await open(world);
  await world.goDark(order);
  await buyer.press();
  await buyer.sees('confirming');
  await buyer.page.evaluate(() => localStorage.clear());
  await buyer.page.reload();
  await buyer.sees('confirming');
  const other = await Buyer.in(await world.device(), url);
  await other.sees('confirming');
  equal(await other.payButton.isVisible(), false, 'a button on another device');
  await world.clearFaults();
  await paidOnce(world, order, buyer);
});

test('a browser that has no storage, no locks and no channels', async (world) => {
  const order = world.newOrder();
  const url = await world.checkout(order);
  const device = await world.device();
  await device.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', { get() { throw new Error('denied'); } });
    Object.defineProperty(Navigator.prototype, 'locks', { value: undefined });
    delete window.BroadcastChannel;
  });
  const buyer = await Buyer.in(device, url);
  const second = await Buyer.in(device, url);
  await pressAtOnce(buyer, second);
  await paidOnce(world, order, buyer);
  await second.sees('paid');
});

test('the service is away for a while after the press', async (world) => {
  const { order, device, buyer } = await open(world);
  let asked = 0;
  await device.route((url) => /\/(pay|state)$/.test(url.pathname), (route) =>
    ++asked <= 4 ? route.fulfill({ status: 503, body: '{}' }) : route.continue());
  await buyer.page.locator('button.pay').click();
  await buyer.page.locator('[part=body].paid, button.pay[aria-disabled=false]').first().waitFor({ timeout: 40_000 });
  if (!(await buyer.body('paid').isVisible())) await buyer.press();
  await paidOnce(world, order, buyer);
});

test('a refusal, and then another card', async (world) => {
  const { order, buyer } = await open(world);
  await buyer.choose('Broken card');
  await buyer.press();
  await buyer.page.getByText('nothing was charged').waitFor();
  equal((await world.ledger(order)).charged, 0, 'charges');
  await buyer.choose('Card');
  await buyer.press();
  await paidOnce(world, order, buyer);
});

test('refused by the bank, charged all the same later', async (world) => {
  const { order, buyer } = await open(world);
  await world.fault(order, 'create', 'decline_then_succeed');
  await buyer.press();
  await paidOnce(world, order, buyer);
});

test('the price changes under an open page', async (world) => {
  const { order, buyer } = await open(world);
  await buyer.page.locator('button.pay[aria-disabled=false]').waitFor();
  await world.api('PUT', `/v1/orders/${order}`, { amount: 2999, currency: 'CNY' });
  await buyer.page.locator('button.pay').click();
  await buyer.page.getByText('29.99').first().waitFor();
  equal((await world.ledger(order)).charges.length, 0, 'charged an old price');
  await buyer.press();
  await paidOnce(world, order, buyer);
});
