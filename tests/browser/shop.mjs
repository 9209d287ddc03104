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

// Chooses what goes wrong and begins; answers the buyer's two buttons.
async function beginRun(world, fault, options = {}) {
  const buyer = await Buyer.in(await world.device({ viewport: sizes.desk, ...options }), `${world.shop}/bench`);
  await buyer.page.locator('#fault option').first().waitFor({ state: 'attached' });
  await buyer.page.locator('#fault').selectOption(fault);
  await buyer.page.locator('#begin').click();
  return { buyer, page: buyer.page, naive: buyer.page.locator('#naive-pay') };
}

const chargesOf = (page) => Promise.all(['#charged', '#naive-charged'].map((side) => page.locator(side).textContent()));

for (const [lang, locale, size] of [['en', 'en-US', 'desk'], ['zh', 'zh-CN', 'phone'], ['en', 'en-US', 'phone'], ['zh', 'zh-CN', 'desk']])
  test(`the bench: the naive shop charges twice, payonce once (${lang}, ${size})`, async (world) => {
    const { buyer, page, naive } = await beginRun(world, 'lost', { locale, viewport: sizes[size] });
    await buyer.press();
    await naive.click();
    await page.locator('#naive-said.failed').waitFor();
    await naive.click();
    await page.locator('#verdict:not(:empty)').waitFor();
    await buyer.sees('paid');
    await page.locator('#effects li').nth(2).waitFor();
    await page.getByText(lang === 'en' ? /buyer 2 times, and payonce's once/ : /付了 2 次，payonce 只扣了一次/).waitFor();
    await keep(page, `bench-${lang}-${size}`);
    await accessible(page);
    equal(await chargesOf(page), ['1', '2'], 'charges');
    await buyer.heardNoFailure();
    const width = await page.evaluate(() => document.documentElement.scrollWidth);
    holds(width <= sizes[size].width, 'nothing sticks out sideways');
    const said = await page.locator('main').innerText();
    if (lang === 'zh') equal(said.match(/\b(payment|order|refund)\.\w+|\b(charged|ship|points)\b/g), null, 'left untranslated');
  });

test('the bench: twenty presses at once', async (world) => {
  const { buyer, page, naive } = await beginRun(world, 'devices');
  await buyer.press();
  await buyer.sees('paid');
  await naive.click();
  await page.getByText(/buyer 20 times, and payonce's once/).waitFor();
  await keep(page, 'bench-twenty');
  await accessible(page);
});

test('the bench: every failure that it offers ends with one charge', async (world) => {
  const faults = await (await fetch(`${world.shop}/api/bench`)).json();
  holds(faults.length > 15, 'there are many');
  for (const { id } of faults) {
    const { buyer, page } = await beginRun(world, id);
    await buyer.press();
    // After a refusal that holds, the buyer tries again.
    const paid = buyer.body('paid');
    if (id === 'declined') {
      await page.getByText('nothing was charged').first().waitFor();
      await buyer.press();
    }
    await paid.waitFor({ timeout: 20_000 }).catch(async () => {
      throw new Error(`${id}: not paid; it said ${JSON.stringify(await buyer.hears())}`);
    });
    await page.waitForFunction(() => document.querySelector('#charged').textContent === '1').catch(() => {});
    equal([id, (await chargesOf(page))[0]], [id, '1'], 'charges');
    await buyer.heardNoFailure();
    await page.context().close();
  }
});

for (const [lang, locale] of [['en', 'en-US'], ['zh', 'zh-CN']])
  for (const size of ['phone', 'desk'])
    test(`the shop's pages (${lang}, ${size})`, async (world) => {
      const device = await world.device({ viewport: sizes[size], locale });
      const { page } = await Buyer.in(device, `${world.shop}/`);
      const fits = async (name) => {
        await keep(page, `${name}-${lang}-${size}`);
        await accessible(page);
        const width = await page.evaluate(() => document.documentElement.scrollWidth);
        holds(width <= sizes[size].width, `${name}: nothing sticks out sideways`);
      };
      await page.locator('#goods button').first().waitFor();
      await fits('shop-empty');
      await page.locator('#goods button').nth(2).click();
      await fits('shop-cart');
      await page.locator('#order').click();
      await page.locator('button.pay[aria-disabled=false]').waitFor();
      await fits('shop-order');
      await page.locator('button.pay').click();
      await page.locator('.steps li.done').nth(2).waitFor();
      await fits('shop-order-done');
      await page.goto(`${world.shop}/bench`);
      await page.locator('#fault option').first().waitFor({ state: 'attached' });
      await fits('bench-start');
    });
