import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CanonicalLineSplitter } from '../../src/process/canonicalLines';
import { MAX_CANONICAL_BYTES, type TerminalMode } from '../../src/process/terminalMode';
import { runProcess } from '../support/runProcess';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';

const canonical: TerminalMode = { isCanonical: true, isEcho: true, endOfFileByte: 4, isReturnNewline: true };
const line = (length: number): Buffer => Buffer.alloc(length, 'A');

test.each([
  [5_000, '-echo'],
  [5_000, 'echo'],
  [100_000, '-echo'],
  [1_000_000, '-echo'],
])('a typed line of %i bytes reaches a program that reads lines whole (%s)', async (length, echo) => {
  const file = path.join(tempDir(), 'received');
  const ran = await runProcess({ command: `stty ${echo}; echo ready; cat > ${file}` });
  await until('it is ready', () => ran.output().includes('ready'));

  await ran.process.write(Buffer.concat([line(length), Buffer.from('\n')]));
  await ran.process.write(Buffer.from('\x04'));
  await ran.exited;

  expect(readFileSync(file, 'latin1')).toBe(`${'A'.repeat(length)}\n`);
});

test('a long line typed in several writes arrives whole too', async () => {
  const ran = await runProcess({ command: 'stty -echo; echo ready; read -r line; echo "got ${#line}"' });
  await until('it is ready', () => ran.output().includes('ready'));

  for (let count = 0; count < 5; count++) await ran.process.write(line(2_000));
  await ran.process.write(Buffer.from('\r'));
  await ran.exited;

  expect(ran.output()).toContain('got 10000');
});

test('a program that reads keys gets exactly the bytes that were written', async () => {
  const ran = await runProcess({ command: 'stty raw -echo; echo ready; head -c 9000 | tr -d A | od -c' });
  await until('it is ready', () => ran.output().includes('ready'));

  await ran.process.write(line(9_000));
  await ran.exited;

  expect(ran.output()).toMatch(/ready\s+0000000\s+$/);
});

test.each<[string, Buffer[], string[]]>([
  ['a line that just fits', [line(MAX_CANONICAL_BYTES), Buffer.from('\n')], ['4095A', '\n']],
  ['one byte more', [line(MAX_CANONICAL_BYTES + 1)], ['4095A^D1A']],
  ['the count goes on over writes', [line(4_000), line(200)], ['4000A', '95A^D105A']],
  ['a line end begins anew', [line(4_000), Buffer.from('\n'), line(4_000)], ['4000A', '\n', '4000A']],
  ['so does a carriage return', [line(4_000), Buffer.from('\r'), line(4_000)], ['4000A', '\r', '4000A']],
])('pieces: %s', (_, writes, expected) => {
  const splitter = new CanonicalLineSplitter();

  const sent = writes.map((bytes) => splitter.split(bytes, canonical).toString('latin1'));

  expect(sent.map((text) => text.replaceAll('\x04', '^D').replace(/A+/g, (run) => `${String(run.length)}A`))).toEqual(
    expected,
  );
});

test('nothing is added where the terminal is not read line by line, or its mode is unknown', () => {
  const splitter = new CanonicalLineSplitter();

  const sent = [{ ...canonical, isCanonical: false }, { ...canonical, endOfFileByte: undefined }, undefined].map((mode) =>
    splitter.split(line(9_000), mode),
  );

  expect(sent.map((bytes) => bytes.length)).toEqual([9_000, 9_000, 9_000]);
});
