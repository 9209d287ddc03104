// The one function: follows an order of a checkout and pays it, once, whatever happens to the page. The service has the
// last word: which payment a press begins is written in the offer it made, not here.
import { call, pauseMs, sleep } from './call.js';
import { isFresh, Memory, type Press } from './memory.js';
import { type CheckoutState, hasEnded } from './state.js';

const pollSeconds = 25;
// Beyond the wait that was asked for; the answer is lost then.
const pollTimeoutMs = 35_000;
const actTimeoutMs = 30_000;

export interface Snapshot {
  // The service's last word; null until the first.
  state: CheckoutState | null;
  // A press is on its way, from here or from another tab, and nobody knows yet what came of it.
  confirming: boolean;
  // The service did not answer the last time.
  offline: boolean;
  // The service does not know this address (any more).
  gone: boolean;
  // The buyer may press Pay now. While the buyer has to act on a payment (situation "action") that means: may pay in
  // another way instead; the first payment is closed before.
  mayPay: boolean;
}

export interface Checkout {
  readonly snapshot: Snapshot;
  // Does nothing unless snapshot.mayPay. Ends when the service has answered.
  pay(method: string): Promise<void>;
  // Asks the service to close the live payment at its provider.
  cancel(): Promise<void>;
  // Stops following; a press that is on its way goes on.
  close(): void;
}

class OpenCheckout implements Checkout {
  private state: CheckoutState | null = null;
  private offline = false;
  private gone = false;
  private inDoubt = false;
  private sending = false;
  private canceling = false;
  private asked = false;
  private closed = false;
  // Answers to presses so far: a poll that was asked before the last of them knows less than it.
  private acts = 0;
  private wakeUp = new AbortController();
  private readonly memory: Memory;
  private readonly never = new AbortController().signal;
  private readonly wake = () => this.wakeUp.abort();

  constructor(
    private readonly url: string,
    private readonly onChange: (snapshot: Snapshot) => void,
    initial: CheckoutState | null,
  ) {
    this.state = initial;
    this.memory = new Memory(url, () => this.hearNews());
    addEventListener('online', this.wake);
    addEventListener('pageshow', this.wake);
    document.addEventListener('visibilitychange', this.wake);
    void this.follow();
  }

  get snapshot(): Snapshot {
    const press = this.memory.press();
    const pressed = press !== null && press.offer === this.state?.offer;
    const confirming = this.sending || this.inDoubt || pressed;
    const mayPay = Boolean(this.state?.offer) && !confirming && this.asked && !this.offline && !this.gone && !this.canceling;
    return { state: this.state, confirming, offline: this.offline, gone: this.gone, mayPay };
  }

  async pay(method: string): Promise<void> {
    if (!this.snapshot.mayPay) return;
    const press = { offer: this.state!.offer!, method, at: Date.now() };
    this.memory.keep(press);
    await this.deliver(press);
  }

  async cancel(): Promise<void> {
    const payment = this.state?.payment;
    if (!payment || !this.state!.may_cancel || this.canceling) return;
    this.canceling = true;
    this.changed();
    const answer = await call(this.url + '/cancel', { payment_id: payment.id }, actTimeoutMs, this.never);
    this.canceling = false;
    this.acts++;
    if (answer.kind === 'state') this.adopt(answer.state);
    this.changed();
    this.wake();
  }

  close(): void {
    this.closed = true;
    removeEventListener('online', this.wake);
    removeEventListener('pageshow', this.wake);
    document.removeEventListener('visibilitychange', this.wake);
    this.memory.close();
    this.wake();
  }

  // Asks how the order stands until it has ended, and once more whenever the page comes back.
  private async follow(): Promise<void> {
    let failures = 0;
    while (!this.closed) {
      this.wakeUp = new AbortController();
      const woken = this.wakeUp.signal;
      const asked = this.state?.version;
      const acts = this.acts;
      // The first answer comes at once: nothing may be pressed on the word of a page that lay in a cache.
      const wait = this.asked && !failures ? pollSeconds : 0;
      const answer = await call(`${this.url}/state?wait=${wait}&seen=${asked ?? ''}`, null, pollTimeoutMs, woken);
      if ((answer.kind === 'none' && woken.aborted) || acts !== this.acts) continue;
      failures = answer.kind === 'none' ? failures + 1 : 0;
      this.asked ||= answer.kind !== 'none';
      this.offline = answer.kind === 'none';
      this.gone = answer.kind === 'refused';
      if (answer.kind === 'state') this.adopt(answer.state);
      this.changed();
      if (this.gone || (this.state && hasEnded(this.state) && !this.offline)) await sleep(2 ** 31 - 1, woken);
      // An unchanged answer that came at once (the service is being stopped) is not to be asked for in a rush.
      else await sleep(failures ? pauseMs(failures) : this.state?.version === asked ? 1000 : 0, woken);
    }
  }

  // Sends a press until the service has answered. To send it twice does no harm: it is the same payment.
  private async deliver(press: Press): Promise<void> {
    if (this.sending) return;
    this.sending = this.inDoubt = true;
    this.changed();
    await this.memory.alone(async () => {
      // Only now, so that no other tab takes it up before.
      this.memory.tell();
      let failures = 0;
      while (isFresh(press) && (!this.state || this.state.offer === press.offer)) {
        const { offer, method } = press;
        const answer = await call(this.url + '/pay', { offer, method }, actTimeoutMs, this.never);
        this.acts++;
        this.offline = answer.kind === 'none';
        if (answer.kind === 'state') this.adopt(answer.state);
        if (answer.kind !== 'none') break;
        this.changed();
        await this.nextChance(pauseMs(++failures));
      }
    });
    this.sending = false;
    this.memory.forget(press);
    this.changed();
    this.wake();
  }

  // The pause, or the moment at which the browser is back on the net.
  private async nextChance(ms: number): Promise<void> {
    const online = new AbortController();
    const back = () => online.abort();
    addEventListener('online', back);
    await sleep(ms, online.signal);
    removeEventListener('online', back);
  }

  private adopt(state: CheckoutState): void {
    const isNew = state.version !== this.state?.version;
    this.state = state;
    this.inDoubt = false;
    if (isNew) this.memory.tell();
    this.takeUp();
  }

  // A press of another tab, perhaps of one that crashed meanwhile, or of this one before a reload.
  private takeUp(): void {
    const press = this.memory.press();
    if (press && press.offer === this.state?.offer) void this.deliver(press);
  }

  private hearNews(): void {
    this.takeUp();
    this.changed();
    this.wake();
  }

  private changed(): void {
    if (!this.closed) this.onChange(this.snapshot);
  }
}

// `url` is the checkout's, as POST /v1/orders/{order_id}/checkout-tokens answered it. `onChange` is called whenever
// there is something new to show. `initial` is a state that came with the page; it is looked up all the same.
export function openCheckout(
  url: string,
  onChange: (snapshot: Snapshot) => void,
  initial: CheckoutState | null = null,
): Checkout {
  return new OpenCheckout(url.replace(/[?#].*$/, ''), onChange, initial);
}
