// Makes dist/: the modules, what they share, and the code of QR codes, which is loaded only when one is shown; and the types.
import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const published = here('dist');
const outdir = process.argv[2] ?? published;

// Files are named by what is in them: old ones would be published too.
if (outdir === published) rmSync(outdir, { recursive: true, force: true });
await build({
  entryPoints: [here('src/index.ts'), here('src/element.ts')],
  bundle: true,
  splitting: true,
  minify: true,
  format: 'esm',
  target: ['es2022', 'safari16.4'],
  charset: 'utf8',
  outdir,
});
const tsc = fileURLToPath(import.meta.resolve('typescript/bin/tsc'));
execFileSync(process.execPath, [tsc, '-p', here('tsconfig.json'), '--outDir', outdir], { stdio: 'inherit' });
