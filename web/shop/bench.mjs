// The fault bench: the same failure at the same bank, met by payonce and by a shop that does what many do. The naive one
// is wrong on purpose, and only here.
import { randomBytes } from 'node:crypto';

// What goes wrong at the bank, in order; `calls` are queued for the bench's order only.
const faults = [
  { id: 'none', en: 'Nothing', zh: '一切正常', calls: [] },
  {
    id: 'lost', en: "The bank charges, and its answer is lost", zh: '银行已扣款，应答丢失',
    calls: [{ call: 'create', fault: 'drop_after' }],
  },
  {
    id: 'late', en: 'The bank charges, and answers after 6 seconds', zh: '银行已扣款，6 秒后才应答',
    calls: [{ call: 'create', fault: 'late', delay_ms: 6000 }],
  },
  {
    id: 'error', en: 'The bank charges, and answers 500', zh: '银行已扣款，却返回 500',
    calls: [{ call: 'create', fault: 'answer_500_after' }],
  },
  {
    id: 'nonsense', en: 'The bank charges, and answers nonsense', zh: '银行已扣款，应答是乱码',
    calls: [{ call: 'create', fault: 'nonsense' }],
  },
  {
    id: 'silent', en: 'Answer lost, no notice, and three questions unanswered', zh: '应答丢失、没有通知、三次查询无应答',
    calls: [
      { call: 'create', fault: 'drop_after' },
      { call: 'notice', fault: 'never', times: 5 },
      { call: 'query', fault: 'drop_before', times: 3 },
    ],
  },
  {
    id: 'unsent', en: 'The request never reaches the bank', zh: '请求没有到达银行',
    calls: [{ call: 'create', fault: 'drop_before' }],
  },
  {
    id: 'turncoat', en: 'Declined, and charged all the same', zh: '先拒绝，后来又扣款成功',
    calls: [{ call: 'create', fault: 'decline_then_succeed' }],
  },
  {
    id: 'notices', en: 'Ten copies of the notice at once', zh: '十份通知同时到达',
    calls: [{ call: 'notice', fault: 'ten_parallel' }],
  },
  {
    id: 'forged', en: 'A notice with a wrong signature', zh: '通知签名错误',
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
    this.naive[order.id] = { order: naiveOrder, amount: order.amount, said: [], effects: [] };
    for (const call of chosen.calls) {
      await this.bank('POST', '/faults', { order: naiveOrder, ...call });
      // Once more for payonce, which tries a kept connection that breaks again at once: its number makes that safe.
      const times = (call.times ?? 1) + (call.call === 'create' && call.fault.startsWith('drop') ? 1 : 0);
      await this.bank('POST', '/faults', { order: order.id, ...call, times });
    }
    return { id: order.id, checkout: await checkoutOf(order) };
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
      timeline: timeline.map(({ at, type, evidence, text }) => ({ at, type, evidence, text })),
      charges: ledger.charges,
      effects: this.books.orders[id].done,
      naive: { said: naive.said, effects: naive.effects, charges: naiveLedger.charges },
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
    naive.said.push(isPaid ? 'paid' : 'failed');
    if (isPaid) naive.effects.push({ name: 'ship', at: new Date().toISOString() });
    return { said: isPaid ? 'paid' : 'failed' };
  }
}
