// What the peers' tests share: a sandbox of their own, a merchant that takes its notices, and the count at the end.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const fs = require('node:fs');
const http = require('node:http');
const os = require('node:os');
const path = require('node:path');

const tests = [];
const ends = [];

// What is to be done when all tests are over.
function after(end) {
  ends.push(end);
}

// The test gets the world that main() made.
function test(name, run) {
  tests.push({ name, run });
}

// Takes whatever is posted to it, raw, and answers as the test says.
class Merchant {
  constructor() {
    this.notices = [];
    this.answer = () => ({ status: 200, body: '' });
    this.server = http.createServer((request, response) => {
      const parts = [];
      request.on('data', (part) => parts.push(part));
      request.on('end', () => {
        const notice = { path: request.url, headers: request.headers, body: Buffer.concat(parts).toString('utf8') };
        this.notices.push(notice);
        const { status, body } = this.answer(notice);
        response.writeHead(status).end(body);
      });
    });
  }
  async listen() {
    await new Promise((done) => this.server.listen(0, '127.0.0.1', done));
    this.url = `http://127.0.0.1:${this.server.address().port}`;
  }
  // The first notice that fits; fails after ten seconds.
  async notice(fits) {
    for (let i = 0; i < 1000; ++i) {
      const found = this.notices.find(fits);
      if (found) return found;
      await new Promise((done) => setTimeout(done, 10));
    }
    throw new Error(`no such notice among ${this.notices.length}`);
  }
}

class Sandbox {
  constructor(folder) {
    this.keys = path.join(folder, 'keys');
    this.journal = path.join(folder, 'sandbox.journal');
  }
  async start(options) {
    const program = process.env.PAYONCE || 'build/release/payonce';
    const all = ['sandbox', '--port', '0', '--data', this.journal, '--keys', this.keys, ...options];
    this.process = spawn(program, all, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.url = await new Promise((done, failed) => {
      this.process.on('exit', (code) => failed(new Error(`the sandbox ended with ${code}`)));
      this.process.stdout.on('data', (text) => {
        const found = /on (http:\S+)/.exec(text);
        if (found) done(found[1]);
      });
    });
    this.port = Number(new URL(this.url).port);
  }
  stop() {
    this.process.removeAllListeners('exit');
    this.process.kill();
  }
  key(file) {
    return fs.readFileSync(path.join(this.keys, file), 'utf8');
  }
  settings(provider) {
    return JSON.parse(this.key(`${provider}/settings.json`));
  }
  async ask(method, target, body) {
    const answer = await fetch(this.url + target, {
      method, redirect: 'manual', body: body === undefined ? undefined : JSON.stringify(body),
    });
    assert.ok(answer.status < 400, `${method} ${target}: ${answer.status}`);
    return answer.status === 200 ? answer.text() : '';
  }
  fault(call, fault, more = {}) {
    return this.ask('POST', '/faults', { call, fault, ...more });
  }
  // What really moved for an order: {charged, charged_minor, refunded_minor}.
  async sums(order) {
    return JSON.parse(await this.ask('GET', `/ledger?order=${order}`)).by_order[order];
  }
}

// Runs all tests one after the other; the last line says how many passed.
async function main(options) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'payonce-peers-'));
  const merchant = new Merchant();
  const sandbox = new Sandbox(folder);
  let failed = 0;
  try {
    await merchant.listen();
    await sandbox.start(options(merchant));
    for (const { name, run } of tests) {
      try {
        await run({ sandbox, merchant });
      } catch (error) {
        ++failed;
        console.log(`FAILED ${name}\n${error.stack}`);
      }
    }
  } finally {
    for (const end of ends) end();
    if (sandbox.process) sandbox.stop();
    merchant.server.close();
    merchant.server.closeAllConnections();
    fs.rmSync(folder, { recursive: true, force: true });
  }
  console.log(`${tests.length - failed} passed, ${failed} failed`);
  process.exitCode = failed === 0 ? 0 : 1;
}

module.exports = { after, assert, main, test };
