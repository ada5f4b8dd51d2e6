import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { allowCall, callInChat, proposeCall, setRevealMode, terminalNames } from './agent';
import { type EditorHost, startEditorHost } from './support/editorHost';

let host: EditorHost;

beforeAll(async () => {
  host = await startEditorHost();
});

afterAll(async () => {
  await host.stop();
});

it('runs nothing when the user skips the call', async () => {
  const marker = path.join(host.server.workspaceDir, 'it-ran-all-the-same');

  await proposeCall(host, 'exec_command', { cmd: `touch ${marker}` });
  await host.window.chat.skip();
  await host.window.chat.waitForText(/TOOL RESULT[^]*skip/);

  expect(existsSync(marker)).toBe(false);
});

it('runs nothing before the user allows it, and then in a terminal tab that shows the output', async () => {
  const marker = path.join(host.server.workspaceDir, 'it-ran');
  const cmd = `touch ${marker}; seq 1 5000; echo the-end; sleep 2`;
  await setRevealMode(host, 'always');

  const question = await proposeCall(host, 'exec_command', { cmd, max_output_tokens: 100 });
  await host.window.screenshot('chat-asks-before-it-runs');
  const hadRun = existsSync(marker);
  const tabsBefore = await terminalNames(host);
  const reply = await allowCall(host);

  expect(question).toContain('seq 1 5000');
  expect([hadRun, tabsBefore]).toEqual([false, []]);
  expect(reply).toMatchObject({ exitCode: 0, isRunning: false });
  expect(reply.output.startsWith('1\n2\n')).toBe(true);
  expect(reply.output.trimEnd().endsWith('5000\nthe-end')).toBe(true);
  expect(reply.output.length).toBeLessThan(1_000);
  await host.window.waitForTerminalText(/4999\n5000\nthe-end\nexit code 0/);
  await host.window.screenshot('chat-command-in-a-tab');
  await setRevealMode(host, 'longRunning');
});

it('gives the agent what came of the answer that a person typed in the tab', async () => {
  const cmd = 'read -p "name? " n; echo hello $n; sleep 1';
  const waiting = await callInChat(host, 'exec_command', { cmd, yield_time_ms: 2_500 });
  await host.window.waitForTerminalText(/name\?$/m);

  await host.window.typeInTerminal('Ada\n');
  await host.window.waitForTerminalText(/^hello Ada$/m);
  const answer = await callInChat(host, 'write_stdin', { session_id: waiting.sessionId, chars: '' });

  expect(waiting).toMatchObject({ isRunning: true, output: 'name? ' });
  expect(answer.output).toContain('hello Ada');
  expect(answer.status).toMatch(/user typed 4 bytes/);
  await host.window.screenshot('person-answers-in-the-tab');
});
