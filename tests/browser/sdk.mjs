// The package as it would be published: its size and its types; and the element on a shop's page, at another origin.
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { equal, holds, test } from './check.mjs';

const web = fileURLToPath(new URL('../../web/', import.meta.url));
const bytesMax = 8 * 1024;

// Without holding up the test beside this one, whose waiting would run out.
const run = promisify(execFile);

async function built() {
  const folder = mkdtempSync(join(tmpdir(), 'payonce-sdk-'));
  await run(process.execPath, [`${web}checkout/build.mjs`, folder]);
  return folder;
}

test('the TypeScript of web/ has no type errors', async () => {
  await run(process.execPath, [`${web}node_modules/typescript/bin/tsc`, '-p', web]).catch(({ stdout }) => {
    throw new Error(stdout);
  });
});

test('the SDK is small, has types and needs nothing', async () => {
  const folder = await built();
  const files = readdirSync(folder);
  // What an element costs a page that shows no code: all but the code of QR codes.
  const bytes = files.filter((name) => name.endsWith('.js') && !name.startsWith('qr-'))
    .reduce((sum, name) => sum + gzipSync(readFileSync(join(folder, name)), { level: 9 }).length, 0);
  holds(bytes < bytesMax, `${bytes} bytes compressed are less than ${bytesMax}`);
  for (const name of ['index.d.ts', 'element.d.ts']) holds(files.includes(name), `${name} is there`);
  const { dependencies = {} } = JSON.parse(readFileSync(`${web}checkout/package.json`, 'utf8'));
  equal(dependencies, {}, 'dependencies');
  rmSync(folder, { recursive: true });
});

test('the package as npm would publish it', async () => {
  const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts=false'],
    { cwd: `${web}checkout` });
  const [{ files }] = JSON.parse(stdout.replace(/^[^[]*/, ''));
  const names = files.map(({ path }) => path);
  for (const name of ['LICENSE', 'README.md', 'README.zh-CN.md', 'package.json', 'dist/index.js', 'dist/index.d.ts',
    'dist/element.js', 'dist/element.d.ts'])
    holds(names.includes(name), `${name} is in it`);
  equal(names.filter((name) => /^src|test|tsconfig|build\.mjs/.test(name)), [], 'what nobody needs');
});

test("the element on a shop's own page", async (world) => {
  const folder = await built();
  const order = world.newOrder();
  const url = await world.checkout(order);
  const policy = `default-src 'none'; script-src 'self'; connect-src ${world.service}`;
  const shop = createServer((request, response) => {
    if (request.url === '/') {
      response.writeHead(200, { 'Content-Type': 'text/html', 'Content-Security-Policy': policy });
      return response.end(`<!doctype html><html lang="zh"><title>shop</title>
        <script type="module" src="/element.js"></script><payonce-checkout src="${url}"></payonce-checkout>`);
    }
    response.writeHead(200, { 'Content-Type': 'text/javascript' });
    response.end(readFileSync(join(folder, request.url.slice(1))));
  });
  await new Promise((resolve) => shop.listen(0, '127.0.0.1', resolve));
  const page = await (await world.device()).newPage();
  const complaints = [];
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  await page.goto(`http://127.0.0.1:${shop.address().port}/`);
  await page.getByRole('button', { name: /^支付/ }).click();
  await page.getByText('支付成功').waitFor();
  equal((await world.ledger(order)).charged, 1, 'charges');
  equal(complaints.filter((text) => !text.includes('favicon')), [], 'complaints');
  await page.close();
  shop.close();
  rmSync(folder, { recursive: true });
});
