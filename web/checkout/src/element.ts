// <payonce-checkout src="https://pay.example/checkout/TOKEN" lang="zh">: the whole checkout, drawn. What stands inside
// the tag is shown until the script runs, and a state that came with the page may stand in the attribute `state`.
// Dispatches "payonce-change" with the state; it tells nothing that a shop's back
// end should believe, only that it is time to look.
import { type Checkout, openCheckout, type Snapshot } from './checkout.js';
import { Countdown } from './countdown.js';
import type { CheckoutState, Payment, Text } from './state.js';
import { icons, style } from './style.js';
import { type Language, languageOf, money, texts } from './texts.js';

// A provider's address may lead to a page or into a wallet, never into this page.
const followable = /^(https?|weixin|alipays?|alipayqr):/i;

const skeleton = `
<div part="body">
<p class="order"></p><p class="amount" part="amount"></p>
<div class="status" role="status" part="status"><span class="icon"></span><div><p class="say"></p><p class="more"></p></div></div>
<form><fieldset><legend></legend></fieldset><button class="pay" part="button"></button></form>
<div class="act"><div class="scan"><p class="hint"></p><div class="code"></div></div>
<a class="button" part="button" rel="noreferrer"></a><p class="left small" role="timer" aria-live="off"></p></div>
<button class="plain" type="button"></button>
<a class="back" part="back"></a>
</div>`;

export class PayonceCheckout extends HTMLElement {
  static readonly observedAttributes = ['src', 'lang'];

  private readonly root = this.attachShadow({ mode: 'open' });
  private readonly countdown: Countdown;
  private checkout: Checkout | undefined;
  private chosen = '';
  private drawnMethods = '';
  private drawnAction = '';
  private followsOwnPress = false;
  // The payment from which the buyer has turned to look at the other ways.
  private turnedFrom = '';
  private leftText: Text = texts.left;
  // Attributes are told before that as well.
  private isDrawn = false;

  constructor() {
    super();
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(style);
    this.root.adoptedStyleSheets = [sheet];
    this.root.innerHTML = skeleton;
    this.countdown = new Countdown((time) => (this.find('.left').textContent = `${this.say(this.leftText)} ${time}`));
    this.root.addEventListener('submit', (event) => this.submit(event));
    this.root.addEventListener('change', () => {
      this.chosen = this.root.querySelector<HTMLInputElement>('input:checked')?.value ?? '';
    });
    this.find('button.plain').addEventListener('click', () => this.turn());
  }

  connectedCallback(): void {
    this.isDrawn = true;
    this.open();
  }

  disconnectedCallback(): void {
    this.isDrawn = false;
    this.checkout?.close();
    this.checkout = undefined;
    this.countdown.stop();
  }

  attributeChangedCallback(name: string): void {
    if (!this.isDrawn) return;
    if (name === 'src') this.open();
    else this.drawAnew();
  }

  private open(): void {
    this.checkout?.close();
    this.checkout = undefined;
    const src = this.getAttribute('src');
    if (!src) return;
    const initial = JSON.parse(this.getAttribute('state') ?? 'null') as CheckoutState | null;
    this.removeAttribute('state');
    this.checkout = openCheckout(new URL(src, document.baseURI).href, (snapshot) => this.draw(snapshot), initial);
    this.draw(this.checkout.snapshot);
  }

  private drawAnew(): void {
    this.drawnMethods = this.drawnAction = '';
    if (this.checkout) this.draw(this.checkout.snapshot);
  }

  private get language(): Language {
    return languageOf((this.closest('[lang]') as HTMLElement | null)?.lang || navigator.language);
  }

  // `method` stands where the text has a gap.
  private say(text: Text, method?: Text): string {
    return text[this.language].replace('{}', method?.[this.language] ?? '');
  }

  private find(selector: string): HTMLElement {
    return this.root.querySelector(selector)!;
  }

  private submit(event: Event): void {
    event.preventDefault();
    if (!this.checkout?.snapshot.mayPay || !this.chosen) return;
    this.followsOwnPress = true;
    void this.checkout.pay(this.chosen);
  }

  private turn(): void {
    const { snapshot } = this.checkout!;
    this.turnedFrom = this.turnedFrom ? '' : (snapshot.state?.payment?.id ?? '');
    this.draw(snapshot);
  }

  private draw(snapshot: Snapshot): void {
    const { state, gone, confirming } = snapshot;
    const isOpen = confirming || state?.situation === 'confirming';
    const situation =
      gone ? 'gone' : isOpen && state?.situation !== 'closing' ? 'confirming' : (state?.situation ?? 'loading');
    if (state?.payment?.id !== this.turnedFrom) this.turnedFrom = '';
    if (!confirming && situation !== 'confirming' && situation !== 'action') this.followsOwnPress = false;
    this.find('div').className = situation;
    this.drawAmount(state);
    this.drawStatus(snapshot, situation);
    this.drawMethods(state, snapshot.mayPay, situation);
    this.drawAction(state, situation);
    const back = this.find('.back') as HTMLAnchorElement;
    back.hidden = !state?.return_url || isOpen || situation === 'action' || situation === 'closing';
    if (state?.return_url && followable.test(state.return_url)) back.href = state.return_url;
    back.textContent = this.say(texts.back);
    if (state) this.dispatchEvent(new CustomEvent('payonce-change', { detail: state, bubbles: true, composed: true }));
  }

  private drawAmount(state: CheckoutState | null): void {
    this.find('.order').textContent = state ? `${this.say(texts.order)} ${state.order_id}` : '';
    this.find('.amount').textContent = state ? money(state.amount_text, state.currency, this.language) : '';
  }

  private drawStatus({ state, offline }: Snapshot, situation: string): void {
    let say = state?.message ?? texts.loading;
    if (situation === 'gone') say = texts.gone;
    if (situation === 'confirming' && state?.situation !== 'confirming') say = texts.confirming;
    let more = '';
    if (offline) more = this.say(texts.offline);
    else if (situation === 'confirming') more = this.say(texts.leave);
    else if (state?.refunded_text)
      more = `${this.say(texts.refunded)}: ${money(state.refunded_text, state.currency, this.language)}`;
    else if (situation === 'action' && this.turnedFrom) more = this.say(texts.instead);
    const waits = situation === 'confirming' || situation === 'closing' || situation === 'loading';
    const isGood = situation === 'paid' || situation === 'refunded';
    this.put('.icon', waits ? icons.wait : isGood ? icons.good : icons.info);
    // The invitation to choose needs no mark; news does.
    this.find('.status').classList.toggle('plain', situation === 'ready' && !state?.payment);
    this.write('.say', this.say(say));
    this.write('.more', more);
  }

  private drawMethods(state: CheckoutState | null, mayPay: boolean, situation: string): void {
    const form = this.find('form');
    // While a press is on its way the form stays, turned off, so that focus does not get lost.
    form.hidden = !state?.offer || situation === 'gone' || (state.situation === 'action' && !this.turnedFrom);
    if (form.hidden) return;
    const methods = state!.methods;
    const drawn = JSON.stringify([methods, this.language]);
    if (drawn !== this.drawnMethods) {
      this.drawnMethods = drawn;
      if (!methods.some((method) => method.id === this.chosen)) this.chosen = methods[0]?.id ?? '';
      const legend = this.find('legend');
      legend.textContent = this.say(texts.choose);
      this.find('fieldset').replaceChildren(legend, ...methods.map(({ id, name }) => this.methodLabel(id, this.say(name))));
    }
    this.find('fieldset').toggleAttribute('disabled', !mayPay);
    const button = this.find('.pay');
    button.setAttribute('aria-disabled', String(!mayPay));
    this.write('.pay', `${this.say(texts.pay)} ${money(state!.amount_text, state!.currency, this.language)}`);
  }

  private methodLabel(id: string, name: string): HTMLElement {
    const label = document.createElement('label');
    const input = document.createElement('input');
    Object.assign(input, { type: 'radio', name: 'method', value: id, checked: id === this.chosen });
    label.append(input, name);
    return label;
  }

  private drawAction(state: CheckoutState | null, situation: string): void {
    const payment = state?.payment;
    this.find('button.plain').hidden = situation !== 'action' || !state?.offer;
    if (payment)
      this.write('button.plain', this.turnedFrom ? this.say(texts.stay, payment.method) : this.say(texts.other));
    const isShown = payment !== undefined && ((situation === 'action' && !this.turnedFrom) || situation === 'closing');
    this.find('.act').hidden = !isShown;
    const drawn = isShown ? `${situation} ${payment.id}` : '';
    if (drawn === this.drawnAction) return;
    this.drawnAction = drawn;
    this.countdown.stop();
    if (!isShown) return;
    this.leftText = situation === 'closing' ? texts.until : texts.left;
    this.countdown.start(payment.expires_at!, state!.now);
    this.drawWay(payment, situation === 'action' && this.followsOwnPress);
    if (situation === 'action') this.followsOwnPress = false;
  }

  // The way to the provider: a code to scan, or a link that is followed at once after a press on this very page.
  private drawWay(payment: Payment, follows: boolean): void {
    const url = payment.action_url ?? '';
    const isCode = payment.action === 'qr';
    const link = this.find('a.button') as HTMLAnchorElement;
    this.find('.scan').hidden = !isCode;
    link.hidden = !followable.test(url);
    link.href = link.hidden ? '' : url;
    this.write('a.button', this.say(isCode ? texts.open : texts.go, payment.method));
    this.write('.hint', this.say(texts.scan, payment.method));
    if (isCode) void this.drawCode(url, this.say(texts.scan, payment.method));
    else if (follows && !link.hidden) location.assign(url);
  }

  private async drawCode(url: string, label: string): Promise<void> {
    const { qrSvg } = await import('./qr.js');
    this.find('.code').replaceChildren(qrSvg(url, label));
  }

  private put(selector: string, html: string): void {
    const element = this.find(selector);
    if (element.innerHTML !== html && element.dataset.html !== html) element.innerHTML = element.dataset.html = html;
  }

  // Only what changed: a live region is read out again at every change.
  private write(selector: string, text: string): void {
    const element = this.find(selector);
    if (element.textContent !== text) element.textContent = text;
  }
}

if (!customElements.get('payonce-checkout')) customElements.define('payonce-checkout', PayonceCheckout);
