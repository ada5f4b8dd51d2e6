import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { runCli } from '../../src/cli/runCli';
import { installCodex } from '../bench/contestants/installCodex.mjs';
import { GOLDEN_HOME, goldenFileName, rulesCases } from '../policy/support/golden';
import { expressionCases, mistakeCases, statementCases } from '../policy/support/languageCases';
import { tempDir } from '../support/tempDir';

/** Codex takes a moment to start. */
const AT_ONCE = 4;

interface Question {
  readonly rules: readonly string[];
  readonly command: readonly string[];
  readonly resolveHostExecutables?: boolean;
}

interface Answer {
  readonly exitCode: number | null;
  /** What it prints, as JSON, or nothing if it fails. */
  readonly result: unknown;
  /** The place of the error, if Codex tells it. */
  readonly place?: string | undefined;
}

let codex: string;
let home: string;

beforeEach(async () => {
  codex = await installCodex();
  home = tempDir();
  vi.stubEnv('HOME', home);
  return () => vi.unstubAllEnvs();
});

function ask({ rules, command, resolveHostExecutables = false }: Question): { args: string[]; cwd: string } {
  const cwd = tempDir();
  const inHome = (value: string): string => value.replaceAll(GOLDEN_HOME, home);
  const files = rules.map((rulesText, place) => {
    const file = path.join(cwd, goldenFileName(place));
    writeFileSync(file, inHome(rulesText));
    return file;
  });
  const options = files.flatMap((file) => ['--rules', file]);
  if (resolveHostExecutables) options.push('--resolve-host-executables');
  return { cwd, args: [...options, '--', ...command.map(inHome)] };
}

async function answerOfCodex({ args, cwd }: ReturnType<typeof ask>): Promise<Answer> {
  const codexHome = path.join(home, '.codex');
  mkdirSync(codexHome, { recursive: true });
  const env = { PATH: process.env['PATH'], HOME: home, CODEX_HOME: codexHome };
  const child = spawn(codex, ['execpolicy', 'check', ...args], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exit = new Promise<number | null>((resolve) => child.on('close', resolve));
  const [stdout, stderr, exitCode] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  const place = /--> .*?(?<place>r\d\.rules:\d+:\d+)/.exec(stderr)?.groups?.['place'];
  return { exitCode, result: exitCode === 0 ? JSON.parse(stdout) : undefined, place };
}

async function answerOfOurs({ args }: ReturnType<typeof ask>): Promise<Answer> {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exitCode = await runCli(['policy', 'check', ...args], { stdin, stdout, stderr });
  if (exitCode !== 0) {
    const place = /(?<place>r\d\.rules:\d+:\d+)/.exec(String(stderr.read()))?.groups?.['place'];
    return { exitCode, result: undefined, place };
  }
  const { verdict, ...result } = JSON.parse(String(stdout.read()));
  expect(verdict).toHaveProperty('decision');
  return { exitCode, result };
}

/** The questions that the two answer differently. */
async function differences(questions: readonly Question[]): Promise<object[]> {
  const left = [...questions];
  const different: object[] = [];
  const work = async (): Promise<void> => {
    for (let question = left.shift(); question !== undefined; question = left.shift()) {
      const asked = ask(question);
      const [theirs, ours] = [await answerOfCodex(asked), await answerOfOurs(asked)];
      const samePlace = theirs.place === undefined || theirs.place === ours.place;
      const same = JSON.stringify([theirs.exitCode, theirs.result]) === JSON.stringify([ours.exitCode, ours.result]);
      if (!same || !samePlace) different.push({ question, theirs, ours });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return different;
}

/** Its first tab is at the beginning of a line: Codex names the end of the line before. */
const TAB_CASE = 239;

describe('the check of rules', () => {
  it('prints what the one of Codex prints, and fails where it fails', async () => {
    expect(await differences(rulesCases.filter(({ id }) => id !== TAB_CASE))).toEqual([]);
  });

  it('understands the language of the rules as Codex does', async () => {
    const valued = [
      ...expressionCases.map(([expression]) => `x = ${expression}`),
      ...statementCases.map(([lines]) => lines),
    ];
    const files = valued.map((lines) => `${lines}\nprefix_rule(["ls"], justification = str(x))`);

    expect(
      await differences(
        [...files, ...mistakeCases.map(([lines]) => lines)].map((file) => ({ rules: [file], command: ['ls'] })),
      ),
    ).toEqual([]);
  });
});
