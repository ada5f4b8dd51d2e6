import type { ExecBackend, ProcessSpec, StartFailure, StartResult } from '../../process/execProcess';
import { decodeResult } from '../wire/decode';
import { toPathUri } from '../wire/pathUri';
import { startErrorData, startResult } from '../wire/processMethods';
import { RpcError } from '../wire/rpcError';
import type { Attachment, ExecServerClient } from './execServerClient';
import { RemoteProcess } from './remoteProcess';

/** What other servers say of a program that they did not start. */
const FAILURE_OF_KIND: Partial<Record<string, StartFailure['kind']>> = {
  spawnNotFound: 'programNotFound',
  spawnPermissionDenied: 'programNotFound',
  spawnFailed: 'spawnFailed',
};

/** Starts programs on the machine of an exec-server. */
export class RemoteBackend implements ExecBackend {
  private started = 0;

  constructor(private readonly client: ExecServerClient) {}

  async start(spec: ProcessSpec): Promise<StartResult> {
    let attachment: Attachment;
    try {
      attachment = await this.client.attach();
    } catch (error) {
      return failed('hostFailed', `${this.client.label} cannot be reached: ${describeError(error)}.`);
    }
    const missing = findMissing(spec, attachment);
    if (missing !== undefined) {
      return failed(
        'hostFailed',
        `The server behind ${this.client.label} cannot ${missing}: that takes one of Exec Sessions.`,
      );
    }
    return this.startRegistered(spec, attachment);
  }

  private async startRegistered(spec: ProcessSpec, attachment: Attachment): Promise<StartResult> {
    const { client } = this;
    const processId = `exec-sessions-${++this.started}`;
    const process = new RemoteProcess(client, { processId, hasExtensions: attachment.hasExtensions });
    client.register(processId, process);
    try {
      const answer = await attachment.connection.request('process/start', startParamsOf(processId, spec));
      process.begin(decodeResult(startResult, 'process/start', answer).pid ?? 0);
      return { kind: 'started', process };
    } catch (error) {
      client.unregister(processId);
      if (error instanceof RpcError) return { kind: 'failed', failure: failureOf(error) };
      // It may have been started after all; nobody will ever know of it.
      client.callAgain('process/terminate', { processId }).catch(() => undefined);
      return failed('hostFailed', `${describeError(error)}.`);
    }
  }
}

/** What is asked for and only a server with our extensions can do. */
function findMissing({ stdin, terminal }: ProcessSpec, { hasExtensions }: Attachment): string | undefined {
  if (hasExtensions) return undefined;
  if (Buffer.isBuffer(stdin)) return 'give a program a whole input';
  const isUsualSize = terminal === undefined || (terminal.cols === 80 && terminal.rows === 24);
  return isUsualSize ? undefined : 'give a terminal another size than 80 by 24';
}

function startParamsOf(processId: string, spec: ProcessSpec): Record<string, unknown> {
  const { argv, cwd, env, envPolicy, terminal, stdin, arg0 } = spec;
  return {
    processId,
    argv,
    cwd: toPathUri(cwd),
    env,
    tty: terminal !== undefined,
    pipeStdin: stdin === 'open',
    arg0: arg0 ?? null,
    ...(envPolicy !== undefined && { envPolicy }),
    ...(terminal !== undefined && { size: terminal }),
    ...(Buffer.isBuffer(stdin) && { stdin: stdin.toString('base64') }),
  };
}

function failureOf({ message, data }: RpcError): StartFailure {
  const parsed = startErrorData.safeParse(data);
  const kind = parsed.success ? (parsed.data.failure ?? FAILURE_OF_KIND[parsed.data.kind]) : undefined;
  return { kind: kind ?? 'hostFailed', message };
}

function failed(kind: StartFailure['kind'], message: string): StartResult {
  return { kind: 'failed', failure: { kind, message } };
}

function describeError(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
