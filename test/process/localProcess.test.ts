import { readdirSync, readlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { createNodePtySystem } from '../../src/process/nodePtySystem';
import { LocalBackend } from '../../src/process/localBackend';
import { type ObservedProcess, runProcess, type SpecOverrides, startFailure, TERMINAL } from '../support/runProcess';
import { tempDir } from '../support/tempDir';
import { until } from '../support/until';
import { describeAnyProgram, describePrograms } from './programs';

/** What the descriptors of this process point to. */
function ownDescriptors(): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)];
    } catch {
      // The descriptor of the listing itself.
      return [];
    }
  });
}

const kinds = [
  ['on a terminal', TERMINAL, new LocalBackend()],
  ["on a terminal of node-pty's", TERMINAL, new LocalBackend(createNodePtySystem)],
  ['on pipes', undefined, new LocalBackend()],
] as const;

describePrograms(() => new LocalBackend());

describe("on a terminal of node-pty's, a program", () => {
  const none = 'node-pty gives a terminal and nothing else';
  describeAnyProgram(TERMINAL, () => new LocalBackend(createNodePtySystem), {
    'gets the input given to it byte for byte, with the end after it': none,
    'may be given a script with every kind of quote': none,
    'may be given nothing, or more than the program reads': none,
  });
});

describe.each(kinds)('%s, a program', (_, terminal, backend) => {
  const run = (overrides: SpecOverrides): Promise<ObservedProcess> => runProcess({ terminal, ...overrides }, backend);

  test('leaves no descriptor behind', async () => {
    const warmUp = await run({});
    await warmUp.closed;
    const before = readdirSync('/proc/self/fd').length;

    for (let count = 0; count < 30; count++) {
      const ran = await run({ command: 'echo x' });
      await ran.closed;
    }

    await until('descriptors are closed', () => readdirSync('/proc/self/fd').length <= before);
  });

  test('does not inherit descriptors of its siblings', async () => {
    const before = ownDescriptors();
    await Promise.all(Array.from({ length: 5 }, () => run({ command: 'sleep 30' })));
    const ofSiblings = ownDescriptors().filter((target) => !before.includes(target));

    const ran = await run({ command: 'for fd in /proc/$$/fd/*; do readlink $fd; done' });
    await ran.exited;

    const inherited = ran.output().trim().split(/\s+/);
    expect(ofSiblings.length).toBeGreaterThan(0);
    expect(inherited.filter((target) => ofSiblings.includes(target))).toEqual([]);
  });
});

describe('on a terminal, a program', () => {
  test('that never reads costs no processor time while a write to it waits', async () => {
    const ran = await runProcess({ command: 'stty raw -echo; echo ready; exec sleep 30' });
    await until('it is ready', () => ran.output().includes('ready'));
    const before = process.cpuUsage();
    const startMs = performance.now();

    const write = ran.process.write(Buffer.alloc(1_000_000, 'x'));
    await until('half a second has passed', () => performance.now() - startMs > 500);
    const used = process.cpuUsage(before);
    await ran.process.terminate();

    expect(await write).toEqual({ kind: 'refused', reason: 'ended' });
    expect((used.user + used.system) / 1_000).toBeLessThan(250);
  });
});

test('a program can be told another name for itself, and gets the environment that a policy leaves', async () => {
  const backend = new LocalBackend(undefined, { PATH: process.env['PATH'], KEPT: 'kept', A_TOKEN: 'secret', LANG: 'C' });
  const envPolicy = { inherit: 'all', ignoreDefaultExcludes: false, exclude: [], set: {}, includeOnly: [] } as const;
  const argv = ['/bin/bash', '-c', 'echo $0 $KEPT $LANG "[$A_TOKEN]"'] as const;

  const ran = await runProcess({ argv, arg0: 'my-name', env: { LANG: 'C.UTF-8' }, envPolicy }, backend);
  await ran.closed;

  expect(ran.output().trim()).toBe('my-name kept C.UTF-8 []');
});

test('a file that cannot be executed after all is a failure to start, not an exit code', async () => {
  const file = path.join(tempDir(), 'program');
  writeFileSync(file, '\x7fELF but not really', { mode: 0o755 });

  const failure = await startFailure({ argv: [file] });

  expect(failure).toMatchObject({ kind: 'spawnFailed', message: expect.stringMatching(/could not be started.*ENOEXEC/) });
});

test('where no terminal can be had, the refusal says how to go on without one, and pipes still work', async () => {
  const backend = new LocalBackend(() => {
    throw new Error('no binary for this platform');
  });

  const failure = await startFailure({}, backend);
  const ran = await runProcess({ terminal: undefined, command: 'exit 5' }, backend);
  await ran.exited;

  expect(failure).toMatchObject({ kind: 'noTerminal', message: expect.stringContaining('(tty: false)') });
  expect(ran.events[0]).toBe('exit code 5');
});
