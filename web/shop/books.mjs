// The shop's own database: one file of JSON, written whole. A real shop has a real one and does the same in SQL; see
// kit/. What matters here: an effect's id and what it does are stored together, or not at all.
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { randomBytes } from 'node:crypto';

const goods = [
  { id: 'tea', en: 'Longjing tea, 100 g', zh: '龙井茶 100 克', amount: 12800, art: '茶' },
  { id: 'cup', en: 'Porcelain cup', zh: '青瓷茶杯', amount: 6800, art: '杯' },
  { id: 'lamp', en: 'Paper lantern', zh: '纸灯笼', amount: 9900, art: '灯' },
  { id: 'fan', en: 'Folding fan', zh: '折扇', amount: 4500, art: '扇' },
];
const countMax = 99;

export class Books {
  constructor(path) {
    this.path = path;
    this.goods = goods;
    const stored = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { orders: {}, effects: {} };
    this.orders = stored.orders;
    this.effects = stored.effects;
  }

  save() {
    writeFileSync(`${this.path}.new`, JSON.stringify({ orders: this.orders, effects: this.effects }, null, 1));
    renameSync(`${this.path}.new`, this.path);
  }

  // Prices come from here, never from the browser. Null if nothing is ordered.
  placeOrder(items) {
    const lines = goods
      .map((good) => ({ ...good, count: Math.min(countMax, Math.max(0, Math.trunc(Number(items?.[good.id]) || 0))) }))
      .filter(({ count }) => count > 0);
    if (lines.length === 0) return null;
    const id = `D${Date.now().toString(36).toUpperCase()}${randomBytes(2).toString('hex').toUpperCase()}`;
    const amount = lines.reduce((sum, line) => sum + line.amount * line.count, 0);
    this.orders[id] = { id, lines, amount, currency: 'CNY', done: [] };
    this.save();
    return this.orders[id];
  }

  // Does what the effect asks for, unless it was done before. Answers whether it was done now.
  once(effect) {
    if (this.effects[effect.id]) return false;
    const at = new Date().toISOString();
    this.effects[effect.id] = at;
    const { effect: name, order_id: order, amount } = effect.data;
    this.orders[order]?.done.push({ name, at, ...(name === 'points' && { points: Math.floor(amount / 100) }) });
    this.save();
    return true;
  }
}
