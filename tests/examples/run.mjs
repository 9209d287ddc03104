// Usage: node run.mjs [regular expression for names]
import { runAll } from '../browser/check.mjs';
import { stopPostgres } from './postgres.mjs';
import './back_ends.mjs';
import './kit.mjs';

const fine = await runAll([{ tidy() {} }], process.argv[2] ?? '');
await stopPostgres();
process.exit(fine ? 0 : 1);
