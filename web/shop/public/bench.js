// Both sides of the bench, live.
import { api, clock, effectNames, element, find, money, say } from './texts.js';

const groups = {
  bank: say('At the bank', '银行'),
  buyer: say('Between buyer and shop', '买家与商城之间'),
  notice: say("The bank's notice", '银行通知'),
};
const statuses = {
  succeeded: say('charged', '已扣款'), pending: say('pending', '处理中'), declined: say('declined', '已拒绝'),
  requires_action: say('waits for the buyer', '等待买家'), closed: say('closed', '已关闭'),
};
const events = {
  'order.registered': say('Order registered', '订单已登记'),
  'order.paid': say('Order paid', '订单已付清'),
  'payment.created': say('Payment begun, before the bank is called', '支付已记录，然后才请求银行'),
  'payment.processing': say('The bank is working on it', '银行处理中'),
  'payment.requires_action': say('Waits for the buyer', '等待买家操作'),
  'payment.unknown': say('Result unknown: nothing else is begun', '结果未知：不发起任何新的扣款'),
  'payment.succeeded': say('Charged', '扣款成功'),
  'payment.failed': say('Refused, with proof', '已拒绝（有凭据）'),
  'payment.cancel_requested': say('Being closed at the bank', '正在向银行关闭'),
  'payment.canceled': say('Closed, with proof', '已关闭（有凭据）'),
  'payment.released': say('Gave its place to another', '让位于另一笔支付'),
  'payment.surplus': say('Charged although paid already: goes back', '重复到账，将自动退回'),
  'payment.alarm': say('A person was called', '已通知人工'),
  'refund.created': say('Refund begun', '退款已发起'),
  'refund.succeeded': say('Given back', '已退回'),
};
const evidences = {
  response: say("the bank's answer", '银行应答'), query: say('asked the bank', '主动查询'),
  notice: say("the bank's notice", '银行通知'),
};
let run = null;
let trouble = null;

// What happens between the buyer and the shop happens here, to the first press; the element knows nothing of it.
const send = window.fetch.bind(window);
window.fetch = async (url, options) => {
  const happening = String(url).endsWith('/pay') ? trouble?.checkout : null;
  if (!happening) return send(url, options);
  trouble.checkout = null;
  const answers = await Promise.all(Array.from({ length: happening.copies ?? 1 }, () => send(url, options)));
  if (happening.cut) throw new TypeError('the connection is gone');
  return answers[0];
};

const faults = await api('GET', '/api/bench');
find('#fault').replaceChildren(...Object.entries(groups).map(([group, label]) =>
  element('optgroup', { label }, ...faults.filter((fault) => fault.group === group)
    .map(({ id, en, zh }) => element('option', { value: id, textContent: say(en, zh) })))));
find('#fault').value = 'lost';

// Only what is new, so that a list that somebody scrolls stays where it is.
function list(selector, lines) {
  const shown = lines.length > 0 ? lines : [element('li', { className: 'empty', textContent: say('None yet.', '暂无。') })];
  if (find(selector).innerHTML !== shown.map(({ outerHTML }) => outerHTML).join('')) find(selector).replaceChildren(...shown);
}

const entry = (at, text) => element('li', {}, element('time', { textContent: clock(at) }), text);
const rows = (charges) => charges.map(({ number, status }) =>
  element('li', {}, element('code', { textContent: `${number.slice(0, 6)}…${number.slice(-4)}` }), ` ${statuses[status] ?? status}`));

function count(selector, charges) {
  const charged = charges.filter(({ status }) => status === 'succeeded').length;
  find(selector).textContent = charged;
  find(selector).className = `count ${charged > 1 ? 'bad' : charged === 1 ? 'good' : ''}`;
  return charged;
}

function verdict(charged, naiveCharged, refunds) {
  if (naiveCharged < 2) return '';
  const back = refunds.length > 0 ? say(', and gave one back by itself', '，多收的一笔已自动退回') : '';
  const ours = charged === 0 ? say('not yet', '尚未扣款') : charged === 1 ? say('once', '只扣了一次') : `${charged}${back}`;
  return say(`The bank charged the naive shop's buyer ${naiveCharged} times, and payonce's ${ours}.`,
    `没有保护的商城让买家付了 ${naiveCharged} 次，payonce ${ours}。`);
}

function draw(view) {
  const charged = count('#charged', view.charges);
  list('#rows', rows(view.charges));
  list('#effects', view.effects.map(({ at, name }) => entry(at, effectNames[name])));
  list('#timeline', view.timeline.map(({ at, type, evidence }) =>
    entry(at, `${events[type] ?? type}${evidences[evidence] ? ` · ${evidences[evidence]}` : ''}`)));
  const naiveCharged = count('#naive-charged', view.naive.charges);
  list('#naive-effects', view.naive.effects.map(({ at, name }) => entry(at, effectNames[name])));
  list('#naive-rows', rows(view.naive.charges));
  find('#verdict').textContent = verdict(charged, naiveCharged, view.refunds);
}

function sayNaively(said) {
  find('#naive-said').className = said === 'failed' ? 'failed' : '';
  find('#naive-said').textContent = {
    nothing: '', asking: say('One moment…', '请稍候…'), paid: say('Paid. Thank you!', '支付成功！'),
    failed: say('Payment failed. Please try again.', '支付失败，请重试。'),
  }[said];
  find('#naive-pay').textContent = said === 'failed' ? say('Try again', '重试') : say('Pay', '支付');
  find('#naive-pay').hidden = said === 'paid';
  find('#naive-pay').disabled = said === 'asking';
}

find('#begin').addEventListener('click', async () => {
  find('#begin').disabled = true;
  const begun = await api('POST', '/api/bench', { fault: find('#fault').value });
  trouble = { checkout: begun.press, naive: begun.press };
  sayNaively('nothing');
  find('#naive-amount').textContent = money(begun.amount);
  find('#sides').hidden = find('#begin').disabled = false;
  find('payonce-checkout').setAttribute('src', begun.checkout);
  run = begun.id;
});
find('#naive-pay').addEventListener('click', async () => {
  const { copies = 1, cut } = trouble.naive ?? {};
  trouble.naive = null;
  sayNaively('asking');
  const answers = await Promise.all(Array.from({ length: copies }, () => api('POST', '/api/bench/naive', { id: run })));
  sayNaively(cut ? 'failed' : answers[0].said);
});

for (;;) {
  const shown = run;
  if (shown) {
    const view = await api('GET', `/api/bench/view?id=${shown}`).catch(() => null);
    if (view && shown === run) draw(view);
  }
  await new Promise((resolve) => setTimeout(resolve, 400));
}
