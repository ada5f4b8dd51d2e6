import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { allowTools, callTool, closeTerminals, execCommand, focusSession, setRevealMode, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

const TIMEOUT_MS = 60_000;

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
  await allowTools(host);
  await closeTerminals(host);
});

afterAll(async () => {
  await host.stop();
});

afterEach(async () => {
  await setRevealMode(host, 'longRunning');
  await closeTerminals(host);
});

describe('when a tab appears', () => {
  it('leaves no tabs of thirty quick commands', async () => {
    const replies = await Promise.all(Array.from({ length: 30 }, (_, index) => execCommand(host, `echo ${index}`)));

    expect(replies.map(({ output }) => output)).toEqual(Array.from({ length: 30 }, (_, index) => `${index}\n`));
    expect(await terminalNames(host)).toEqual([]);
  });

  it('shows a command that takes longer, without moving the keyboard focus', async () => {
    await host.window.page.locator('.interactive-input-part .monaco-editor').first().click();
    const running = await execCommand(host, 'echo started; sleep 60', { yield_time_ms: 2_000 });
    await host.window.waitForTerminalText(/^started$/m);

    await host.window.page.keyboard.type('still here');

    await expect.poll(() => host.window.page.locator('.interactive-input-part').innerText()).toMatch(/still.here/);
    expect(running.isRunning).toBe(true);
    await host.window.page.keyboard.press('Control+a');
    await host.window.page.keyboard.press('Delete');
  });

  it('does not take the place of a terminal that a person may be typing in', async () => {
    await host.window.runCommand('Exec Sessions: New Shared Shell');
    await host.window.waitForTerminalText(/[$#]$/m);
    await host.window.typeInTerminal('echo one');
    await execCommand(host, 'sleep 60', { yield_time_ms: 2_000 });
    const names = await terminalNames(host);

    await host.window.page.keyboard.type(' two\n');

    await host.window.waitForTerminalText(/^one two$/m);
    expect(names).toEqual(['Shared bash', 'sleep 60']);
  });

  it('shows what was printed before the tab was opened', async () => {
    await setRevealMode(host, 'never');
    const { sessionId } = await execCommand(host, 'echo before; read -p "go? " x; echo after $x', { yield_time_ms: 1_500 });
    const before = await terminalNames(host);

    await focusSession(host, sessionId);
    await host.window.waitForTerminalText(/^before\ngo\?$/m);
    await host.window.typeInTerminal('yes\n');

    expect(before).toEqual([]);
    await host.window.waitForTerminalText(/^after yes\nexit code 0$/m);
  });

  it('needs nobody to look for a program to go on', async () => {
    await setRevealMode(host, 'never');
    const { sessionId, ...reply } = await execCommand(host, 'seq 1 200000; echo END', { max_output_tokens: 50 });

    expect(reply).toMatchObject({ exitCode: 0, isRunning: false });
    expect(reply.output.trimEnd().endsWith('200000\nEND')).toBe(true);
    await focusSession(host, sessionId);
    await host.window.waitForTerminalText(/200000\nEND\nexit code 0/);
  });

  it('keeps only some tabs of ended sessions', async () => {
    await setRevealMode(host, 'always');
    for (let count = 0; count < 8; count++) await execCommand(host, `echo ${count}; sleep 0.3`);

    await expect.poll(async () => (await terminalNames(host)).length, { timeout: 10_000 }).toBeLessThanOrEqual(6);
    await expect.poll(async () => (await terminalNames(host)).at(-1)).toBe('echo 7; sleep 0.3 (exit code 0)');
  });
});

describe('how a session ends', () => {
  it('ends with its tab, and the waiting call returns at once', async () => {
    const waiting = execCommand(host, 'echo here; sleep 60', { yield_time_ms: 60_000 });
    await host.window.waitForTerminalText(/^here$/m);
    const closedAt = Date.now();
    await host.window.runCommand('Terminal: Kill the Active Terminal Instance');
    const reply = await waiting;

    expect(reply).toMatchObject({ isRunning: false, endReason: 'tabClosed', output: 'here\n' });
    expect(reply.status).toMatch(/closed by the user/);
    expect(Date.now() - closedAt).toBeLessThan(5_000);
    expect(await terminalNames(host)).toEqual([]);
  });

  it('says how it ended, in the tab and in its name, and shows no notification', async () => {
    await setRevealMode(host, 'always');
    const running = await execCommand(host, 'sleep 60', { yield_time_ms: 500 });
    await execCommand(host, 'printf no-newline; exit 3', { yield_time_ms: 5_000 });
    await execCommand(host, 'kill -TERM $$');
    await callTool(host, 'terminate_session', { session_id: running.sessionId });

    await expect
      .poll(() => terminalNames(host))
      .toEqual([
        'sleep 60 (ended by the agent)',
        'printf no-newline; exit 3 (exit code 3)',
        'kill -TERM $$ (ended by signal SIGTERM)',
      ]);
    await focusByName('printf no-newline; exit 3 (exit code 3)');
    await host.window.waitForTerminalText(/^no-newline\nexit code 3$/m);
    await host.window.screenshot('ended-tabs');
    expect(await host.window.notifications()).toEqual([]);
  });
});

describe('what goes between the terminal and the program', () => {
  it('tells the program the size of the tab', async () => {
    const cmd = `trap 'echo "size $(stty size)"' WINCH; echo "size $(stty size)"; while sleep 0.1; do :; done`;
    await execCommand(host, cmd, { yield_time_ms: 2_000 });
    await host.window.waitForTerminalText(/^size \d+ \d+$/m);
    const small = await lastSize();

    await host.window.runCommand('View: Toggle Maximized Panel');
    await expect.poll(async () => (await lastSize())[0], { timeout: TIMEOUT_MS }).toBeGreaterThan(small[0]! + 5);
    const large = await lastSize();
    await host.window.screenshot('maximized-panel');
    await host.window.runCommand('View: Toggle Maximized Panel');

    expect(large[1]).toBeGreaterThan(20);
  });

  it('lets the terminal answer a question of the program once, and counts that as nobody typing', async () => {
    const cmd = `sleep 1.5; printf '\\033[c'; read -rs -d c -t 5 x; read -rs -t 1 -n 1 y; printf 'got %q, then %q\\n' "$x" "$y"`;
    const running = await execCommand(host, cmd, { yield_time_ms: 1_200 });
    await host.window.waitForTerminalText(/^got/m);
    const reply = await callTool(host, 'write_stdin', { session_id: running.sessionId, chars: '' });

    expect(reply.output).toMatch(/got \$'\\E\[\?[\d;]+', then ''/);
    expect(reply).toMatchObject({ typedByUserBytes: 0 });
  });

  it('types no second answer to what was asked before the tab was opened', async () => {
    await setRevealMode(host, 'never');
    const cmd = `stty -echo; printf 'asked\\033[c\\033[6n\\033[?2004$p\\033]11;?\\007\\n'; cat -v`;
    const { sessionId } = await execCommand(host, cmd, { yield_time_ms: 1_000 });

    await focusSession(host, sessionId);
    await host.window.waitForTerminalText(/^asked$/m);
    await host.window.typeInTerminal('plain\n');
    const [line] = await host.window.waitForTerminalText(/^.*plain$/m);

    expect(line.match(/\^\[(?:\]11|\[\?1;2c|\[2;1R|\[\?2004)/g)?.sort()).toEqual([
      '^[[2;1R',
      '^[[?1;2c',
      '^[[?2004',
      '^[]11',
    ]);
  });

  it('takes text that other extensions send to the terminal', async () => {
    await execCommand(host, 'cat');
    await expect.poll(() => terminalNames(host), { timeout: TIMEOUT_MS }).toEqual(['cat']);

    await host.evaluate(({ vscode }) => vscode.window.terminals[0]?.sendText('sent by an extension'));

    await host.window.waitForTerminalText(/^sent by an extension\nsent by an extension$/m);
  });

  it('draws the lines of a program without a terminal as lines', async () => {
    await execCommand(host, 'printf "one\\ntwo\\n"; sleep 60', { tty: false, yield_time_ms: 1_500 });

    await host.window.waitForTerminalText(/^one\ntwo$/m);
  });

  it('keeps its name whatever title the program sets', async () => {
    await execCommand(host, `printf '\\033]0;evil\\007\\033]2;evil\\007ok\\n'; sleep 60`, {
      yield_time_ms: 1_500,
      title: 'mine',
    });
    await host.window.waitForTerminalText(/^ok$/m);

    expect(await terminalNames(host)).toEqual(['mine']);
  });

  it('leaves the clipboard to the person, whatever the program sends', async () => {
    await host.window.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await host.window.page.evaluate(`navigator.clipboard.writeText('mine')`);

    await execCommand(host, `printf '\\033]52;c;ZXZpbA==\\007\\033]52;c;?\\007shown\\n'; cat -v`);
    await host.window.waitForTerminalText(/^shown$/m);
    await host.window.typeInTerminal('typed\n');
    await host.window.waitForTerminalText(/^typed\ntyped$/m);

    expect(await host.window.page.evaluate('navigator.clipboard.readText()')).toBe('mine');
  });

  it('logs no error when the tab is renamed, coloured and gets another icon', async () => {
    const errors: string[] = [];
    host.window.page.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text());
    });
    await execCommand(host, 'echo started; read x', { yield_time_ms: 1_500 });
    await host.window.waitForTerminalText(/^started$/m);

    await host.evaluate(({ vscode }) =>
      vscode.commands.executeCommand('workbench.action.terminal.renameWithArg', { name: 'renamed' }),
    );
    await host.window.runCommand('Terminal: Change Color...');
    await host.window.page.locator('.quick-input-list .monaco-list-row').nth(1).click();
    await host.window.runCommand('Terminal: Change Icon...');
    await host.window.page.locator('.icon-select-icons-container .icon-container').nth(2).click();
    await host.window.page.locator('.icon-select-box').waitFor({ state: 'detached' });
    await expect.poll(() => terminalNames(host)).toEqual(['renamed']);
    await host.window.screenshot('renamed-tab');
    await host.window.typeInTerminal('\n');
    await host.window.waitForTerminalText(/exit code 0/);

    expect(await terminalNames(host)).toEqual(['renamed']);
    expect(errors.filter((text) => /pty|terminal/i.test(text))).toEqual([]);
    expect(serverLogs()).not.toMatch(/Could not find pty/);
  });
});

async function focusByName(name: string): Promise<void> {
  await host.evaluate(
    ({ vscode }, wanted) => vscode.window.terminals.find((terminal) => terminal.name === wanted)?.show(),
    name,
  );
}

/** Rows and columns as the program in the active terminal has printed them last. */
async function lastSize(): Promise<number[]> {
  const sizes = [...(await host.window.terminalText()).matchAll(/^size (\d+) (\d+)$/gm)];
  return (sizes.at(-1) ?? []).slice(1).map(Number);
}

function serverLogs(): string {
  const folder = path.join(host.server.dataDir, 'user-data', 'logs');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.log'));
  return files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
}
