// An order: the element pays it, and what follows appears as the shop's back end was told of it, not the browser.
import { api, clock, effectNames, element, find, money, say } from './texts.js';

const id = new URLSearchParams(location.search).get('id');
const steps = Object.entries(effectNames);

async function draw() {
  const order = await api('GET', `/api/order?id=${encodeURIComponent(id)}`);
  find('#lines').replaceChildren(...order.lines.map((line) =>
    element('div', { className: 'row' },
      element('span', { textContent: `${line.art} ${say(line.en, line.zh)} × ${line.count}` }),
      element('span', { textContent: money(line.amount * line.count) }))));
  find('#steps').replaceChildren(...steps.map(([name, text]) => {
    const done = order.done.find((one) => one.name === name);
    const points = done?.points ? ` (+${done.points})` : '';
    return element('li', { className: done ? 'done' : '', textContent: done ? `${text}${points} · ${clock(done.at)}` : text });
  }));
  return order.done.length < steps.length;
}

find('#number').textContent = id;
const { url } = await api('GET', `/api/checkout?id=${encodeURIComponent(id)}`);
find('payonce-checkout').setAttribute('src', url);
find('payonce-checkout').addEventListener('payonce-change', () => void draw());
for (let more = true; more; ) {
  more = await draw();
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
