/** The code that the command line keeps compiled: by the built loader, beside a program of ours. */
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { cliPath } from '../support/builtCli';
import { tempDir } from '../support/tempDir';

const BUILT_AT = new Date('2026-01-02T03:04:05Z');
const OTHER_TIME = new Date('2026-01-02T03:04:06Z');

let folder: string;
let caches: string;

beforeEach(() => {
  folder = tempDir();
  caches = path.join(folder, 'caches');
  copyFileSync(cliPath, path.join(folder, 'cli.js'));
});

/** Programs of the same length: from their size alone nobody can tell one from the other. */
function writeProgram(word: 'one' | 'two', time = BUILT_AT): void {
  const file = path.join(folder, 'cliProgram.js');
  writeFileSync(file, `process.stdout.write('${word} ' + require('node:path').basename(__filename));`);
  utimesSync(file, time, time);
}

function run(env: NodeJS.ProcessEnv = {}): string {
  const options = {
    env: { PATH: process.env['PATH'], HOME: folder, XDG_CACHE_HOME: caches, ...env },
    encoding: 'utf8',
  } as const;
  return execFileSync(process.execPath, [path.join(folder, 'cli.js')], options);
}

function keptFiles(): string[] {
  const kept = path.join(caches, 'exec-sessions', 'code');
  return readdirSync(kept).map((name) => path.join(kept, name));
}

it('runs what was compiled the last time, which only the user can read', () => {
  writeProgram('one');
  const compiled = run();
  // Nothing but the text has changed, so that what is run tells where it comes from.
  writeProgram('two');

  expect([compiled, run()]).toEqual(['one cliProgram.js', 'one cliProgram.js']);
  expect(keptFiles()).toHaveLength(1);
  const [file] = keptFiles();
  expect([statSync(file!).mode & 0o777, statSync(path.dirname(file!)).mode & 0o777]).toEqual([0o600, 0o700]);
});

it('compiles another build anew', () => {
  writeProgram('one');
  run();
  writeProgram('two', OTHER_TIME);

  expect(run()).toBe('two cliProgram.js');
});

it('runs nothing that somebody else could have written', () => {
  writeProgram('one');
  run();
  for (const file of keptFiles()) chmodSync(file, 0o622);
  writeProgram('two');

  expect(run()).toBe('two cliProgram.js');
});

it('puts good code in place of what is damaged', () => {
  writeProgram('one');
  run();
  const [file] = keptFiles();
  const good = readFileSync(file!);
  writeFileSync(file!, good.subarray(0, good.length / 2));

  expect(run()).toBe('one cliProgram.js');
  expect(readFileSync(file!)).toHaveLength(good.length);
});

it('keeps the code of a few builds only', () => {
  for (let build = 1; build <= 8; build++) {
    writeProgram('one', new Date(build * 1_000));
    run();
  }

  expect(keptFiles()).toHaveLength(4);
});

it.each([
  ['where the user wants none kept', { NODE_DISABLE_COMPILE_CACHE: '1' }],
  ['where there is no place for it', { XDG_CACHE_HOME: '/dev/null/caches' }],
])('runs %s', (_case, env) => {
  writeProgram('one');
  run(env);
  writeProgram('two');

  expect(run(env)).toBe('two cliProgram.js');
});
