import { randomUUID } from 'node:crypto';
import type { ExecBackend, ExecProcess, ProcessSpec, StartFailure, StartResult } from '../../process/execProcess';
import { decodeResult } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import { toPathUri } from '../wire/pathUri';
import { listResult, startErrorData, startResult } from '../wire/processMethods';
import { RpcError } from '../wire/rpcError';
import type { Attachment, ExecServerClient } from './execServerClient';
import { RemoteProcess } from './remoteProcess';
import { messageOf } from '../../base/messageOf';

export interface TakenUpProcess {
  readonly process: ExecProcess;
  /** As given at its start. */
  readonly note: string | undefined;
}

/** What other servers say of a program that they did not start. */
const FAILURE_OF_KIND: Partial<Record<string, StartFailure['kind']>> = {
  spawnNotFound: 'programNotFound',
  spawnPermissionDenied: 'programNotFound',
  spawnFailed: 'spawnFailed',
};

/** Starts programs on the machine of an exec-server. */
export class RemoteBackend implements ExecBackend {
  constructor(private readonly client: ExecServerClient) {}

  /**
   * What the session ran before this client took it up: each process from the oldest output on that the server keeps. To be
   * called once, before anything is started. Rejects where the server cannot be reached or does not know the session any more.
   */
  async takeUp(): Promise<readonly TakenUpProcess[]> {
    const { hasExtensions } = await this.client.attach();
    if (!hasExtensions) return [];
    const answer = await this.client.callAgain(EXTENSION_METHODS.list, {});
    const { processes } = decodeResult(listResult, EXTENSION_METHODS.list, answer);
    return processes.map(({ processId, pid, note }) => {
      const process = new RemoteProcess(this.client, { processId, hasExtensions });
      process.begin(pid);
      process.readBack();
      return { process, note };
    });
  }

  async start(spec: ProcessSpec): Promise<StartResult> {
    let attachment: Attachment;
    try {
      attachment = await this.client.attach();
    } catch (error) {
      return failed('hostFailed', `${this.client.label} cannot be reached: ${messageOf(error)}.`);
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
    // Not a count: another client may have started others in the same session.
    const processId = `exec-sessions-${randomUUID()}`;
    // Before it is asked for: what it does may be told before the answer.
    const process = new RemoteProcess(client, { processId, hasExtensions: attachment.hasExtensions });
    try {
      const answer = await attachment.connection.request('process/start', startParamsOf(processId, spec));
      process.begin(decodeResult(startResult, 'process/start', answer).pid ?? 0);
      return { kind: 'started', process };
    } catch (error) {
      client.unregister(processId);
      if (error instanceof RpcError) return { kind: 'failed', failure: failureOf(error) };
      // It may have been started after all; nobody will ever know of it.
      client.callAgain('process/terminate', { processId }).catch(() => undefined);
      return failed('hostFailed', `${messageOf(error)}.`);
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
  const { argv, cwd, env, envPolicy, terminal, stdin, arg0, note } = spec;
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
    ...(note !== undefined && { note: note() }),
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
