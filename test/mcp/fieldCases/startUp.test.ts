import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SHELL_ENVIRONMENT_POLICY, type ShellEnvironmentPolicy } from '../../../src/process/shellEnvironmentPolicy';
import { startClient, type ToolClient } from '../../support/startClient';
import { startHttpClient, startHttpHost } from '../../support/startHttpHost';
import { createManager } from '../../support/startSession';
import { tempDir } from '../../support/tempDir';

const LONG = { yield_time_ms: 60_000 };
const hasZsh = existsSync('/usr/bin/zsh') || existsSync('/bin/zsh');

/** A client whose sessions have a home with these files. */
async function startAtHome(files: Readonly<Record<string, string>>, hostEnv: NodeJS.ProcessEnv = {}): Promise<ToolClient> {
  const home = tempDir();
  const bin = path.join(home, 't', 'bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(path.join(bin, 'my-tool'), '#!/bin/sh\necho found\n');
  chmodSync(path.join(bin, 'my-tool'), 0o755);
  for (const [name, text] of Object.entries(files)) writeFileSync(path.join(home, name), text);
  const env = { PATH: process.env['PATH'], HOME: home, LANG: 'C.UTF-8', ...hostEnv };
  return startClient(createManager({ defaultCwd: () => home, hostEnv: env }));
}

describe('the tools that a command finds', () => {
  const ON_PATH = 'export PATH="$HOME/t/bin:$PATH"\n';
  const IF_BASH = '. "$HOME/.bashrc"\n';

  it.each([
    ['bash', { '.bash_profile': ON_PATH }, true],
    ['bash', { '.bash_login': ON_PATH }, true],
    ['bash', { '.profile': ON_PATH }, true],
    ['bash', { '.bashrc': ON_PATH, '.bash_profile': IF_BASH }, true],
    ['bash', { '.bashrc': ON_PATH }, false],
    ['/bin/sh', { '.profile': ON_PATH }, true],
    ...(hasZsh
      ? ([
          ['zsh', { '.zprofile': ON_PATH }, true],
          ['zsh', { '.zlogin': ON_PATH }, true],
          ['zsh', { '.zshrc': ON_PATH, '.zprofile': '. "$HOME/.zshrc"\n' }, true],
          ['zsh', { '.zshrc': ON_PATH }, false],
        ] as const)
      : []),
  ] as const)('are those of the login profile of %s, unless the call does without: %j', async (shell, files, isFound) => {
    const client = await startAtHome(files);
    const call = (args: object): ReturnType<ToolClient['call']> =>
      client.call('exec_command', { cmd: 'my-tool 2> /dev/null || echo missing', shell, ...args });

    const replies = [await call({}), await call({ login: true }), await call({ login: false }), await call({ tty: false })];

    const withProfile = isFound ? 'found\n' : 'missing\n';
    expect(replies.map(({ structured }) => structured.output)).toEqual([withProfile, withProfile, 'missing\n', withProfile]);
    expect(replies.map(({ structured }) => structured.shell)).toEqual(Array(4).fill(shell));
  });

  it('are those of the start-up files for people in a shell that is interactive', async () => {
    const client = await startAtHome({ '.bashrc': `${ON_PATH}PS1='> '\n` });
    const { sessionId } = (await client.exec('bash -i', LONG)).structured;

    const { structured } = await client.write(sessionId, 'my-tool\n', LONG);

    expect(structured.output).toContain('\nfound\n');
  });

  it('can be told from the reply, which names the shell and whether it read the profile', async () => {
    const client = await startAtHome({});

    const [withProfile, without] = [await client.exec('true', { login: true }), await client.exec('true', { login: false })];

    expect(withProfile.status).toMatch(/run by \/bin\/bash as a login shell\.$/);
    expect(without.status).toMatch(/run by \/bin\/bash\.$/);
  });

  const UNREAD =
    /A command was probably not found \(127\)\..* ~\/(\S+) sets up for interactive shells; (\S+) -ic '…' has that too\./;
  const GUARD = 'case $- in *i*) ;; *) return;; esac\n';

  it.each([
    ['bash', '.bashrc', { '.bashrc': ON_PATH }],
    ['/bin/bash', '.bashrc', { '.bashrc': ON_PATH, '.profile': '# nothing\n' }],
    ['bash', '.bashrc', { '.bashrc': `${GUARD}${ON_PATH}`, '.profile': IF_BASH }],
    ['bash', '.bashrc', { '.bashrc': ON_PATH, '.bash_profile': '# first\n', '.profile': IF_BASH }],
    ...(hasZsh
      ? ([
          ['zsh', '.zshrc', { '.zshrc': ON_PATH }],
          ['zsh', '.zshrc', { '.zshrc': `[[ -o interactive ]] || return\n${ON_PATH}`, '.zprofile': '. ~/.zshrc\n' }],
        ] as const)
      : []),
  ] as const)('and are not found, are found in the way that the reply tells: %s, %s, %j', async (shell, file, files) => {
    const client = await startAtHome(files);

    const missing = [
      await client.call('exec_command', { cmd: 'my-tool', shell }),
      await client.call('exec_command', { cmd: 'my-tool', shell, tty: false }),
    ];
    const [, named, how] = UNREAD.exec(missing[0]!.status) ?? [];
    const told = await client.call('exec_command', { cmd: `${String(how)} -ic 'my-tool'` });

    expect(missing.map(({ structured, status }) => [structured.exitCode, UNREAD.test(status)])).toEqual([
      [127, true],
      [127, true],
    ]);
    expect([named, told.structured.output, told.structured.exitCode]).toEqual([file, 'found\n', 0]);
  });

  it('are told of as well when the command goes on for a while', async () => {
    const client = await startAtHome({ '.bashrc': ON_PATH });
    const { structured } = await client.call('exec_command', { cmd: 'sleep 0.3; my-tool', yield_time_ms: 0 });

    expect((await client.poll(structured.sessionId, LONG)).status).toMatch(UNREAD);
  });

  it.each([
    ['there is no such file', {}, 'my-tool', {}],
    ['it is empty', { '.bashrc': '\n' }, 'my-tool', {}],
    ['it was read', { '.bashrc': 'X=1\n', '.profile': IF_BASH }, 'my-tool', {}],
    ['the command failed otherwise', { '.bashrc': ON_PATH }, 'exit 126', {}],
    ['the command was found', { '.bashrc': ON_PATH }, 'true', {}],
    ['the call does without a profile', { '.bashrc': ON_PATH }, 'my-tool', { login: false }],
    ['the shell has none', { '.bashrc': ON_PATH }, 'my-tool', { shell: '/bin/sh' }],
  ])('are not said to be in a file where %s', async (_why, files, cmd, args) => {
    const client = await startAtHome(files);

    const { status } = await client.call('exec_command', { cmd, ...args });

    expect(status).not.toContain('interactive shells');
  });

  it('are explained in the documentation', () => {
    const readme = readFileSync('README.md', 'utf8');

    expect(readme).toMatch(
      /`login` \(the default\) it reads your login\s+profile \(`bash -lc`\), without it it reads none \(`bash -c`\)/,
    );
  });

  it('do not go with what a profile prints, which is in the output like everything else', async () => {
    const client = await startAtHome({ '.bash_profile': 'echo welcome; false\n' });

    const { structured } = await client.call('exec_command', { cmd: 'echo mine; exit 3' });

    expect(structured).toMatchObject({ output: 'welcome\nmine\n', exitCode: 3 });
  });
});

describe.runIf(process.platform === 'linux')('a shell that takes its time to start', () => {
  it.each([
    ['sleeps', 'sleep 0.6\n'],
    ['runs programs', 'for i in $(seq 40); do /bin/true; done; sleep 0.3\n'],
    ['prints', 'for i in $(seq 200); do echo line $i; done; sleep 0.3\n'],
    ['changes its terminal', 'stty -echo; sleep 0.3; stty echo\n'],
  ])('runs once what was typed meanwhile, while it %s', async (_what, rc) => {
    const client = await startAtHome({ '.bashrc': `${rc}PS1='ready> '\n` });
    const { structured } = await client.exec('bash -i', { yield_time_ms: 0 });
    const id = structured.sessionId;

    const written = await client.write(id, 'echo h""i\n', { wait_for: '^hi$', ...LONG });
    const rest = await client.write(id, 'exit\n', LONG);

    const output = structured.output + written.structured.output + rest.structured.output;
    expect(output.split('\n').filter((line) => line === 'hi')).toEqual(['hi']);
    expect(rest.structured.exitCode).toBe(0);
  });

  it.each([0.1, 0.3])('is not taken for ready while it swallows keys for %d s', async (seconds) => {
    const client = await startAtHome({
      '.bashrc': `sleep 0.3; read -t ${String(seconds)} -n 1 x; sleep 0.2; PS1='ready> '\n`,
    });

    const started = await client.exec('bash -i', LONG);
    const written = await client.write(started.structured.sessionId, 'echo h""i\n', LONG);

    expect(started.structured).toMatchObject({ output: 'ready> ', waitingFor: 'input' });
    expect(written.structured.output).toBe('echo h""i\nhi\nready> ');
  });

  it('and asks something first is reported with the question', async () => {
    const client = await startAtHome({ '.bashrc': "read -p 'Update now? [Y/n] ' x; PS1='ready> '\n" });

    const started = await client.exec('bash -i', LONG);
    const answered = await client.write(started.structured.sessionId, 'n\n', LONG);

    expect([started, answered].map(({ structured: { output, waitingFor } }) => [output, waitingFor])).toEqual([
      ['Update now? [Y/n] ', 'input'],
      ['n\nready> ', 'input'],
    ]);
  });
});

describe('the environment of a command', () => {
  const HOST_ENV = {
    PATH: process.env['PATH'],
    FAKE_API_KEY: '1',
    NODE_OPTIONS: '',
    VSCODE_X: '1',
    VSCODE_IPC_HOOK_CLI: '/tmp/hook',
    VSCODE_GIT_IPC_HANDLE: '/tmp/git',
    VSCODE_NLS_CONFIG: '{}',
    ELECTRON_RUN_AS_NODE: '1',
    ELECTRON_NO_ASAR: '1',
    EXEC_SESSIONS_ANYTHING: '1',
    TERM_PROGRAM: 'vscode',
    TERM_PROGRAM_VERSION: '1',
    NODE_CHANNEL_FD: '3',
  };

  it.each([true, false])('has what the user has, and nothing of the inside of its host (tty: %s)', async (tty) => {
    const host = await startHttpHost(createManager({ hostEnv: HOST_ENV }));
    const client = await startHttpClient(host);

    const { structured } = await client.exec('env', { tty });

    const names = structured.output.split('\n').map((line) => line.split('=')[0] ?? '');
    expect(names.filter((name) => /^(VSCODE|ELECTRON|EXEC_SESSIONS|TERM_PROGRAM|NODE_CHANNEL)/.test(name))).toEqual([
      'EXEC_SESSIONS_SESSION',
    ]);
    expect(names).toEqual(expect.arrayContaining(['FAKE_API_KEY', 'NODE_OPTIONS', 'PATH', 'TERM']));
    expect(structured.output).not.toContain(host.token);
  });

  it('gets the programs of the user to work that are built on the same host', async () => {
    const client = await startClient(createManager({ hostEnv: { ...HOST_ENV, ELECTRON_RUN_AS_NODE: '1' } }));

    const { structured } = await client.exec(
      `"${process.execPath}" -p "Object.keys(process.env).filter((name) => /^(VSCODE|ELECTRON)/.test(name)).length + ':' + typeof process.send"`,
    );

    expect(structured).toMatchObject({ output: '0:undefined\n', exitCode: 0 });
  });
});

describe('an environment policy', () => {
  const HOST_ENV = { PATH: process.env['PATH'], GH_TOKEN: 'g', MY_SECRET: 's', API_KEY: 'k', EDITOR: 'vi' };
  const SHOW = 'echo "${GH_TOKEN-none} ${MY_SECRET-none} ${API_KEY-none} ${EDITOR-none}"';
  const filter = { ...DEFAULT_SHELL_ENVIRONMENT_POLICY, ignoreDefaultExcludes: false };
  const policies: [string, ShellEnvironmentPolicy, Record<string, unknown>, string][] = [
    ['lets everything through unless told otherwise', DEFAULT_SHELL_ENVIRONMENT_POLICY, {}, 'g s k vi'],
    ['keeps secrets away', filter, {}, 'none none none vi'],
    ['lets through what it sets', { ...filter, set: { GH_TOKEN: 'other' } }, {}, 'other none none vi'],
    [
      'lets through what is allowed',
      { ...DEFAULT_SHELL_ENVIRONMENT_POLICY, includeOnly: ['PATH', 'GH_*'] },
      {},
      'g none none none',
    ],
    ['never takes away what the call itself gives', filter, { env: { GH_TOKEN: 'mine' } }, 'mine none none vi'],
  ];

  it.each(policies)('%s, on a terminal and on pipes', async (_what, policy, args, expected) => {
    const client = await startClient(createManager({ hostEnv: HOST_ENV, environmentPolicy: () => policy }));

    const replies = [await client.exec(SHOW, args), await client.exec(SHOW, { tty: false, ...args })];

    expect(replies.map(({ structured }) => structured.output)).toEqual([`${expected}\n`, `${expected}\n`]);
  });
});

describe('a secret that a command prints', () => {
  /** Put together here, so that nobody's scanner takes this file for a leak. */
  const AWS = ['AKIA', 'IOSFODNN7EXAMPLE'].join('');
  const MASKED = '[AWS access key masked]';
  // eslint-disable-next-line no-control-regex
  const COLOUR = /\u001b\[\d*m/g;
  const GITHUB = "echo ghp_$(printf 'a%.0s' $(seq 36))";

  it.each([
    ['in one piece', `echo ${AWS}`, `${MASKED}\n`],
    ['made up by the command', GITHUB, '[GitHub token masked]\n'],
    ['in pieces', `printf AKIAIOSF; sleep 0.1; echo ODNN7EXAMPLE`, `${MASKED}\n`],
    ['in colour', `printf '\\033[31mAKIA\\033[1mIOSFODNN7EXAMPLE\\033[0m\\n'`, `${MASKED}\n`],
    ['without a line end', `printf 'key=${AWS}'`, `key=${MASKED}`],
    ['beside another one', `echo "${AWS} ${AWS}"`, `${MASKED} ${MASKED}\n`],
    ['on the error output', `echo ${AWS} >&2`, `${MASKED}\n`],
  ])('is masked where that is asked for, and raw in the terminal: %s', async (_how, cmd, expected) => {
    const manager = createManager();
    const client = await startClient(manager, { isRedacting: () => true });

    const { structured, status } = await client.exec(cmd, { cols: 20 });

    const count = expected.split('masked]').length - 1;
    expect(structured).toMatchObject({ output: expected, maskedSecrets: count });
    expect(status).toMatch(/\d secrets? (is|are) masked here; the terminal shows them\./);
    const raw = manager.list()[0]!.replay().toString().replaceAll(COLOUR, '');
    expect(raw).toMatch(/AKIAIOSFODNN7EXAMPLE|ghp_a{36}/);
  });

  it('is masked on the screen of a full-screen program', async () => {
    const client = await startClient(createManager(), { isRedacting: () => true });

    const { structured } = await client.exec(`printf '\\033[?1049h${AWS}'; read -n 1`, LONG);

    expect(structured).toMatchObject({ isScreen: true, output: `${MASKED}\n`, maskedSecrets: 1 });
  });

  it('is not given away in part by a cap that falls into it', async () => {
    const client = await startClient(createManager(), { isRedacting: () => true });
    const outputs = [];
    for (let before = 0; before < 20; before++) {
      const cmd = `printf '%*s' ${String(before)}; for i in $(seq 3000); do printf '%s ' ${AWS}; done`;
      outputs.push((await client.exec(cmd, { max_output_tokens: 1, tty: false })).structured.output);
    }

    expect(outputs.filter((output) => /AKIA|IOSFODNN|EXAMPLE/.test(output))).toEqual([]);
  });
});

describe('a place or a shell that is not there', () => {
  it.each([
    ['a folder below the default one', { workdir: 'no/such' }, /working directory ".*\/no\/such" does not exist/],
    ['a folder behind a file', { workdir: '/etc/passwd/x' }, /working directory "\/etc\/passwd\/x" does not exist/],
    ['a shell by name', { shell: 'no-such-shell' }, /"no-such-shell" was not found on the PATH/],
    ['a shell that is a folder', { shell: '/etc' }, /"\/etc" is not an executable file/],
    ['a shell that is a text', { shell: '/etc/passwd' }, /"\/etc\/passwd" is not an executable file/],
  ])('is an error of the call, never an exit code: %s', async (_what, args, message) => {
    const client = await startClient();

    const replies = [await client.exec('echo ran', args), await client.exec('echo ran', { tty: false, ...args })];

    expect(replies.map(({ isError, status }) => [isError, status])).toEqual([
      [true, expect.stringMatching(message)],
      [true, expect.stringMatching(message)],
    ]);
    expect(await client.list()).toEqual([]);
  });
});
