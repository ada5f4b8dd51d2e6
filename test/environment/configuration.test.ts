import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { findConfiguration } from '../../src/environment/findConfiguration';
import { readSettings } from '../../src/environment/settingConfiguration';
import { readEnvironmentsToml } from '../../src/environment/tomlConfiguration';
import { tempDir } from '../support/tempDir';

const FILE = '/home/me/.codex/environments.toml';

describe("Codex's environments.toml", () => {
  it.each([
    ['default = "exec-sessions"', 'local', true],
    ['default = "exec-sessions"\ninclude_local = false', 'local', true],
    ['default = "box"', 'box', true],
    ['include_local = false', undefined, true],
  ])('takes the environment that is a window for this machine, with %j', (top, defaultId, includesLocal) => {
    const configuration = readEnvironmentsToml(
      `${top}
        [[environments]]
        id = "exec-sessions"
        program = "/launcher"
        [[environments]]
        id = "box"
        url = "ws://127.0.0.1:1"
      `,
      FILE,
    );

    expect(configuration).toMatchObject({ remotes: [{ id: 'box' }], defaultId, includesLocal, problems: [] });
  });

  it('names environments by url and by program, with this machine as the default', () => {
    const configuration = readEnvironmentsToml(
      `
        [[environments]]
        id = "box"
        url = "wss://box.example:4711/path"
        auth_bearer_token = "word"
        connect_timeout_sec = 1.5
        initialize_timeout_sec = 20
        skills = { any = "thing" }

        [[environments]]
        id = "pod"
        program = "kubectl"
        args = ["exec", "-i", "pod"]
        cwd = "work"
        env = { KUBECONFIG = "/k" }
      `,
      FILE,
    );

    expect(configuration).toEqual({
      remotes: [
        {
          id: 'box',
          label: undefined,
          address: {
            kind: 'webSocket',
            url: 'wss://box.example:4711/path',
            token: { text: 'word' },
            connectTimeoutMs: 1_500,
          },
          initializeTimeoutMs: 20_000,
        },
        {
          id: 'pod',
          label: undefined,
          address: {
            kind: 'program',
            argv: ['kubectl', 'exec', '-i', 'pod'],
            cwd: '/home/me/.codex/work',
            env: { KUBECONFIG: '/k' },
          },
          initializeTimeoutMs: undefined,
        },
      ],
      includesLocal: true,
      defaultId: 'local',
      source: FILE,
      problems: [],
    });
  });

  it.each([
    ['default = "box"', { includesLocal: true, defaultId: 'box' }],
    ['default = "none"', { includesLocal: true, defaultId: undefined }],
    ['include_local = false', { includesLocal: false, defaultId: undefined }],
    ['', { includesLocal: true, defaultId: 'local' }],
  ])('with %j chooses as Codex does', (text, expected) => {
    expect(readEnvironmentsToml(text, FILE)).toMatchObject({ ...expected, problems: [] });
  });

  it.each([
    ['id = "local"\nurl = "ws://h"', '"local" cannot have this id: local and none have a meaning of their own'],
    ['id = "a b"\nurl = "ws://h"', '"a b" has no valid id: 1 to 64 letters, digits, "_" and "-"'],
    ['id = "a"', '"a" has to say one way to its server: a url, a program or, in the settings, a command'],
    ['id = "a"\nurl = "http://h"', '"a" has a url that does not begin with ws:// or wss://'],
    ['id = "a"\nurl = "ws://h"\nargs = []', '"a" has a url: args, env and cwd are for programs'],
    ['id = "a"\nprogram = "p"\nauth_bearer_token = "t"', '"a" has a token or a time to connect, which need a url'],
    ['url = "ws://h"', 'number 1 has a wrong id: Invalid input: expected string, received undefined'],
    [
      'id = "a"\nport = 1',
      '"a" has the unknown key "port"; the keys are id, url, program, args, env, cwd, auth_bearer_token, connect_timeout_sec, initialize_timeout_sec, skills',
    ],
  ])('leaves out an entry that says %j, and says why', (entry, fault) => {
    const { remotes, problems } = readEnvironmentsToml(
      `[[environments]]\n${entry}\n[[environments]]\nid = "good"\nurl = "ws://h"`,
      FILE,
    );

    expect(remotes.map(({ id }) => id)).toEqual(['good']);
    expect(problems).toEqual([`The environment ${fault}.`]);
  });

  it('leaves no default where the file cannot be read as a whole, and repeats nothing of it', () => {
    const configuration = readEnvironmentsToml('[[environments]]\nauth_bearer_token = "secret', FILE);

    expect(configuration).toMatchObject({ remotes: [], defaultId: undefined });
    expect(configuration.problems).toEqual([expect.stringMatching(/environments\.toml is no TOML: /)]);
    expect(configuration.problems.join()).not.toContain('secret');
  });
});

describe('the environment variable', () => {
  const withUrl = (url: string): NodeJS.ProcessEnv => ({ CODEX_HOME: tempDir(), CODEX_EXEC_SERVER_URL: url });

  it.each([
    ['', { remotes: [], includesLocal: true, defaultId: 'local' }],
    ['  ', { remotes: [], includesLocal: true, defaultId: 'local' }],
    [' None ', { remotes: [], includesLocal: false, defaultId: undefined, problems: [] }],
    ['ws://127.0.0.1:1', { includesLocal: false, defaultId: 'remote', remotes: [{ id: 'remote' }] }],
    ['box:4711', { remotes: [], includesLocal: false, defaultId: undefined }],
  ])('%j means what it means to Codex', (url, expected) => {
    expect(findConfiguration(withUrl(url))).toMatchObject(expected);
  });

  it('does not count beside the file', () => {
    const home = tempDir();
    mkdirSync(path.join(home, '.codex'));
    writeFileSync(path.join(home, '.codex', 'environments.toml'), '');

    expect(findConfiguration({ HOME: home, CODEX_EXEC_SERVER_URL: 'none' })).toMatchObject({ defaultId: 'local' });
  });
});

describe('the settings', () => {
  const read = (environments: unknown, defaultId = '') =>
    readSettings({ environments, defaultId }, { CODEX_HOME: tempDir(), CODEX_EXEC_SERVER_URL: 'none' });

  it('name other machines beside this one, by url, program or command', () => {
    const { remotes, includesLocal, defaultId, problems } = read([
      { id: 'box', label: 'the build box', url: 'ws://box:1', tokenFile: '/run/token' },
      { id: 'ssh', program: 'ssh', args: ['host', 'exec-sessions', 'exec-server', '--listen', 'stdio'] },
      { id: 'shell', command: 'docker exec -i c exec-sessions exec-server --listen stdio' },
    ]);

    expect([includesLocal, defaultId, problems]).toEqual([true, 'local', []]);
    expect(remotes.map(({ id, label, address }) => [id, label, address.kind])).toEqual([
      ['box', 'the build box', 'webSocket'],
      ['ssh', undefined, 'program'],
      ['shell', undefined, 'shellCommand'],
    ]);
  });

  it('say how long a server may take', () => {
    const { remotes } = read([{ id: 'box', url: 'ws://box:1', connectTimeoutSeconds: 1.5, initializeTimeoutSeconds: 20 }]);

    expect(remotes).toMatchObject([{ address: { connectTimeoutMs: 1_500 }, initializeTimeoutMs: 20_000 }]);
  });

  it('leave it to Codex while they name none', () => {
    expect(read([])).toMatchObject({ includesLocal: false, source: 'CODEX_EXEC_SERVER_URL' });
  });

  it('name the default, also one that there is not', () => {
    expect(read([{ id: 'box', url: 'ws://box:1' }], 'box').defaultId).toBe('box');
    expect(read([{ id: 'box', url: 'ws://box:1' }], 'other').defaultId).toBe('other');
    expect(read([{ id: 'box', url: 'ws://box:1' }], 'none').defaultId).toBeUndefined();
  });

  it('have the environment of the folder of the window as the default, unless they name one', () => {
    const environments = [
      { id: 'Box', url: 'ws://box:1' },
      { id: 'other', url: 'ws://other:1' },
    ];
    const defaultOf = (folderAuthority: string, defaultId = ''): string | undefined =>
      readSettings({ environments, defaultId, folderAuthority }, {}).defaultId;

    expect(defaultOf('box')).toBe('Box');
    expect(defaultOf('local')).toBe('local');
    expect(defaultOf('gone')).toBe('gone');
    expect(defaultOf('box', 'other')).toBe('other');
    expect(defaultOf('box', 'none')).toBeUndefined();
  });

  it('say whose files are only to be read', () => {
    const { remotes } = read([
      { id: 'a', url: 'ws://a', filesReadOnly: true },
      { id: 'b', url: 'ws://b' },
    ]);

    expect(remotes.map(({ areFilesReadOnly }) => areFilesReadOnly === true)).toEqual([true, false]);
  });

  it.each([
    [{ id: 'a', url: 'ws://a', filesReadOnly: 'yes' }, 'has a wrong filesReadOnly'],
    [{ id: 'a', url: 'ws://h', token: 'x' }, 'has the unknown key "token"'],
    [{ id: 'a', url: 'ws://h', tokenFile: 'x' }, 'has a wrong tokenFile: it has to be an absolute path'],
    [{ id: 'a', url: 'ws://h', connectTimeoutSeconds: 0 }, 'has a wrong connectTimeoutSeconds: '],
    [{ id: 'a', program: 'x', connectTimeoutSeconds: 1 }, 'has a token or a time to connect, which need a url'],
    [{ id: 'a', command: 'x', args: [] }, 'has args, which need a program'],
    [{ id: 'a', url: 'ws://h', program: 'x' }, 'has to say one way to its server'],
    ['a', 'number 1 is not a table of keys'],
  ])('leave out %j, and say why', (entry, fault) => {
    const { remotes, problems } = read([entry]);

    expect(remotes).toEqual([]);
    expect(problems.join()).toContain(fault);
  });

  it('that are no list leave no default', () => {
    expect(read('x')).toMatchObject({
      defaultId: undefined,
      problems: ['the setting execSessions.environments is not a list.'],
    });
  });
});
