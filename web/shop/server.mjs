// The demo's shop: goods, a cart, orders and what follows from a payment. It knows payonce by its public interface only,
// as any shop would: it registers orders, makes checkout tokens and takes effects. Node 18, no packages.
// In: SHOP_PORT, SHOP_DATA (folder), PAYONCE_URL, PAYONCE_KEY, BANK_URL, EFFECT_SECRETS (separated by blanks).
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ForgedEffect, readEffect } from '../../kit/node/effects.mjs';
import { Bench } from './bench.mjs';
import { Books } from './books.mjs';
import { Payonce } from './payonce.mjs';

const environment = process.env;
const port = Number(environment.SHOP_PORT);
const here = `http://127.0.0.1:${port}`;
const books = new Books(join(environment.SHOP_DATA, 'shop.json'));
const payonce = new Payonce(environment.PAYONCE_URL, environment.PAYONCE_KEY);
const bench = new Bench({ books, payonce, bankUrl: environment.BANK_URL });
const secrets = environment.EFFECT_SECRETS.split(' ');

const types = { html: 'text/html', css: 'text/css', js: 'text/javascript' };
const pages = { '/': 'shop.html', '/order': 'order.html', '/bench': 'bench.html' };
const policy = [
  "default-src 'none'", `script-src 'self' ${payonce.url}`, "style-src 'self'", `connect-src 'self' ${payonce.url}`,
  "img-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
].join('; ');

function sendFile(response, name) {
  const text = readFileSync(fileURLToPath(new URL(`./public/${name}`, import.meta.url)), 'utf8');
  const type = types[name.split('.').pop()];
  response.writeHead(200, { 'Content-Type': `${type}; charset=utf-8`, 'Content-Security-Policy': policy });
  // Where the element comes from; the one thing that the pages have to be told.
  response.end(text.replaceAll('PAYONCE_URL', payonce.url));
}

function send(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' });
  response.end(JSON.stringify(body));
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

// The order and the address of its checkout. An order that exists gets another token, never another order.
async function checkoutOf(order) {
  await payonce.registerOrder(order.id, order.amount, order.currency);
  return payonce.checkoutUrl(order.id);
}

// What comes twice is answered like the first time and does nothing.
async function takeEffect(request, response) {
  let effect;
  try {
    effect = readEffect({ secrets, headers: request.headers, body: await readBody(request) });
  } catch (error) {
    if (!(error instanceof ForgedEffect)) throw error;
    return send(response, 401, { error: error.message });
  }
  const isNew = books.once(effect);
  console.error(`shop    ${effect.data.effect}: ${effect.id}${isNew ? '' : ' (known, nothing done)'}`);
  send(response, 200, {});
}

const routes = {
  'GET /api/goods': (_, response) => send(response, 200, books.goods),
  async 'POST /api/orders'(request, response) {
    const order = books.placeOrder(JSON.parse(await readBody(request)).items);
    if (!order) return send(response, 400, { error: 'There is nothing in the cart.' });
    send(response, 201, { id: order.id });
  },
  async 'GET /api/order'(_, response, query) {
    const order = books.orders[query.get('id')];
    if (!order) return send(response, 404, { error: 'There is no such order.' });
    send(response, 200, order);
  },
  // For payonce drill --shop.
  'GET /api/shipped': (_, response, query) =>
    send(response, 200, books.orders[query.get('id')]?.done.filter(({ name }) => name === 'ship').length ?? 0),
  async 'GET /api/checkout'(_, response, query) {
    const order = books.orders[query.get('id')];
    if (!order) return send(response, 404, { error: 'There is no such order.' });
    send(response, 200, { url: await checkoutOf(order) });
  },
  'GET /api/bench': (_, response) => send(response, 200, bench.faults),
  async 'POST /api/bench'(request, response) {
    send(response, 201, await bench.begin(JSON.parse(await readBody(request)), checkoutOf));
  },
  'GET /api/bench/view': async (_, response, query) => send(response, 200, await bench.view(query.get('id'))),
  async 'POST /api/bench/naive'(request, response) {
    send(response, 200, await bench.payNaively(JSON.parse(await readBody(request)).id));
  },
};

async function handle(request, response) {
  const { pathname, searchParams } = new URL(request.url, here);
  const route = routes[`${request.method} ${pathname}`];
  if (route) return route(request, response, searchParams);
  if (request.method === 'POST' && /^\/(ship|points|coupon)$/.test(pathname)) return takeEffect(request, response);
  if (request.method === 'GET' && pages[pathname]) return sendFile(response, pages[pathname]);
  if (request.method === 'GET' && /^\/[a-z]+\.(css|js)$/.test(pathname)) return sendFile(response, pathname.slice(1));
  send(response, 404, { error: 'There is no such page.' });
}

createServer((request, response) => {
  handle(request, response).catch((error) => {
    console.error(`shop    ${request.method} ${request.url}: ${error.message}`);
    if (!response.headersSent) send(response, 500, { error: 'Something is wrong at the shop. Please try again.' });
  });
}).listen(port, '127.0.0.1', () => console.log(`shop on ${here}`));
