// A PostgreSQL for the examples that need one: a fresh cluster on a free port, for as long as the tests run.
import { execFileSync, spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../browser/servers.mjs';

const versions = '/usr/lib/postgresql';
export const hasPostgres = () => existsSync(versions) && readdirSync(versions).length > 0;

let running = null;

// user@host:port/database, for addresses of any kind.
export async function postgres() {
  running ??= start();
  return (await running).place;
}

export async function stopPostgres() {
  if (!running) return;
  const { child, folder } = await running;
  child.kill('SIGINT');
  await new Promise((resolve) => child.once('exit', resolve));
  rmSync(folder, { recursive: true });
}

async function start() {
  const programs = join(versions, readdirSync(versions).at(-1), 'bin');
  const folder = mkdtempSync(join(tmpdir(), 'payonce-examples-postgres-'));
  // It does not run as root.
  const isRoot = process.getuid() === 0;
  const id = (flag) => Number(execFileSync('id', [flag, 'postgres']));
  const user = isRoot ? { uid: id('-u'), gid: id('-g') } : {};
  if (isRoot) chownSync(folder, user.uid, user.gid);
  const data = join(folder, 'data');
  execFileSync(join(programs, 'initdb'), ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync'],
    { ...user, cwd: folder, stdio: 'ignore' });
  const port = await freePort();
  const child = spawn(join(programs, 'postgres'), ['-D', data, '-k', folder, '-p', String(port), '-c', 'fsync=off'],
    { ...user, cwd: folder, stdio: 'ignore' });
  const isReady = () => {
    try {
      execFileSync(join(programs, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  for (let i = 0; i < 200 && !isReady(); i += 1) await new Promise((resolve) => setTimeout(resolve, 100));
  return { child, folder, place: `postgres@127.0.0.1:${port}/postgres` };
}
