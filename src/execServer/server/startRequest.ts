import { accessSync, constants } from 'node:fs';
import type { ProcessSpec, StartFailure } from '../../process/execProcess';
import { DEFAULT_TERMINAL_SIZE } from '../wire/terminalSize';
import { fromPathUri } from '../wire/pathUri';
import type { StartParams } from '../wire/processMethods';
import { RPC_CODES, RpcError } from '../wire/rpcError';

/** Kinds of permissions that restrict nothing. */
const UNRESTRICTED = ['disabled', 'external'];
/** Means something only to a server of this kind, and may hold its credentials: no program gets it, even if asked for. */
const SERVER_ONLY = ['CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE', 'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN'];

/** What a client asks for, in the words of the port. Throws invalid params. */
export function toProcessSpec(params: StartParams): ProcessSpec {
  const [program, ...args] = params.argv;
  if (program === undefined) throw RpcError.invalidParams('argv must not be empty');
  refuseSandbox(params);
  const { tty, size, stdin, pipeStdin, arg0, envPolicy } = params;
  return {
    argv: [program, ...args],
    cwd: fromPathUri(params.cwd, 'cwd'),
    env: Object.fromEntries(Object.entries(params.env).filter(([name]) => !SERVER_ONLY.includes(name))),
    terminal: tty ? (size ?? DEFAULT_TERMINAL_SIZE) : undefined,
    stdin: stdin ?? (pipeStdin === true && !tty ? 'open' : undefined),
    arg0,
    envPolicy,
  };
}

/** What was to be confined must not run free. */
function refuseSandbox({ sandbox, networkProxy }: StartParams): void {
  const isRestricted = sandbox !== undefined && !UNRESTRICTED.includes(sandbox.permissions.type);
  const missing = isRestricted ? 'sandbox' : networkProxy === undefined ? undefined : 'network proxy';
  if (missing === undefined) return;
  throw new RpcError(
    RPC_CODES.internal,
    `This exec-server has no ${missing}, and does not run without one what asks for one. Ask for full access, or use another server.`,
    { kind: 'sandboxUnavailable' },
  );
}

export function startErrorOf(failure: StartFailure, spec: ProcessSpec): RpcError {
  return new RpcError(RPC_CODES.internal, failure.message, { kind: wireKind(failure, spec), failure: failure.kind });
}

function wireKind({ kind }: StartFailure, { argv: [program] }: ProcessSpec): string {
  if (kind === 'badCwd') return 'spawnNotFound';
  if (kind !== 'programNotFound') return 'spawnFailed';
  return exists(program) ? 'spawnPermissionDenied' : 'spawnNotFound';
}

function exists(program: string): boolean {
  try {
    accessSync(program, constants.F_OK);
    return program.includes('/');
  } catch {
    return false;
  }
}
