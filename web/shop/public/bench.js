// Both sides of the bench, live.
import { api, clock, element, find, say } from './texts.js';

const words = {
  succeeded: ['charged', '已扣款'], pending: ['pending', '处理中'], declined: ['declined', '已拒绝'],
  requires_action: ['waits', '等待确认'], closed: ['closed', '已关闭'],
};
let run = null;

const faults = await api('GET', '/api/bench');
find('#fault').replaceChildren(...faults.map(({ id, en, zh }) => element('option', { value: id, textContent: say(en, zh) })));
find('#fault').value = 'lost';

function list(selector, lines) {
  find(selector).replaceChildren(...(lines.length > 0 ? lines
    : [element('li', { className: 'empty', textContent: say('None yet.', '暂无。') })]));
}

const entry = (at, text) => element('li', {}, element('time', { textContent: clock(at) }), text);

function count(selector, charges) {
  const charged = charges.filter(({ status }) => status === 'succeeded').length;
  find(selector).textContent = charged;
  find(selector).className = `count ${charged > 1 ? 'bad' : charged === 1 ? 'good' : ''}`;
  return charged;
}

function draw(view) {
  const charged = count('#charged', view.charges);
  list('#effects', view.effects.map(({ at, name }) => entry(at, name)));
  list('#timeline', view.timeline.map(({ at, type, text }) => entry(at, `${type}${text ? ` · ${text}` : ''}`)));
  const naiveCharged = count('#naive-charged', view.naive.charges);
  list('#naive-effects', view.naive.effects.map(({ at, name }) => entry(at, name)));
  list('#naive-rows', view.naive.charges.map(({ number, status }) =>
    element('li', { textContent: `${number} · ${say(...(words[status] ?? [status, status]))}` })));
  const last = view.naive.said.at(-1);
  find('#naive-said').className = last === 'failed' ? 'failed' : '';
  if (last) find('#naive-said').textContent = last === 'failed'
    ? say('Payment failed. Please try again.', '支付失败，请重试。') : say('Paid. Thank you!', '支付成功！');
  find('#naive-pay').hidden = last === 'paid';
  find('#verdict').textContent = naiveCharged > 1
    ? say(`The bank charged the naive shop's buyer ${naiveCharged} times, and payonce's ${charged === 1 ? 'once' : 'not yet'}.`,
        `没有保护的商城让买家付了 ${naiveCharged} 次，payonce ${charged === 1 ? '只扣了一次' : '尚未扣款'}。`)
    : '';
}

find('#begin').addEventListener('click', async () => {
  find('#begin').disabled = true;
  const begun = await api('POST', '/api/bench', { fault: find('#fault').value });
  find('#naive-said').textContent = '';
  find('#naive-pay').hidden = find('#sides').hidden = find('#begin').disabled = false;
  find('payonce-checkout').setAttribute('src', begun.checkout);
  run = begun.id;
});
find('#naive-pay').addEventListener('click', async () => {
  find('#naive-pay').disabled = true;
  find('#naive-said').className = '';
  find('#naive-said').textContent = say('One moment…', '请稍候…');
  await api('POST', '/api/bench/naive', { id: run });
  find('#naive-pay').disabled = false;
});

for (;;) {
  const shown = run;
  if (shown) {
    const view = await api('GET', `/api/bench/view?id=${shown}`).catch(() => null);
    if (view && shown === run) draw(view);
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
}
