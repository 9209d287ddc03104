// The fault bench: the same failure at the same bank, met by payonce and by a shop that does what many do. The naive one
// is wrong on purpose, and only here.
import { randomBytes } from 'node:crypto';

// What goes wrong. `calls` are queued at the bank for the bench's orders only; `press` is done by the page to the first
// press: sent so many times at once, or its answer cut off. Failures in which a process dies are in `payonce drill`.
const faults = [
  { id: 'none', group: 'bank', en: 'Nothing', zh: '一切正常' },
  {
    id: 'lost', group: 'bank', en: 'The bank charges, and its answer is lost', zh: '银行已扣款，应答丢失',
    calls: [{ call: 'create', fault: 'drop_after' }],
  },
  {
    id: 'late', group: 'bank', en: 'The bank charges, and answers after 6 seconds', zh: '银行已扣款，6 秒后才应答',
    calls: [{ call: 'create', fault: 'late', delay_ms: 6000 }],
  },
  {
    id: 'acts-late', group: 'bank', en: 'The bank does nothing for 6 seconds, then charges', zh: '银行 6 秒后才扣款',
    calls: [{ call: 'create', fault: 'late_before', delay_ms: 6000 }],
  },
  {
    id: 'error', group: 'bank', en: 'The bank charges, and answers 500', zh: '银行已扣款，却返回 500',
    calls: [{ call: 'create', fault: 'answer_500_after' }],
  },
  {
    id: 'error-before', group: 'bank', en: 'The bank answers 500 and does not charge', zh: '银行返回 500，没有扣款',
    calls: [{ call: 'create', fault: 'answer_500_before' }],
  },
  {
    id: 'nonsense', group: 'bank', en: 'The bank charges, and answers nonsense', zh: '银行已扣款，应答是乱码',
    calls: [{ call: 'create', fault: 'nonsense' }],
  },
  {
    id: 'in-progress', group: 'bank', en: 'The bank charges, and says "in progress"', zh: '银行已扣款，却说“处理中”',
    calls: [{ call: 'create', fault: 'in_progress' }, { call: 'query', fault: 'in_progress', times: 2 }],
  },
  {
    id: 'silent', group: 'bank', en: 'Answer lost, no notice, and three questions unanswered',
    zh: '应答丢失、没有通知、三次查询无应答',
    calls: [
      { call: 'create', fault: 'drop_after' },
      { call: 'notice', fault: 'never', times: 5 },
      { call: 'query', fault: 'drop_before', times: 3 },
    ],
  },
  {
    id: 'unsent', group: 'bank', en: 'The request never reaches the bank', zh: '请求没有到达银行',
    calls: [{ call: 'create', fault: 'drop_before' }],
  },
  {
    id: 'declined', group: 'bank', en: 'The card is declined once', zh: '银行卡第一次被拒绝',
    calls: [{ call: 'create', fault: 'decline' }],
  },
  {
    id: 'turncoat', group: 'bank', en: 'Declined, and charged all the same', zh: '先拒绝，后来又扣款成功',
    calls: [{ call: 'create', fault: 'decline_then_succeed' }],
  },
  {
    id: 'cut', group: 'buyer', en: "The buyer's network is cut when the bank has charged", zh: '银行扣款后，买家断网',
    press: { cut: true },
  },
  {
    id: 'twice', group: 'buyer', en: 'A proxy sends the press twice', zh: '代理把请求发送了两次', press: { copies: 2 },
  },
  {
    id: 'devices', group: 'buyer', en: 'Twenty presses at the same moment', zh: '同一时刻提交二十次',
    press: { copies: 20 },
  },
  {
    id: 'early', group: 'notice', en: "The notice comes before the bank's answer", zh: '通知比应答先到',
    calls: [{ call: 'notice', fault: 'early', delay_ms: 1500 }],
  },
  {
    id: 'notices', group: 'notice', en: 'Ten copies of the notice at once', zh: '十份通知同时到达',
    calls: [{ call: 'notice', fault: 'ten_parallel' }],
  },
  {
    id: 'forged', group: 'notice', en: 'A notice with a wrong signature', zh: '通知签名错误',
    calls: [{ call: 'notice', fault: 'wrong_signature' }],
  },
];
// What many a shop waits for before it says that a payment failed.
const naivePatienceMs = 3000;

export class Bench {
  constructor({ books, payonce, bankUrl }) {
    Object.assign(this, { books, payonce, bankUrl, faults, naive: {} });
  }

  async bank(method, path, body) {
    const response = await fetch(this.bankUrl + path, { method, body: body && JSON.stringify(body) });
    return response.json();
  }

  // A run: an order for payonce and one for the naive shop, with the same failure waiting at the bank for both.
  async begin({ fault }, checkoutOf) {
    const order = this.books.placeOrder({ tea: 1 });
    const chosen = faults.find(({ id }) => id === fault) ?? faults[0];
    const naiveOrder = `${order.id}N`;
    this.naive[order.id] = { order: naiveOrder, amount: order.amount, effects: [] };
    for (const call of chosen.calls ?? []) {
      await this.bank('POST', '/faults', { order: naiveOrder, ...call });
      // Once more for payonce, which tries a kept connection that breaks again at once: its number makes that safe.
      const times = (call.times ?? 1) + (call.call === 'create' && call.fault.startsWith('drop') ? 1 : 0);
      await this.bank('POST', '/faults', { order: order.id, ...call, times });
    }
    return { id: order.id, amount: order.amount, checkout: await checkoutOf(order), press: chosen.press };
  }

  // Everything that the bench shows, as it stands now.
  async view(id) {
    const naive = this.naive[id];
    const [timeline, ledger, naiveLedger] = await Promise.all([
      this.payonce.timeline(id),
      this.bank('GET', `/ledger?order=${id}`),
      this.bank('GET', `/ledger?order=${naive.order}`),
    ]);
    return {
      timeline: timeline.map(({ at, type, evidence }) => ({ at, type, evidence })),
      charges: ledger.charges,
      effects: this.books.orders[id].done,
      refunds: ledger.refunds,
      naive: { effects: naive.effects, charges: naiveLedger.charges },
    };
  }

  // WRONG ON PURPOSE. A new number for every click, and whatever is not a quick yes is called a failure.
  async payNaively(id) {
    const naive = this.naive[id];
    const number = `naive_${randomBytes(8).toString('hex')}`;
    const charge = { number, order: naive.order, amount: naive.amount, currency: 'CNY', method: 'card' };
    let isPaid = false;
    try {
      const response = await fetch(`${this.bankUrl}/v1/charges`, {
        method: 'POST', body: JSON.stringify(charge), signal: AbortSignal.timeout(naivePatienceMs),
      });
      isPaid = response.ok && (await response.json()).status === 'succeeded';
    } catch {
      // "Something went wrong, so it failed."
    }
    if (isPaid) naive.effects.push({ name: 'ship', at: new Date().toISOString() });
    return { said: isPaid ? 'paid' : 'failed' };
  }
}
