import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { AGENT_PAGERS } from '../../../src/session/sessionEnvironment';
import { DEFAULT_TERMINAL_SIZE } from '../../../src/session/terminal/terminalSize';
import { startClient, type ToolClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';
import { until } from '../../support/until';

const LONG = { yield_time_ms: 60_000, max_output_tokens: 100_000 };
const COMMITS = 100;
/** How late a program may show a new size. */
const CHANGE_SEEN_MS = 2_000;
const hasProgram = (name: string): boolean => spawnSync(name, ['--version'], { stdio: 'ignore' }).error === undefined;
const hasGit = hasProgram('git');

const GIT_IDENTITY = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'A',
  GIT_COMMITTER_EMAIL: 'a@example.org',
  GIT_CONFIG_NOSYSTEM: '1',
};

interface Repository {
  readonly folder: string;
  readonly client: ToolClient;
}

/** A repository whose home has a git that would open a pager and an editor for anything. */
async function startInRepository(hostEnv: NodeJS.ProcessEnv = {}): Promise<Repository> {
  const folder = tempDir();
  const home = tempDir();
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...GIT_IDENTITY };
  writeFileSync(path.join(home, '.gitconfig'), '[core]\n\tpager = less -+F\n[init]\n\tdefaultBranch = main\n');
  const commits = Array.from({ length: COMMITS }, (_, index) => {
    const content = `line ${String(index)}\n`.repeat(index + 1);
    const message = `commit ${String(index + 1)}`;
    return [
      'commit refs/heads/main',
      `committer A <a@example.org> ${String(1_000_000_000 + index)} +0000`,
      `data ${String(message.length)}\n${message}`,
      `M 100644 inline file\ndata ${String(content.length)}\n${content}`,
    ].join('\n');
  });
  execFileSync('git', ['init', '-q', '-b', 'main'], { cwd: folder, env });
  execFileSync('git', ['fast-import', '--quiet'], { cwd: folder, env, input: commits.join('\n') });
  execFileSync('git', ['reset', '-q', '--hard'], { cwd: folder, env });
  const client = await startClient(createManager({ defaultCwd: () => folder, hostEnv: { ...env, ...hostEnv } }));
  return { folder, client };
}

describe.skipIf(!hasGit)('a command that would open a pager (skipped where git is not installed)', () => {
  it.each([
    ['git log', /^commit [0-9a-f]{40}/, /commit 1\n$/],
    ['git diff HEAD~50', /^diff --git/, /\+line 99\n$/],
    ['git show HEAD', /^commit /, /line 99\n$/],
    ['git --paginate log --oneline', /commit 100\n/, / commit 1\n$/],
    ['git branch --list', /^\* main\n$/, /main/],
    ['git help -a', /available/i, /\n$/],
    ['git -c core.pager="less -+F" log --format=%s', /^commit 100\n/, /\ncommit 1\n$/],
  ])('ends by itself, on a terminal and on pipes: %s', async (cmd, first, last) => {
    const { client } = await startInRepository();

    const replies = [await client.exec(cmd, LONG), await client.exec(cmd, { tty: false, ...LONG })];

    for (const { structured } of replies) {
      expect(structured).toMatchObject({ isRunning: false, exitCode: 0, isScreen: false });
      expect(structured.output).toMatch(first);
      expect(structured.output).toMatch(last);
    }
  });

  it('ends by itself also when the user prefers a pager, unless the call names one', async () => {
    const { client } = await startInRepository({ PAGER: 'less -+F', GIT_PAGER: 'less -+F' });

    const byDefault = await client.exec('git log --format=%s', LONG);
    const asked = await client.exec('git log --format=%s', { env: { GIT_PAGER: 'head -n 1' }, ...LONG });

    expect(byDefault.structured).toMatchObject({ exitCode: 0, output: expect.stringMatching(/\ncommit 1\n$/) });
    expect(asked.structured.output).toBe('commit 100\n');
  });
});

describe('manuals', () => {
  it.skipIf(!hasProgram('man')).each([['man man'], ['man ls | cat'], ['man no-such-page-anywhere']])(
    'are printed, or said to be missing, without a pager (skipped where man is not installed): %s',
    async (cmd) => {
      const client = await startClient();

      const replies = [await client.exec(cmd, LONG), await client.exec(cmd, { tty: false, ...LONG })];

      expect(replies.map(({ structured: { isRunning } }) => isRunning)).toEqual([false, false]);
    },
  );
});

describe('the variables that turn pagers off', () => {
  it('are each named in the documentation', () => {
    const readme = readFileSync('README.md', 'utf8');

    expect(Object.keys(AGENT_PAGERS).filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);
  });

  it('give way to what a call asks for', async () => {
    const client = await startClient();

    const { structured } = await client.exec('echo "$PAGER|$GIT_PAGER|$MANPAGER"', { env: { PAGER: 'more', MANPAGER: '' } });

    expect(structured.output).toBe('more|cat|\n');
  });
});

describe.skipIf(!hasGit)('a commit without a message (skipped where git is not installed)', () => {
  it.skipIf(!hasProgram('vi') || process.platform !== 'linux').each([
    ['no editor is named', {}],
    ['the editor is vi', { EDITOR: 'vi' }],
    ['git has an editor of its own', { GIT_EDITOR: 'vi', EDITOR: 'false' }],
  ])(
    'shows the editor that it opened when %s, which can be left again (skipped where vi is not installed)',
    async (_what, hostEnv) => {
      const { client, folder } = await startInRepository(hostEnv);

      const opened = await client.exec('git commit --allow-empty', LONG);
      const id = opened.structured.sessionId;
      const other = await client.exec('git status --short; echo free', LONG);
      const left = await client.write(id, '\u001b:q!\r', LONG);

      expect(opened.structured).toMatchObject({ isRunning: true, isScreen: true, waitingFor: 'screen' });
      expect(opened.structured.output).toContain('# Please enter the commit message');
      expect(opened.status).toContain('It waits for keys.');
      expect(other.structured.output).toMatch(/free\n$/);
      expect(left.structured).toMatchObject({ isRunning: false, exitCode: 1 });
      expect(left.structured.output).toContain('Aborting commit due to empty commit message');
      expect(execFileSync('git', ['rev-list', '--count', 'HEAD'], { cwd: folder, encoding: 'utf8' })).toBe('100\n');
    },
  );

  it.skipIf(!hasProgram('vi') || process.platform !== 'linux')(
    'can be written in the editor (skipped where vi is not installed)',
    async () => {
      const { client } = await startInRepository({ EDITOR: 'vi' });
      const { sessionId } = (await client.exec('git commit --allow-empty', LONG)).structured;

      await client.write(sessionId, 'iTyped by an agent\u001b', { yield_time_ms: 2_000 });
      const saved = await client.write(sessionId, ':wq\r', LONG);
      const log = await client.exec('git log -1 --format=%s');

      expect(saved.structured).toMatchObject({ exitCode: 0 });
      expect(log.structured.output).toBe('Typed by an agent\n');
    },
  );

  it.each([
    ['without a terminal', { tty: false }, {}],
    ['with an editor that fails', {}, { EDITOR: 'false' }],
    ['with an editor that is not there', {}, { EDITOR: 'no-such-editor-anywhere' }],
  ])('fails at once %s', async (_what, args, hostEnv) => {
    const { client } = await startInRepository(hostEnv);

    const { structured } = await client.exec('git commit --allow-empty', { ...args, ...LONG });

    expect(structured).toMatchObject({ isRunning: false, exitCode: 1, output: expect.stringMatching(/editor/i) });
  });
});

describe('the width of a terminal', () => {
  it('is what the documentation says, unless a call asks for another', async () => {
    const client = await startClient();
    const { cols, rows } = DEFAULT_TERMINAL_SIZE;

    const { structured } = await client.exec('stty size; tput cols');

    expect(structured.output).toBe(`${String(rows)} ${String(cols)}\n${String(cols)}\n`);
    expect(readFileSync('README.md', 'utf8')).toContain(`${String(cols)} columns by ${String(rows)} rows`);
  });

  it.skipIf(!hasProgram('watch'))(
    'that changes is seen by a program that draws again and again (skipped where watch is not installed)',
    async () => {
      const client = await startClient();
      const { sessionId } = (await client.exec('watch -t -n 0.2 tput cols', { yield_time_ms: 0 })).structured;
      const screenOf = async (): Promise<string> =>
        (await client.call('read_output', { session_id: sessionId, screen: true })).structured.output.trim();
      await until('it has drawn', async () => (await screenOf()) === '80');

      await client.call('resize_session', { session_id: sessionId, cols: 132, rows: 30 });

      await until('it has drawn for the new size', async () => (await screenOf()) === '132', CHANGE_SEEN_MS);
    },
  );

  it.each([20, 80, 132])('of %i columns breaks no line of the reply', async (cols) => {
    const client = await startClient();
    const line = `/a/${'long/'.repeat(58)}path`;
    const texts = ['x'.repeat(300), line, '漢字'.repeat(100), 'é'.repeat(300), `| ${'cell | '.repeat(40)}`];

    const replies = [];
    for (const text of texts) replies.push(await client.exec('printf "%s\\n" "$TEXT"', { env: { TEXT: text }, cols }));

    expect(replies.map(({ structured }) => structured.output)).toEqual(texts.map((text) => `${text}\n`));
  });

  it
    .runIf(process.platform === 'linux')
    .each([
      ['bash --norc --noprofile -i', (text: string) => `echo ${text}`],
      ['python3 -i', (text: string) => `print("${text}")`],
      ...(hasProgram('zsh') ? [['zsh -f -i', (text: string) => `echo ${text}`] as const] : []),
    ] as const)('does not break what is typed into %s either, at once or bit by bit', async (program, commandOf) => {
    const client = await startClient();
    const text = Array.from({ length: 60 }, (_, index) => `w${String(index)}`).join('-');
    const command = commandOf(text);
    const { sessionId } = (await client.exec(program, LONG)).structured;

    for (const chars of [`${command}\n`, ...(command.match(/.{1,30}/g) ?? []), '\n']) {
      await client.write(sessionId, chars, LONG);
    }
    const { structured } = await client.call('read_output', { session_id: sessionId });

    const lines = structured.output.split('\n').map((line) => line.replace(/^.*?[>#$%] (?=\w)/, ''));
    expect(lines.filter((line) => line.includes('w59'))).toEqual([command, text, command, text]);
  });
});
