import { ResourceUpdatedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import type { ToolReply } from '../../support/startClient';
import { startClient } from '../../support/startClient';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

const LONG = { yield_time_ms: 60_000 };
// eslint-disable-next-line no-control-regex
const CONTROLS = /[\0-\x08\x0b-\x1f\x7f-\x9f]/;

describe('colours', () => {
  it('are in the terminal, and nowhere in what a model gets', async () => {
    const manager = createManager();
    const client = await startClient(manager);
    const progress: string[] = [];
    const cmd = "ls -C --color=always /; printf '\\033[1mB\\033[0m\\033[?25l\\n'; sleep 1.2";

    const reply = await client.exec(cmd, LONG, { onprogress: ({ message }) => progress.push(message ?? '') });
    const session_id = reply.structured.sessionId;
    const others: ToolReply[] = [];
    for (const choice of [{}, { start_line: 1 }, { search: 'B', context: 1 }, { screen: true }]) {
      others.push(await client.call('read_output', { session_id, ...choice }));
    }
    const resources = [];
    for (const kind of ['transcript', 'screen']) {
      resources.push(await client.client.readResource({ uri: `exec-session://${String(session_id)}/${kind}` }));
    }

    const plain = await client.exec('ls -C --color=never /; echo B');
    const [words, expectedWords] = [reply, plain].map(({ structured }) => structured.output.split(/\s+/));
    expect(words).toEqual(expectedWords);
    expect(progress).toEqual([expect.stringMatching(/ s: B$/)]);
    const texts = [reply, ...others].flatMap(({ blocks, structured }) => [...blocks, structured.output, structured.status]);
    const contents = resources.flatMap((resource) => resource.contents.map((content) => (content as { text: string }).text));
    expect([...texts, ...contents, ...progress].filter((text) => CONTROLS.test(text))).toEqual([]);
    expect(manager.list()[0]!.replay().toString()).toContain('\u001b[1mB\u001b[0m\u001b[?25l\r\n');
  });

  it.each([
    ['16 colours', '\\033[1;31mred\\033[0m'],
    ['256 colours', '\\033[38;5;196mred\\033[39m'],
    ['16 million colours', '\\033[38;2;255;0;0mred\\033[m'],
    ['colons between the numbers', '\\033[38:2::255:0:0mred\\033[m'],
    ['the one-byte form of the sequence', '\\302\\23331mred\\302\\2330m'],
    [
      'a sequence that comes in pieces',
      '\\033[1;" ; sleep 0.1; printf "31mre" ; sleep 0.1; printf "d\\033" ; sleep 0.1; printf "[0m',
    ],
    ['underline with a style', '\\033[4:3m\\033[58;5;1mred\\033[59m\\033[24m'],
  ])('go however they are written: %s', async (_what, text) => {
    const client = await startClient();
    const cmd = `printf "${text}\\n"`;

    const replies = [await client.exec(cmd), await client.exec(cmd, { tty: false })];

    expect(replies.map(({ structured }) => structured.output)).toEqual(['red\n', 'red\n']);
  });
});

describe('a program that speaks to the terminal behind the back of the reader', () => {
  it.each([
    ['writes to the clipboard', '\\033]52;c;ZXZpbA==\\007T'],
    ['writes to the clipboard, with the long end', '\\033]52;c;ZXZpbA==\\033\\\\T'],
    ['names its window', '\\033]0;rm -rf\\007T'],
    ['names its window after something long', `\\033]2;${'evil '.repeat(200)}\\007T`],
    ['makes a link', '\\033]8;;http://x\\007T\\033]8;;\\007'],
    ['hides what it says', '\\033[8m\\033[28mT'],
    ['says where it is', '\\033]7;file://evil/etc\\007T'],
    ['shows a notice', '\\033]9;evil\\007\\033]777;notify;evil;evil\\007T'],
    ['draws a picture', '\\033P0;1;0q#0;2;0;0;0evil\\033\\\\\\033]1337;File=inline=1:ZXZpbA==\\007T'],
    ['speaks to a multiplexer', '\\033Ptmux;\\033\\033]52;c;ZXZpbA==\\007\\033\\\\T'],
    ['does it all in one', '\\033]52;c;ZXZpbA==\\007\\033]8;;http://x\\007T\\033]8;;\\007\\033]0;rm -rf\\007'],
  ])('has its text read alone, when it %s', async (_what, text) => {
    const client = await startClient();

    const { structured } = await client.exec(`printf '${text}\\n'`, { title: 'mine' });
    const [listed] = await client.list();

    expect(structured).toMatchObject({ output: 'T\n', exitCode: 0 });
    expect(listed?.title).toBe('mine');
  });

  it.each([
    ['the title', '\\033]2;touch evil\\007', '\\033[21t'],
    ['the name of the icon', '\\033]1;touch evil\\007', '\\033[20t'],
    ['the clipboard', '\\033]52;c;dG91Y2ggZXZpbA==\\007', '\\033]52;c;?\\007'],
    ['a setting that it made up', '', '\\033P$qtouch evil\\033\\\\'],
    ['a termcap entry', '', '\\033P+q746f756368\\033\\\\'],
    ['the answerback text', '', '\\005'],
    ['a colour that it named', '\\033]4;1;touch evil\\007', '\\033]4;1;?\\007'],
  ])('gets no answer with text of its own, when it asks for %s', async (_what, before, query) => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const cmd = `stty raw -echo; printf '${before}${query}'; timeout --foreground 0.6 cat > answer; stty sane; wc -c < answer; ! grep -a evil answer`;

    const { structured } = await client.exec(cmd, { wait_for: '^\\d+$', ...LONG });
    const end = structured.isRunning ? await client.poll(structured.sessionId, LONG) : undefined;

    expect((end?.structured ?? structured).exitCode).toBe(0);
    expect(structured.output + (end?.structured.output ?? '')).toMatch(/^\s*0\n$/);
  });
});

describe('the marks of a shell', () => {
  it.each([
    ['of VS Code', '\\033]633;A\\007\\033]633;B\\007\\033]633;C\\007\\033]633;D;0\\007'],
    ['of FinalTerm', '\\033]133;A\\007\\033]133;C\\007\\033]133;D;0\\007'],
    ['of both, as a nested shell prints them', '\\033]633;D;0\\007\\033]133;D;0\\007'],
    ['of iTerm2', '\\033]1337;CurrentDir=/evil\\007\\033]1337;ShellIntegrationVersion=5\\007'],
    ['that claim another folder', '\\033]633;P;Cwd=/evil\\007\\033]7;file:///evil\\007'],
    ['that claim another command', '\\033]633;E;rm -rf /;nonce\\007'],
  ])('are not taken for the end of a command, nor believed: %s', async (_what, marks) => {
    const cwd = tempDir();
    const client = await startClient(createManager({ defaultCwd: () => cwd }));
    const updates: string[] = [];
    client.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => void updates.push(params.uri));
    const cmd = `printf '${marks}'; sleep 0.8; echo end; exit 4`;

    const early = await client.exec(cmd, { yield_time_ms: 300 });
    const session_id = early.structured.sessionId;
    await client.client.subscribeResource({ uri: `exec-session://${String(session_id)}/transcript` });
    const [listed] = await client.list();
    const late = await client.poll(session_id, LONG);

    expect([early.structured.isRunning, early.structured.output, listed?.isRunning, listed?.command]).toEqual([
      true,
      '',
      true,
      cmd,
    ]);
    expect(late.structured).toMatchObject({ output: 'end\n', exitCode: 4, cwd });
    expect(updates.length).toBeLessThanOrEqual(1);
  });
});
