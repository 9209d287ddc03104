// The pages themselves: every state, both languages, phone and desk; what assistive technology finds; nothing foreign.
// With SCREENSHOTS=folder they are kept for people to look at.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import jsQR from 'jsqr';
import { Buyer, launchWithoutScripts } from './buyer.mjs';
import { equal, holds, test } from './check.mjs';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
export const sizes = { phone: { width: 390, height: 844 }, desk: { width: 1280, height: 800 } };

// Each brings an order into a state and says what its page shows.
const states = {
  async ready(world, order) {
    return world.checkout(order, { return_url: 'https://shop.example/orders/1' });
  },
  async confirming(world, order) {
    const url = await world.checkout(order);
    await world.goDark(order);
    await pay(world, order);
    return url;
  },
  async action(world, order) {
    const url = await world.checkout(order);
    await pay(world, order, 'approve');
    return url;
  },
  async redirect(world, order) {
    const url = await world.checkout(order, { shop: world.lenient });
    await pay(world, order, 'approve', world.lenient);
    return url;
  },
  async paid(world, order) {
    const url = await world.checkout(order, { return_url: 'https://shop.example/orders/1' });
    await pay(world, order);
    return url;
  },
  async refused(world, order) {
    const url = await world.checkout(order);
    await pay(world, order, 'decline');
    return url;
  },
  async refunded(world, order) {
    const url = await world.checkout(order, { return_url: 'https://shop.example/orders/1' });
    const { id } = (await pay(world, order)).body;
    await world.api('POST', `/v1/payments/${id}/refunds`, { amount: 1999, reason: 'returned' },
      { 'Idempotency-Key': `${order}-refund` });
    return url;
  },
  async partly_refunded(world, order) {
    const url = await states.paid(world, order);
    const { payments } = (await world.api('GET', `/v1/orders/${order}`)).body;
    await world.api('POST', `/v1/payments/${payments[0].id}/refunds`, { amount: 500, reason: 'returned' },
      { 'Idempotency-Key': `${order}-refund` });
    return url;
  },
  disputed: (world, order) => resolved(world, order, 'dispute_opened'),
  reversed: (world, order) => resolved(world, order, 'reversed'),
  async closed(world, order) {
    const url = await world.checkout(order, { return_url: 'https://shop.example/orders/1' });
    await world.api('POST', `/v1/orders/${order}/close`);
    return url;
  },
  async expired(world, order) {
    const url = await world.checkout(order, { expires_in: 10 });
    await new Promise((resolve) => setTimeout(resolve, 10_500));
    return url;
  },
};

async function resolved(world, order, outcome) {
  const url = await states.paid(world, order);
  const { payments } = (await world.api('GET', `/v1/orders/${order}`)).body;
  await world.api('POST', `/v1/payments/${payments[0].id}/resolve`, { outcome, document: 'letter 4', reason: 'chargeback' });
  return url;
}

function pay(world, order, method, shop = world.api) {
  return shop('POST', '/v1/payments', { order_id: order, ...(method && { method }) },
    { 'Idempotency-Key': `${order}-1` });
}

// What the page calls it, where that is another name.
const shownAs = { refused: 'ready', redirect: 'action', partly_refunded: 'paid' };

export async function accessible(page) {
  // Beside the page's own policy, which lets no foreign script in.
  const found = await page.evaluate(`${axe}; axe.run(document, { resultTypes: ['violations'] })`);
  equal(found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 120))]), [], 'axe-core');
}

export async function keep(page, name) {
  const folder = process.env.SCREENSHOTS;
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

async function lookAt(world, url, name, shown) {
  for (const lang of ['en', 'zh']) {
    for (const [size, viewport] of Object.entries(sizes)) {
      const device = await world.device({ viewport });
      const buyer = await Buyer.in(device, `${url}?lang=${lang}`);
      if (shown) await buyer.sees(shown);
      await buyer.page.waitForTimeout(300);
      await keep(buyer.page, `${name}-${lang}-${size}`);
      const width = await buyer.page.evaluate(() => document.documentElement.scrollWidth);
      holds(width <= viewport.width, `${name} ${lang} ${size}: nothing sticks out sideways`);
      await accessible(buyer.page);
      equal(buyer.complaints, [], 'complaints of the browser');
      equal(buyer.foreign, [], 'requests to others');
      await device.close();
    }
  }
}

for (const [name, make] of Object.entries(states)) {
  test(`the page "${name}" in both languages and sizes`, async (world) => {
    const url = await make(world, world.newOrder());
    await lookAt(world, url, name, shownAs[name] ?? name);
  });
}

test('the page of an address that opens nothing', (world) =>
  lookAt(world, `${world.service}/checkout/nonsense`, 'not-found', null));

test('the page that a provider returns to, without a memory', (world) =>
  lookAt(world, `${world.service}/checkout/return`, 'return', null));

// Waits until a page without scripts shows this. (Playwright's texts leave out what stands in <noscript>.)
async function reads(page, sentence) {
  while (!(await page.locator('main').innerText().catch(() => '')).includes(sentence)) await page.waitForTimeout(200);
}

test('without JavaScript the page tells the truth', async (world) => {
  const browser = await launchWithoutScripts();
  try {
    for (const [name, sentence] of [
      ['ready', '在本页付款需要启用 JavaScript。'],
      ['confirming', '支付结果确认中，请勿重复付款。'],
      ['action', '请在银行或钱包中完成本次支付。'],
      ['paid', '支付成功，谢谢。'],
      ['closed', '订单已关闭，无法再支付。'],
    ]) {
      const order = world.newOrder();
      const url = await states[name](world, order);
      const page = await (await browser.newContext({ locale: 'zh-CN' })).newPage();
      await page.goto(url);
      await reads(page, sentence);
      await keep(page, `no-script-${name}`);
      if (name !== 'confirming') continue;
      // It looks again by itself.
      await world.clearFaults();
      await reads(page, '支付成功，谢谢。');
    }
  } finally {
    await browser.close();
  }
});

test('the QR code says what the provider said', async (world) => {
  const order = world.newOrder();
  const url = await states.action(world, order);
  const buyer = await Buyer.in(await world.device(), url);
  const svg = buyer.page.locator('.code svg');
  await svg.waitFor();
  const [width, path] = await svg.evaluate((element) => [
    element.viewBox.baseVal.width, element.firstElementChild.getAttribute('d')]);
  // Four dots to a module, as a camera would see it.
  const scale = 4;
  const side = width * scale;
  const image = new Uint8ClampedArray(side * side * 4).fill(255);
  for (const [, x, y] of path.matchAll(/M(\d+) (\d+)h/g))
    for (let dy = 0; dy < scale; dy += 1)
      for (let dx = 0; dx < scale; dx += 1)
        image.fill(0, ((y * scale + dy) * side + x * scale + dx) * 4, ((y * scale + dy) * side + x * scale + dx) * 4 + 3);
  const { payments } = (await world.api('GET', `/v1/orders/${order}`)).body;
  equal(jsQR(image, side, side)?.data, payments[0].action_url, 'scanned');
});

test('by keyboard alone, and read out', async (world) => {
  const order = world.newOrder();
  const buyer = await Buyer.in(await world.device(), await world.checkout(order));
  await buyer.page.locator('button.pay[aria-disabled=false]').waitFor();
  await buyer.page.keyboard.press('Tab');
  await buyer.page.keyboard.press('ArrowDown');
  await buyer.page.keyboard.press('ArrowUp');
  await buyer.page.keyboard.press('Tab');
  await buyer.page.keyboard.press('Enter');
  await buyer.sees('paid');
  await buyer.page.getByRole('status').filter({ hasText: 'Payment received. Thank you.' }).waitFor();
  const said = (await buyer.hears()).map(({ text }) => text);
  equal(said.filter((text, i) => said.indexOf(text) !== i), [], 'read out twice');
  equal((await world.ledger(order)).charged, 1, 'charges');
});

test('the live region is silent while nothing is new', async (world) => {
  const order = world.newOrder();
  const buyer = await Buyer.in(await world.device(), await states.action(world, order));
  await buyer.sees('action');
  const changes = await buyer.page.evaluate(() => new Promise((resolve) => {
    const region = document.querySelector('payonce-checkout').shadowRoot.querySelector('[role=status]');
    let count = 0;
    new MutationObserver((records) => (count += records.length))
      .observe(region, { childList: true, characterData: true, subtree: true });
    setTimeout(() => resolve(count), 2500);
  }));
  equal(changes, 0, 'changes of the live region while the countdown runs');
  const timer = buyer.page.getByRole('timer');
  equal(await timer.getAttribute('aria-live'), 'off', 'the countdown is not read out');
});

test('nothing moves for who wants less motion', async (world) => {
  const url = await states.confirming(world, world.newOrder());
  for (const [reducedMotion, animation] of [['reduce', 'none'], ['no-preference', 'turn']]) {
    const buyer = await Buyer.in(await world.device({ reducedMotion }), url);
    await buyer.sees('confirming');
    const name = await buyer.page.locator('.spin').evaluate((element) => getComputedStyle(element).animationName);
    equal(name, animation, reducedMotion);
  }
});

test('from right to left', async (world) => {
  const url = await states.ready(world, world.newOrder());
  const buyer = await Buyer.in(await world.device({ viewport: sizes.phone }), url);
  await buyer.sees('ready');
  await buyer.page.evaluate(() => (document.documentElement.dir = 'rtl'));
  await keep(buyer.page, 'rtl');
  const input = await buyer.page.locator('input').first().boundingBox();
  const label = await buyer.page.locator('label').first().boundingBox();
  holds(input.x > label.x + label.width / 2, 'the mark stands on the right');
});
