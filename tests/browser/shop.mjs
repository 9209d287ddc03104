// The demo shop from cart to coupon, and the fault bench: what a visitor sees in the first two minutes.
import { createHmac } from 'node:crypto';
import { Buyer } from './buyer.mjs';
import { equal, holds, test } from './check.mjs';
import { accessible, keep, sizes } from './pages.mjs';

async function orderOf(page) {
  await page.waitForURL(/\/order\?id=/);
  return new URL(page.url()).searchParams.get('id');
}

test('the shop: cart, payment, and each effect once', async (world) => {
  const { page } = await Buyer.in(await world.device({ viewport: sizes.desk }), `${world.shop}/`);
  await page.getByRole('button', { name: 'Add Longjing tea, 100 g' }).click();
  await page.getByRole('button', { name: 'Add Folding fan' }).dblclick();
  await keep(page, 'shop');
  await accessible(page);
  await page.getByRole('button', { name: 'Order and pay' }).click();
  const order = await orderOf(page);
  await page.locator('button.pay[aria-disabled=false]').dblclick();
  for (const text of ['Shipped', 'Points credited (+218)', 'Coupon for the next time'])
    await page.locator('.steps li.done').filter({ hasText: text }).waitFor();
  await keep(page, 'shop-order');
  await accessible(page);
  equal((await world.ledger(order)).charged, 1, 'charges');
  const { done } = await (await fetch(`${world.shop}/api/order?id=${order}`)).json();
  equal(done.map(({ name }) => name).sort(), ['coupon', 'points', 'ship'], 'effects');
});

test('the shop takes no forged and no second effect', async (world) => {
  const placed = await fetch(`${world.shop}/api/orders`, { method: 'POST', body: '{"items":{"cup":1}}' });
  const { id } = await placed.json();
  const body = JSON.stringify({ type: 'payment.succeeded', data: { effect: 'ship', order_id: id, amount: 6800 } });
  const timestamp = String(Math.floor(Date.now() / 1000));
  const send = (key) =>
    fetch(`${world.shop}/ship`, {
      method: 'POST',
      body,
      headers: {
        'webhook-id': `pay_${id}.ship`,
        'webhook-timestamp': timestamp,
        'webhook-signature': `v1,${createHmac('sha256', key).update(`pay_${id}.ship.${timestamp}.${body}`).digest('base64')}`,
      },
    }).then(({ status }) => status);
  const shipped = async () => (await (await fetch(`${world.shop}/api/order?id=${id}`)).json()).done.length;
  equal(await send('another secret'), 401, 'forged');
  equal(await shipped(), 0, 'after a forgery');
  equal([await send(Buffer.alloc(32, 'e')), await send(Buffer.alloc(32, 'e'))], [200, 200], 'twice');
  equal(await shipped(), 1, 'after both');
});

test('the bench: the naive shop charges twice, payonce once', async (world) => {
  const buyer = await Buyer.in(await world.device({ viewport: sizes.desk }), `${world.shop}/bench`);
  const { page } = buyer;
  await page.getByRole('button', { name: 'New run' }).click();
  await buyer.press();
  await buyer.sees('paid');
  const naive = page.getByRole('button', { name: 'Pay', exact: true });
  await naive.click();
  await page.getByText('Payment failed. Please try again.').waitFor();
  await naive.click();
  await page.getByText(/charged the naive shop's buyer 2 times, and payonce's once/).waitFor();
  await page.locator('#effects li').filter({ hasText: 'coupon' }).waitFor();
  await keep(page, 'bench');
  await accessible(page);
  equal([await page.locator('#charged').textContent(), await page.locator('#naive-charged').textContent()], ['1', '2'],
    'charges');
  await buyer.heardNoFailure();
});

test('the shop on a phone, in Chinese', async (world) => {
  const device = await world.device({ viewport: sizes.phone, locale: 'zh-CN' });
  const { page } = await Buyer.in(device, `${world.shop}/`);
  await page.getByRole('button', { name: '将纸灯笼加入购物车' }).click();
  await keep(page, 'shop-zh-phone');
  await accessible(page);
  await page.goto(`${world.shop}/bench`);
  await page.getByRole('button', { name: '开始' }).click();
  await page.locator('button.pay[aria-disabled=false]').waitFor();
  await keep(page, 'bench-zh-phone');
  await accessible(page);
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  holds(width <= sizes.phone.width, 'nothing sticks out sideways');
});
