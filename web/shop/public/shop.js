// Goods and cart. The cart is the browser's; prices are the shop's.
import { api, element, find, money, say } from './texts.js';

const goods = await api('GET', '/api/goods');
const cart = JSON.parse(localStorage.getItem('cart') ?? '{}');

function put(id, count) {
  cart[id] = Math.max(0, count);
  localStorage.setItem('cart', JSON.stringify(cart));
  draw();
}

function step(text, label, change) {
  const button = element('button', { type: 'button', className: 'quiet', textContent: text, onclick: change });
  button.setAttribute('aria-label', label);
  return button;
}

function line(good) {
  const name = say(good.en, good.zh);
  const count = cart[good.id];
  return element('div', { className: 'row' },
    element('span', { textContent: `${name} × ${count}` }),
    element('span', {},
      step('−', say(`One ${name} less`, `减少一件${name}`), () => put(good.id, count - 1)), ' ',
      step('+', say(`One ${name} more`, `增加一件${name}`), () => put(good.id, count + 1))));
}

function draw() {
  const chosen = goods.filter(({ id }) => cart[id] > 0);
  find('#cart').replaceChildren(...(chosen.length > 0 ? chosen.map(line)
    : [element('p', { className: 'empty', textContent: say('Nothing yet.', '还没有商品。') })]));
  find('#total').textContent = money(chosen.reduce((sum, { id, amount }) => sum + amount * cart[id], 0));
  find('#order').disabled = chosen.length === 0;
}

find('#goods').replaceChildren(...goods.map((good) => {
  const art = element('div', { className: 'art', textContent: good.art });
  art.setAttribute('aria-hidden', 'true');
  const name = say(good.en, good.zh);
  const add = element('button', { type: 'button', textContent: say('Add', '加入购物车') });
  add.onclick = () => put(good.id, (cart[good.id] ?? 0) + 1);
  add.setAttribute('aria-label', say(`Add ${name}`, `将${name}加入购物车`));
  return element('li', { className: 'card' }, art, element('h2', { textContent: name }),
    element('p', { className: 'price', textContent: money(good.amount) }), add);
}));
find('#order').addEventListener('click', async () => {
  find('#order').disabled = true;
  const { id } = await api('POST', '/api/orders', { items: cart });
  localStorage.removeItem('cart');
  location.assign(`/order?id=${id}`);
});
draw();
