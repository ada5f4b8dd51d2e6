import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { allowTools, callTool, closeTerminals, execCommand, setRevealMode, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

/** Typed where the terminal shows nothing, and in a form that nothing else would print. */
const CANARY = 'cAnary-51d0c2';
const TIMEOUT_MS = 60_000;
const ASKED = /asks for input that it does not show, such as a password/;

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

describe('a password', () => {
  it('is asked of the user once, refused from the agent, and known to nobody but the program', async () => {
    await host.window.page.locator('.interactive-input-part .monaco-editor').first().click();
    const asked = await execCommand(host, `read -s -p 'Password: ' x; echo "got \${#x}"; read -p 'More? ' y`);
    const id = asked.sessionId;
    await host.window.waitForTerminalText(/^Password:$/m);
    await expect.poll(() => questions()).toHaveLength(1);
    await host.window.page.keyboard.type('focus stays');
    await expect.poll(() => host.window.page.locator('.interactive-input-part').innerText()).toMatch(/focus.stays/);
    await host.window.screenshot('password-asked');
    const refused = callTool(host, 'write_stdin', { session_id: id, chars: 'guess\n' });
    await expect(refused).rejects.toThrow(
      /Nothing was sent: .* Only the user types that, into its terminal, as the window tells them/,
    );

    const polled = callTool(host, 'write_stdin', { session_id: id, chars: '', yield_time_ms: TIMEOUT_MS });
    await host.window.page.getByRole('button', { name: 'Show Terminal' }).click();
    await expect.poll(() => hasTerminalFocus(), { timeout: TIMEOUT_MS }).toBe(true);
    await host.window.page.keyboard.type(`${CANARY}\n`);
    const reply = await polled;

    expect(asked).toMatchObject({ output: 'Password: ', waitingFor: 'hidden', isRunning: true });
    expect(reply).toMatchObject({ waitingFor: 'input', isHiddenTypedByUser: true, typedByUserBytes: 0 });
    expect(reply.output).toContain(`got ${CANARY.length}\nMore? `);
    expect(reply.status).toContain('The user typed hidden input into it meanwhile.');
    expect(await questions()).toEqual([]);
    const shown = [
      await host.window.terminalText(),
      await callTool(host, 'read_output', { session_id: id }),
      await callTool(host, 'read_output', { session_id: id, screen: true }),
      await callTool(host, 'list_sessions', {}),
      host.model.requests,
    ];
    expect(JSON.stringify([asked, reply, ...shown])).not.toContain(CANARY);
    expect(filesWith(CANARY)).toEqual([]);
    await host.window.screenshot('password-typed');
    await host.window.page.keyboard.press('Control+c');
    await callTool(host, 'write_stdin', { session_id: id, chars: '', yield_time_ms: TIMEOUT_MS });
  });

  it('is asked for without a tab where tabs are never shown', async () => {
    await setRevealMode(host, 'never');
    const { sessionId } = await execCommand(host, 'read -s x; echo "got ${#x}"');
    await expect.poll(() => questions()).toHaveLength(1);
    const before = await terminalNames(host);

    await host.window.page.getByRole('button', { name: 'Show Terminal' }).click();
    await expect.poll(() => hasTerminalFocus(), { timeout: TIMEOUT_MS }).toBe(true);
    await host.window.page.keyboard.type('abc\n');

    await host.window.waitForTerminalText(/^got 3$/m);
    expect(before).toEqual([]);
    expect(await callTool(host, 'write_stdin', { session_id: sessionId, chars: '' })).toMatchObject({ exitCode: 0 });
  });
});

describe('a session that the user takes over', () => {
  it('is theirs alone until they give it back, and then the agent learns what they did', async () => {
    const shell = await execCommand(host, 'exec bash --norc -i', { title: 'deploy' });
    const id = shell.sessionId;
    await host.window.waitForTerminalText(/[$#]$/m);

    await host.window.runCommand('Exec Sessions: Take Over Session');
    await expect.poll(() => terminalNames(host), { timeout: TIMEOUT_MS }).toEqual(['deploy (held by you)']);
    for (const [tool, input] of [
      ['write_stdin', { chars: 'echo agent\n' }],
      ['terminate_session', {}],
    ] as const) {
      await expect(callTool(host, tool, { session_id: id, ...input })).rejects.toThrow(/the user has taken over session/);
    }
    const polled = callTool(host, 'write_stdin', { session_id: id, chars: '', yield_time_ms: TIMEOUT_MS });
    await expect.poll(() => hasTerminalFocus(), { timeout: TIMEOUT_MS }).toBe(true);
    await host.window.page.keyboard.type('cd /tmp; X=by-hand\n');
    await host.window.waitForTerminalText(/^.*X=by-hand\n.*[$#]$/m);
    await host.window.screenshot('taken-over');
    await host.window.runCommand('Exec Sessions: Give Back Session');
    const reply = await polled;
    const written = await callTool(host, 'write_stdin', {
      session_id: id,
      chars: 'echo "$PWD $X"\n',
      wait_for: '/tmp by-hand',
    });

    expect(reply).toMatchObject({ holder: 'shared', typedByUserLines: ['cd /tmp; X=by-hand'] });
    expect(reply.status).toContain('The user has given it back: you may type again. ');
    expect(reply.output).not.toContain('agent');
    expect(written).toMatchObject({ isMatched: true, typedByUserBytes: 0 });
    await expect.poll(() => terminalNames(host), { timeout: TIMEOUT_MS }).toEqual(['deploy']);
    expect(await host.window.notifications()).toEqual([]);
  });
});

/** Notifications that ask for hidden input. */
async function questions(): Promise<string[]> {
  return (await host.window.notifications()).filter((text) => ASKED.test(text));
}

async function hasTerminalFocus(): Promise<boolean> {
  return (await host.window.page.locator('.terminal-wrapper.active .xterm-helper-textarea:focus').count()) > 0;
}

/** Files that the workbench, its chat, its logs and our sessions have written, and hold a text. */
function filesWith(text: string): string[] {
  try {
    return execFileSync('grep', ['-rlaF', text, host.server.dataDir, ...spoolFolders()], { encoding: 'utf8' }).split('\n');
  } catch (error) {
    // grep says by this code that it found nothing; by others that it could not look.
    if ((error as { status?: number }).status === 1) return [];
    throw error;
  }
}

function spoolFolders(): string[] {
  return execFileSync('find', [tmpdir(), '-maxdepth', '1', '-name', 'exec-sessions-??????'], { encoding: 'utf8' })
    .split('\n')
    .filter((folder) => folder !== '');
}
