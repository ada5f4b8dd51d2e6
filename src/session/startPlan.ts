/** What a request leaves open, decided for the machine that it is for. */
import path from 'node:path';
import { messageOf } from '../base/messageOf';
import type { ExecEnvironment, LocalEnvironment, RemoteEnvironment } from '../process/execEnvironment';
import type { ProcessSpec, StartFailure } from '../process/execProcess';
import type { ShellEnvironmentPolicy } from '../process/shellEnvironmentPolicy';
import {
  programEnvironment,
  remoteSessionEnvironment,
  sessionEnvironment,
  type SessionEnvironmentOptions,
} from './sessionEnvironment';
import type { StartedRequest } from './sessionRecord';
import type { SessionRequest } from './sessionRequest';
import { interactiveShellArgv, shellCommandArgv } from './shellCommand';

/** What holds on this machine where a request says nothing else. */
export interface HostDefaults {
  readonly cwd: string;
  /** The folder of an environment elsewhere; `undefined`: that of its server. */
  readonly remoteCwd: (environmentId: string) => string | undefined;
  readonly shell: string;
  readonly env: NodeJS.ProcessEnv;
  /** Holds on every machine. */
  readonly policy: ShellEnvironmentPolicy | undefined;
  /** The same, where a request of an agent says nothing else. */
  readonly hasAgentPagers: boolean;
}

export interface StartPlan {
  readonly request: StartedRequest;
  readonly spec: ProcessSpec;
}

export type Planned =
  { readonly kind: 'planned'; readonly plan: StartPlan } | { readonly kind: 'failed'; readonly failure: StartFailure };

/** Within this turn: what starts a program here is counted for that. */
export function planLocal(environment: LocalEnvironment, request: SessionRequest, defaults: HostDefaults): StartPlan {
  const cwd = request.cwd ?? defaults.cwd;
  const shell = request.shell ?? defaults.shell;
  const options = environmentOptions(request, cwd, defaults);
  const { env, omitted } =
    request.program === undefined
      ? sessionEnvironment(defaults.env, options)
      : programEnvironment(defaults.env, options, request.program.envPolicy);
  const decided = { environment, cwd, shell, omittedVariables: omitted, home: env['HOME'] };
  return planOf(request, decided, { ...options, env });
}

/** Asks the machine for what the request leaves open; connects for that. */
export async function planRemote(
  environment: RemoteEnvironment,
  request: SessionRequest,
  defaults: HostDefaults,
): Promise<Planned> {
  try {
    const machine = await environment.describe();
    const cwd = path.posix.resolve(machine.cwd, defaults.remoteCwd(environment.id) ?? '', request.cwd ?? '');
    const shell = request.shell ?? machine.shell;
    const options = environmentOptions(request, cwd, defaults);
    const variables = remoteSessionEnvironment(machine.platform, options);
    const decided = { environment, cwd, shell, omittedVariables: [], home: undefined };
    return { kind: 'planned', plan: planOf(request, decided, { ...options, ...variables }) };
  } catch (error) {
    const message = `The environment ${environment.id} (${environment.label}) cannot be reached: ${messageOf(error)}.`;
    return { kind: 'failed', failure: { kind: 'hostFailed', message } };
  }
}

function environmentOptions(
  request: SessionRequest,
  cwd: string,
  { policy, hasAgentPagers }: HostDefaults,
): SessionEnvironmentOptions {
  return {
    isTerminal: request.terminal !== undefined,
    cwd,
    hasAgentPagers: request.hasAgentPagers ?? (request.startedBy !== 'user' && hasAgentPagers),
    policy,
    overrides: request.env ?? {},
  };
}

type Decided = Pick<StartedRequest, 'cwd' | 'shell' | 'omittedVariables' | 'home'> & {
  readonly environment: ExecEnvironment;
};
type Variables = Pick<ProcessSpec, 'env' | 'envPolicy'> & Pick<SessionEnvironmentOptions, 'hasAgentPagers'>;

function planOf(
  request: SessionRequest,
  { environment: { id, label }, ...decided }: Decided,
  { env, envPolicy, hasAgentPagers }: Variables,
): StartPlan {
  const { command, program, terminal, stdin } = request;
  const { cwd, shell } = decided;
  const isLogin = command !== undefined && (request.isLogin ?? true);
  const shellArgv = command === undefined ? interactiveShellArgv(shell) : shellCommandArgv(shell, command, isLogin);
  return {
    request: { ...request, ...decided, environmentId: id, environment: { id, label }, isLogin, hasAgentPagers },
    spec: { argv: program?.argv ?? shellArgv, arg0: program?.arg0, cwd, env, envPolicy, terminal, stdin },
  };
}
