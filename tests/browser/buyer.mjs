// A buyer in a browser: opens checkouts, presses, and writes down every sentence that the page says.
import { chromium } from 'playwright-core';

const executablePath = process.env.CHROMIUM ?? '/usr/bin/chromium';
// The browser's own walls can't be built by root, as whom containers run tests.
const args = process.getuid() === 0 ? ['--no-sandbox'] : [];

export const launch = (more = []) => chromium.launch({ executablePath, args: [...args, ...more] });
// As with JavaScript turned off in its settings, <noscript> and all.
export const launchWithoutScripts = () => launch(['--blink-settings=scriptEnabled=false']);

// Words that must not be read while the outcome is open.
const failure = /fail|refus|declin|error|unsuccess|wrong|失败|拒绝|错误/i;

// In the page: what the live region says, from its first word on.
function record() {
  window.said = [];
  const look = () => {
    const root = document.querySelector('payonce-checkout')?.shadowRoot;
    const text = root?.querySelector('.say')?.textContent ?? '';
    const shown = root?.querySelector('[part=body]')?.className;
    if (text && window.said.at(-1)?.text !== text) window.said.push({ text, shown, at: Date.now() });
  };
  setInterval(look, 5);
}

export class Buyer {
  constructor(page) {
    this.page = page;
    this.foreign = [];
    this.complaints = [];
  }

  static async in(context, url) {
    const page = await context.newPage();
    const buyer = new Buyer(page);
    const home = new URL(url).origin;
    page.on('request', (request) => {
      if (!request.url().startsWith(home)) buyer.foreign.push(request.url());
    });
    page.on('pageerror', (error) => buyer.complaints.push(String(error)));
    page.on('console', (message) => {
      if (/Content.Security.Policy/i.test(message.text())) buyer.complaints.push(message.text());
    });
    await page.addInitScript(record);
    await page.goto(url);
    return buyer;
  }

  get payButton() {
    return this.page.locator('button.pay');
  }

  body(situation) {
    return this.page.locator(`[part=body].${situation}`);
  }

  async choose(name) {
    await this.page.getByLabel(name, { exact: true }).check();
  }

  async press(timeout = 20_000) {
    await this.page.locator('button.pay[aria-disabled=false]').click({ timeout });
  }

  // Waits until the page shows this.
  async sees(situation, timeout = 20_000) {
    await this.body(situation).waitFor({ timeout }).catch(async ({ message }) => {
      throw new Error(`${message}; it said ${JSON.stringify(await this.hears())}`);
    });
  }

  async hears() {
    return this.page.evaluate(() => window.said);
  }

  // Nothing that was said while the outcome was open sounds like a failure; and there was something said.
  async heardNoFailure() {
    const open = (await this.hears()).filter(({ shown }) => ['confirming', 'action', 'closing'].includes(shown));
    const bad = open.filter(({ text }) => failure.test(text));
    if (bad.length > 0) throw new Error(`said while open: ${JSON.stringify(bad)}`);
    return open;
  }
}
