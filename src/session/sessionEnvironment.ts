import { randomUUID } from 'node:crypto';
import { SESSION_MARK } from '../process/sessionMark';
import {
  type AppliedPolicy,
  applyPolicy,
  DEFAULT_SHELL_ENVIRONMENT_POLICY,
  type Environment,
  type ShellEnvironmentPolicy,
} from '../process/shellEnvironmentPolicy';

export type { Environment } from '../process/shellEnvironmentPolicy';

/** What full-colour terminals call themselves; VS Code's terminal is one. */
const TERMINAL_TYPE = 'xterm-256color';
/** The usual name for an output without a terminal behind it. */
const NO_TERMINAL_TYPE = 'dumb';

/** Agents read output in their replies: a pager would only wait for keys. Listed in the README. */
export const AGENT_PAGERS: Environment = {
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  MANPAGER: 'cat',
  SYSTEMD_PAGER: 'cat',
  GH_PAGER: 'cat',
  BAT_PAGER: 'cat',
  AWS_PAGER: '',
};

/** Where the host's language has no UTF-8: the same order and messages as C, with every character. */
const UTF8_LOCALE = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8';

/** Of a machine that keeps its language to itself. */
const REMOTE_UTF8_LOCALE: Readonly<Record<string, Environment>> = { macos: { LC_CTYPE: 'en_US.UTF-8' }, windows: {} };

export interface SessionEnvironmentOptions {
  readonly isTerminal: boolean;
  readonly cwd: string;
  /** Pagers print instead of waiting for keys. */
  readonly hasAgentPagers: boolean;
  readonly policy?: ShellEnvironmentPolicy | undefined;
  /** Set last: whatever the caller names wins. */
  readonly overrides: Environment;
}

/** The environment of a session: what the policy lets through of the host's, our own settings, the caller's, and its mark. */
export function sessionEnvironment(host: NodeJS.ProcessEnv, options: SessionEnvironmentOptions): AppliedPolicy {
  const { env, omitted } = applyPolicy(host, options.policy ?? DEFAULT_SHELL_ENVIRONMENT_POLICY);
  const whole = { ...env, ...overlay(utf8Locale(env), options) };
  return { env: whole, omitted: omitted.filter((name) => !(name in whole)) };
}

/**
 * The same for a program that brings its variables along, and with them perhaps a policy: that gets what ours leaves of the host's.
 * But for the mark nothing is added.
 */
export function programEnvironment(
  host: NodeJS.ProcessEnv,
  { policy = DEFAULT_SHELL_ENVIRONMENT_POLICY, overrides }: SessionEnvironmentOptions,
  own: ShellEnvironmentPolicy | undefined,
): AppliedPolicy {
  const marked = { ...overrides, [SESSION_MARK]: randomUUID() };
  if (own === undefined) return { env: marked, omitted: [] };
  const ours = applyPolicy(host, policy);
  const both = applyPolicy(ours.env, own);
  const env = { ...both.env, ...marked };
  return { env, omitted: [...ours.omitted, ...both.omitted].filter((name) => !(name in env)) };
}

export interface RemoteSessionEnvironment {
  readonly env: Environment;
  readonly envPolicy: ShellEnvironmentPolicy;
}

/** The same for another machine: its own variables are the base, of this one's it gets none. */
export function remoteSessionEnvironment(
  platform: string | undefined,
  options: SessionEnvironmentOptions,
): RemoteSessionEnvironment {
  const locale = REMOTE_UTF8_LOCALE[platform ?? ''] ?? { LC_CTYPE: 'C.UTF-8' };
  return { env: overlay(locale, options), envPolicy: options.policy ?? DEFAULT_SHELL_ENVIRONMENT_POLICY };
}

function overlay(locale: Environment, options: SessionEnvironmentOptions): Environment {
  return {
    ...locale,
    ...(options.hasAgentPagers ? AGENT_PAGERS : {}),
    TERM: options.isTerminal ? TERMINAL_TYPE : NO_TERMINAL_TYPE,
    PWD: options.cwd,
    ...options.overrides,
    // After the caller's: with the mark of another session its end would be this one's.
    [SESSION_MARK]: randomUUID(),
  };
}

/** Nothing where the language has UTF-8 already; else the one variable that decides about characters. */
function utf8Locale(env: Environment): Environment {
  if (process.platform === 'win32') return {};
  const deciding = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find((value) => value !== undefined && value !== '');
  if (deciding !== undefined && /utf-?8/i.test(deciding)) return {};
  const isAllSet = env['LC_ALL'] !== undefined && env['LC_ALL'] !== '';
  return isAllSet ? { LC_ALL: UTF8_LOCALE } : { LC_CTYPE: UTF8_LOCALE };
}
