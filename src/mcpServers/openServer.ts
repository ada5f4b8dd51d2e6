import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { EnvironmentManager, Machine } from '../environment/environmentManager';
import type { HttpRequestHeader } from '../http/httpClient';
import { LOCAL_ENVIRONMENT_ID } from '../process/execEnvironment';
import type { ExecBackend, ProcessSpec } from '../process/execProcess';
import { HttpTransport } from './httpTransport';
import type { HttpServer, ServerConfiguration, StdioServer, VariableSource } from './serverConfiguration';
import type { ServerLog } from './serverLog';
import { StdioTransport } from './stdioTransport';

/** What a server gets of the variables of its machine, besides those that are named for it: those of Codex's list, and a few more. */
const INHERITED = [
  ...['HOME', 'LOGNAME', 'PATH', 'SHELL', 'USER', '__CF_USER_TEXT_ENCODING', 'LANG', 'LC_ALL', 'TERM', 'TMPDIR', 'TZ'],
  // Without these, programs of Windows do not start.
  ...['SYSTEMROOT', 'SYSTEMDRIVE', 'TEMP', 'TMP', 'APPDATA', 'LOCALAPPDATA', 'USERPROFILE', 'PATHEXT', 'COMSPEC'],
];

export interface ServerPlaces {
  readonly environments: EnvironmentManager;
  /** Runs the servers of this machine, which end with this process whatever becomes of sessions. */
  readonly local: ExecBackend;
  /** Where local variables come from. */
  readonly env: NodeJS.ProcessEnv;
  /** Where servers of this machine start that name no folder. */
  readonly localCwd: () => string;
}

/** The way to a server, not started. Throws an `Error` that says what stands in its way. */
export function openServer({ environmentId, server }: ServerConfiguration, log: ServerLog, places: ServerPlaces): Transport {
  const lookup = places.environments.find(environmentId);
  if (lookup.kind === 'failed') throw new Error(lookup.failure.message);
  const machine = lookup.environment;
  if (server.kind === 'stdio') {
    const backend = machine.id === LOCAL_ENVIRONMENT_ID ? places.local : machine.backend;
    return new StdioTransport({ backend, spec: specOf(server, machine, places), log });
  }
  return new HttpTransport({ url: new URL(server.url), http: machine.http, headers: headersOf(server, places), log });
}

function specOf({ argv, cwd, env, variables }: StdioServer, machine: Machine, places: ServerPlaces): ProcessSpec {
  if (cwd === undefined && machine.kind === 'remote') {
    throw new Error(`a server on ${machine.id} needs a cwd: an absolute path there`);
  }
  const local = variables.filter(({ source }) => source === 'local');
  const remote = variables.filter(({ source }) => source === 'remote').map(({ name }) => name);
  const values = Object.fromEntries(local.map(({ name }) => [name, requireVariable(name, places.env)]));
  return {
    argv,
    cwd: cwd ?? places.localCwd(),
    env: { ...values, ...env },
    envPolicy: { inherit: 'all', ignoreDefaultExcludes: true, exclude: [], set: {}, includeOnly: [...INHERITED, ...remote] },
    terminal: undefined,
    stdin: 'open',
  };
}

function headersOf({ headers }: HttpServer, { env }: ServerPlaces): HttpRequestHeader[] {
  const valueOf = (variable: VariableSource | undefined): string =>
    variable?.source === 'local' ? requireVariable(variable.name, env) : '';
  return headers.map(({ name, value, variable }) => ({
    name,
    value: value + valueOf(variable),
    ...(variable?.source === 'remote' && { valueEnvVar: variable.name }),
  }));
}

function requireVariable(name: string, env: NodeJS.ProcessEnv): string {
  const value = env[name];
  if (value === undefined) throw new Error(`the variable ${name} is not set where the window was started`);
  return value;
}
