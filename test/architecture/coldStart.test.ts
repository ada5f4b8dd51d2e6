import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '..', '..');

/** The packages and modules of Node that are loaded together with the file `entryPoint`. */
async function loadedWith(entryPoint: string): Promise<string[]> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/cliProgram.ts'],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    packages: 'external',
    metafile: true,
    write: false,
    outdir: 'unwritten',
  });
  const loaded = (output: string): string[] =>
    metafile.outputs[output]!.imports.filter(({ kind }) => kind === 'import-statement').flatMap(({ path, external }) =>
      external === true ? [path] : loaded(path),
    );
  const [output] = Object.entries(metafile.outputs).find(([, { entryPoint: from }]) => from === entryPoint)!;
  return loaded(output);
}

it('loads no package before the command line knows that it has to serve by itself', async () => {
  const loaded = await loadedWith('src/cliProgram.ts');

  expect(loaded).toContain('node:net');
  expect(loaded.filter((name) => !name.startsWith('node:'))).toEqual([]);
});

it('loads nothing that leads to other machines for a client that runs everything on this one', async () => {
  const loaded = await loadedWith('src/cli/serveStdio.ts');

  expect(loaded).toContain('zod');
  expect(loaded).not.toContain('ws');
});

it('loads what sends HTTP requests when the first one is to be sent', async () => {
  const loaded = await loadedWith('src/cli/runExecServer.ts');

  expect(loaded).toContain('ws');
  expect(loaded).not.toContain('undici');
});
