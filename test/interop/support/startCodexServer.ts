import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { installCodex } from '../../bench/contestants/installCodex.mjs';
import { tempDir } from '../../support/tempDir';
import { until } from '../../support/until';

/** Variables with which codex finds nothing of the user. */
export function codexEnvironment(): NodeJS.ProcessEnv {
  const home = path.join(tempDir(), 'home');
  mkdirSync(home);
  return { PATH: process.env['PATH'], HOME: home, CODEX_HOME: home };
}

/** Starts the real `codex exec-server`, and returns its address. */
export async function startCodexServer(env: NodeJS.ProcessEnv = {}): Promise<string> {
  const program = await installCodex();
  const child: ChildProcess = spawn(program, ['exec-server', '--listen', 'ws://127.0.0.1:0'], {
    env: { ...codexEnvironment(), ...env },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  onTestFinished(() => void child.kill());
  let printed = '';
  child.stdout!.on('data', (chunk: Buffer) => (printed += chunk.toString('utf8')));
  return until('it prints its address', () => /^ws:\S+/m.exec(printed)?.[0]);
}
