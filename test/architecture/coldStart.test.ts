import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

it('loads no package before the command line knows that it has to serve by itself', async () => {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cli.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
    outdir: 'unwritten',
  });
  const loadedWith = (output: string): string[] =>
    metafile.outputs[output]!.imports.filter(({ kind }) => kind === 'import-statement').flatMap(({ path, external }) =>
      external === true ? [path] : loadedWith(path),
    );

  const loaded = loadedWith('unwritten/cli.js');

  expect(loaded).toContain('node:net');
  expect(loaded.filter((name) => !name.startsWith('node:'))).toEqual([]);
});
