import { expect, test } from 'vitest';
import {
  applyPolicy,
  DEFAULT_SHELL_ENVIRONMENT_POLICY,
  type ShellEnvironmentPolicy,
} from '../../src/process/shellEnvironmentPolicy';

const host = {
  PATH: '/bin',
  HOME: '/home/me',
  EDITOR: 'vi',
  MY_API_KEY: 'k',
  github_token: 't',
  CLIENT_SECRET: 's',
  VSCODE_IPC_HOOK: 'x',
  ELECTRON_RUN_AS_NODE: '1',
  EXEC_SESSIONS_TOKEN: 'x',
  TMUX: 'x',
};

const cases: [string, Partial<ShellEnvironmentPolicy>, string][] = [
  ['everything but what belongs to the host', {}, 'CLIENT_SECRET EDITOR HOME MY_API_KEY PATH github_token'],
  ['the core', { inherit: 'core' }, 'HOME PATH'],
  ['nothing', { inherit: 'none' }, ''],
  ['no secrets, however they are written', { ignoreDefaultExcludes: false }, 'EDITOR HOME PATH'],
  ['not what is excluded by pattern', { exclude: ['edit?r', '*_TOKEN'] }, 'CLIENT_SECRET HOME MY_API_KEY PATH'],
  ['what is set, although the excludes match it', { inherit: 'none', exclude: ['*'], set: { A_KEY: '1' } }, 'A_KEY'],
  ['only what is included', { includeOnly: ['PATH', 'E*'], set: { EXTRA: '1', OTHER: '1' } }, 'EDITOR EXTRA PATH'],
  [
    'patterns in which only * and ? mean something',
    { exclude: ['[A-Z]+', 'P.TH'] },
    'CLIENT_SECRET EDITOR HOME MY_API_KEY PATH github_token',
  ],
];

test.each(cases)('a program gets %s', (_, policy, expected) => {
  const { env } = applyPolicy(host, { ...DEFAULT_SHELL_ENVIRONMENT_POLICY, ...policy });

  expect(Object.keys(env).sort().join(' ')).toBe(expected);
});

test('what a policy leaves out is listed by name', () => {
  const { omitted } = applyPolicy(host, { ...DEFAULT_SHELL_ENVIRONMENT_POLICY, ignoreDefaultExcludes: false });

  expect(omitted).toEqual(['MY_API_KEY', 'github_token', 'CLIENT_SECRET']);
});
