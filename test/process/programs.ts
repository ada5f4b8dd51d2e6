/** What every backend does with a program, wherever that runs. Each test asks for the backend anew. */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import type { ExecBackend, TerminalSize } from '../../src/process/execProcess';
import { listProcesses } from '../../src/process/processMembers';
import { findSessionMembers } from '../support/sessionMembers';
import { type ObservedProcess, runProcess, type SpecOverrides, TERMINAL } from '../support/runProcess';
import { type Differences, testBut } from '../support/testBut';
import { until } from '../support/until';

export type GetBackend = () => ExecBackend | Promise<ExecBackend>;

export function describeAnyProgram(
  terminal: TerminalSize | undefined,
  getBackend: GetBackend,
  differences: Differences = {},
): void {
  const it = testBut(differences);
  const run = async (overrides: SpecOverrides): Promise<ObservedProcess> =>
    runProcess({ terminal, ...overrides }, await getBackend());

  for (const [command, end] of [
    ['exit 0', 'exit code 0'],
    ['exit 3', 'exit code 3'],
    ['exit 300', 'exit code 44'],
    ['exit 143', 'exit code 143'],
    ['kill -TERM $$', 'signal SIGTERM'],
    ['kill -9 $$', 'signal SIGKILL'],
  ] as const) {
    it(`that does "${command}" ends with ${end}`, async () => {
      const ran = await run({ command });
      await ran.closed;

      expect(ran.events).toEqual([end, 'closed']);
    });
  }

  it('has its events numbered without a gap, closed last', async () => {
    const ran = await run({ command: 'seq 1 20000; exit 2' });
    await ran.closed;

    expect(ran.sequence).toEqual(ran.sequence.map((_seq, index) => index + 1));
    expect(ran.events).toEqual(['exit code 2', 'closed']);
  });

  it('that prints and exits at once loses no byte', async () => {
    const sizes = [0, 1, 20_000, 1_000_000];
    const received: number[][] = [];
    for (let round = 0; round < 20; round++) {
      const runs = await Promise.all(
        sizes.map((size) => run({ command: `head -c ${String(size)} /dev/zero | tr '\\0' y` })),
      );
      await Promise.all(runs.map((run) => run.exited));
      received.push(runs.map((run) => run.outputBytes().length));
    }

    expect(received).toEqual(Array.from({ length: 20 }, () => sizes));
  });

  it('is reported as ended although a background child holds its output', async () => {
    const ran = await run({
      command: 'sh -c \'trap "" HUP; sleep 0.6; echo late\' & sleep 0.2; echo started',
    });
    await ran.exited;

    expect(ran.output().trim()).toBe('started');
    expect(ran.events).toEqual(['exit code 0', 'output held']);
  });

  it('that starts many children leaves none of them when it is terminated', async () => {
    const ran = await run({ command: "sleep 301 & sh -c 'sleep 301 & sleep 301'" });
    await until('all are running', async () => (await findSessionMembers(ran.process.pid)).length >= 4);

    const result = await ran.process.terminate();

    expect(result).toBe('ended');
    expect(await findSessionMembers(ran.process.pid)).toEqual([]);
  });

  it('is ended with what it has started in a session of its own', async () => {
    const ran = await run({ command: 'setsid sh -c "sleep 304 & sleep 304" & echo $!; sleep 304' });
    const strays = await until('all are running', async () => {
      const rows = await listProcesses();
      const found = rows.filter(({ name, sessionPid }) => name === 'sleep' && sessionPid === Number(ran.output().trim()));
      return found.length === 2 && found;
    });

    await ran.process.terminate();

    const living = (await listProcesses()).map(({ pid }) => pid);
    expect(strays.filter(({ pid }) => living.includes(pid))).toEqual([]);
  });

  it('that ignores every polite signal is killed after the grace', async () => {
    const ran = await run({ command: "trap '' TERM HUP INT; echo ready; while :; do sleep 1; done" });
    await until('it is ready', () => ran.output().includes('ready'));

    const result = await ran.process.terminate();

    expect({ result, events: ran.events[0] }).toEqual({ result: 'killed', events: 'signal SIGKILL' });
  });

  it('gets just the environment that was asked for', async () => {
    const ran = await run({ argv: ['/usr/bin/env'], env: { A: '1', UMLAUT: 'ä' } });
    await ran.exited;

    expect(ran.output().trim().split(/\r?\n/).sort()).toEqual(['A=1', 'UMLAUT=ä']);
  });

  it('ends as it wants to although it closes its descriptors before', async () => {
    const ran = await run({ command: 'trap "" HUP; exec 0<&- 1<&- 2<&-; sleep 0.2; exit 6' });
    const honest = await run({ command: 'exec 0<&- 1<&- 2<&-; sleep 0.2; exit 6' });
    await Promise.all([ran.closed, honest.closed]);

    expect([ran.events[0], honest.events[0]]).toEqual(['exit code 6', 'exit code 6']);
  });

  it('waits while its output is not read, and has lost nothing in the end', async () => {
    const command = 'for i in $(seq 20000); do echo "line $i"; done; echo finished >&2';
    const ran = await run({ command });
    ran.process.pauseOutput();
    await until('it is blocked', async () => {
      const before = ran.outputBytes().length;
      await delay(100);
      return ran.outputBytes().length === before;
    });
    const eventsWhilePaused = [...ran.events];

    ran.process.resumeOutput();
    await ran.closed;

    const lines = ran.output().replaceAll('\r', '').trimEnd().split('\n');
    expect([eventsWhilePaused, lines.length, lines.includes('line 20000'), ran.events]).toEqual([
      [],
      20_001,
      true,
      ['exit code 0', 'closed'],
    ]);
  });

  const script = Buffer.from(
    'import sys\nprint("quotes: \' ` $x \\\\", sys.stdin.isatty())\nprint(len(sys.stdin.read()))\n\x04\x03\0',
  );

  it('gets the input given to it byte for byte, with the end after it', async () => {
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_unused, index) => index % 256));
    const ran = await run({ command: 'sha256sum', stdin: bytes });
    await ran.exited;

    expect(ran.output()).toContain(createHash('sha256').update(bytes).digest('hex'));
  });

  it('may be given a script with every kind of quote', async () => {
    const ran = await run({ command: 'python3 -', stdin: script.subarray(0, -3) });
    await ran.exited;

    expect(ran.output().replaceAll('\r', '')).toBe("quotes: ' ` $x \\ False\n0\n");
  });

  it('may be given nothing, or more than the program reads', async () => {
    const empty = await run({ command: 'wc -c', stdin: Buffer.alloc(0) });
    const unread = await run({ command: 'head -c 3', stdin: Buffer.alloc(1_000_000, 'x') });
    await Promise.all([empty.exited, unread.exited]);

    expect([empty.output().trim(), unread.output(), unread.events[0]]).toEqual(['0', 'xxx', 'exit code 0']);
  });
}

export function describeTerminalProgram(getBackend: GetBackend, differences: Differences = {}): void {
  const it = testBut(differences);
  const run = async (overrides: SpecOverrides): Promise<ObservedProcess> => runProcess(overrides, await getBackend());

  it('has a controlling terminal of the size that was asked for, and of the new one after a resize', async () => {
    const ran = await run({ command: 'tty; stty size; read line; stty size', terminal: { cols: 123, rows: 45 } });
    await until('the size is printed', () => ran.output().includes('45 123'));

    ran.process.resize({ cols: 90, rows: 10 });
    await ran.process.write(Buffer.from('\n'));
    await ran.exited;

    expect(ran.output()).toMatch(/^\/dev\/pts\/\d+\r\n45 123\r\n\r\n10 90\r\n$/);
  });

  it('is interrupted by a signal to its group', async () => {
    const ran = await run({ command: 'trap "echo got INT; exit 9" INT; echo ready; while :; do sleep 0.05; done' });
    await until('it is ready', () => ran.output().includes('ready'));

    ran.process.signal('SIGINT');
    await ran.closed;

    expect([ran.output().includes('got INT'), ...ran.events]).toEqual([true, 'exit code 9', 'closed']);
  });

  it('takes writes whole and in order, however large, and none after its end', async () => {
    const ran = await run({ command: 'stty raw -echo; echo ready; head -c 300000 | sha256sum; exit 0' });
    await until('it is ready', () => ran.output().includes('ready'));
    const parts = ['a', 'b', 'c'].map((letter) => Buffer.alloc(100_000, letter));

    const results = await Promise.all(parts.map((part) => ran.process.write(part)));
    await ran.exited;

    const digest = createHash('sha256').update(Buffer.concat(parts)).digest('hex');
    expect(results).toEqual(parts.map(() => ({ kind: 'written' })));
    expect(ran.output()).toContain(digest);
    expect(await ran.process.write(Buffer.from('x'))).toEqual({ kind: 'refused', reason: 'ended' });
    ran.process.resize(TERMINAL);
  });

  it('with input given to it still has its terminal', async () => {
    const ran = await run({
      command: 'tty < /dev/tty; test -t 1 && echo out; test -t 0 || echo no in',
      stdin: Buffer.from('x'),
    });
    await ran.exited;

    expect(ran.output()).toMatch(/^\/dev\/tty\r\nout\r\nno in\r\n$/);
  });
}

export function describePipeProgram(getBackend: GetBackend, differences: Differences = {}): void {
  const it = testBut(differences);
  const run = async (overrides: SpecOverrides): Promise<ObservedProcess> =>
    runProcess({ terminal: undefined, ...overrides }, await getBackend());

  it('finds its input at the end at once, and takes no writes', async () => {
    const ran = await run({ command: 'cat; read line; echo "read: $?"' });
    await ran.closed;

    expect([ran.output(), ...ran.events]).toEqual(['read: 1\n', 'exit code 0', 'closed']);
    const waiting = await run({ command: 'sleep 30' });
    expect(await waiting.process.write(Buffer.from('x'))).toEqual({ kind: 'refused', reason: 'noInput' });
  });

  it('has what its background child prints later read too, before it is closed', async () => {
    const ran = await run({ command: '(sleep 0.2; echo late) & echo started' });
    await ran.exited;
    const atExit = ran.output();
    await ran.closed;

    expect([atExit, ran.output(), ...ran.events]).toEqual([
      'started\n',
      'started\nlate\n',
      'exit code 0',
      'output held',
      'closed',
    ]);
  });

  it('with an open input reads what is written, until the input is ended', async () => {
    const ran = await run({ stdin: 'open', command: 'cat; echo over' });
    const first = await ran.process.write(Buffer.from('one\n'));
    await until('it answers', () => ran.output() === 'one\n');

    ran.process.endInput();
    await ran.closed;

    expect([first, ran.output(), ran.events[0]]).toEqual([{ kind: 'written' }, 'one\nover\n', 'exit code 0']);
    expect(await ran.process.write(Buffer.from('x'))).toEqual({ kind: 'refused', reason: 'ended' });
  });
}

/** All of the above. */
export function describePrograms(
  getBackend: GetBackend,
  differences: { readonly terminal?: Differences; readonly pipes?: Differences } = {},
): void {
  describe('on a terminal, a program', () => {
    describeAnyProgram(TERMINAL, getBackend, differences.terminal);
    describeTerminalProgram(getBackend, differences.terminal);
  });

  describe('on pipes, a program', () => {
    describeAnyProgram(undefined, getBackend, differences.pipes);
    describePipeProgram(getBackend, differences.pipes);
  });
}
