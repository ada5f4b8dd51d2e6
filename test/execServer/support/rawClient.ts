import type { Duplex } from 'node:stream';
import type { ExecServer } from '../../../src/execServer/server/execServer';
import { StreamTransport } from '../../../src/execServer/transports/streamTransport';
import { until } from '../../support/until';
import { duplexPair } from './serverFixture';

export interface RawMessage {
  readonly id?: number;
  readonly method?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly params?: Record<string, unknown>;
}

/** One connection to a server, on which a test sends what it likes. */
export class RawClient {
  readonly received: RawMessage[] = [];
  isDropped = false;
  private partial = '';
  private nextId = 1;

  constructor(private readonly stream: Duplex) {
    stream.on('data', (chunk: Buffer) => {
      const lines = `${this.partial}${chunk.toString('utf8')}`.split('\n');
      this.partial = lines.pop()!;
      this.received.push(...lines.map((line) => JSON.parse(line) as RawMessage));
    });
    stream.on('end', () => (this.isDropped = true));
    stream.on('error', () => (this.isDropped = true));
  }

  /** Connected, with its handshake behind it. */
  static async open(server: ExecServer, resumeSessionId?: string): Promise<RawClient> {
    const client = RawClient.connect(server);
    const { error } = await client.request('initialize', { clientName: 'test', resumeSessionId });
    if (error !== undefined) throw new Error(error.message);
    client.send({ method: 'initialized' });
    return client;
  }

  static connect(server: ExecServer): RawClient {
    const [near, far] = duplexPair();
    server.accept(new StreamTransport('a client', { input: far, output: far }));
    return new RawClient(near);
  }

  get sessionId(): string {
    return this.received.find(({ result }) => result?.['sessionId'] !== undefined)!.result!['sessionId'] as string;
  }

  send(message: unknown): void {
    this.stream.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  request(method: string, params?: unknown): Promise<RawMessage> {
    const id = this.nextId++;
    this.send({ id, method, params });
    return until(`${method} is answered`, () =>
      this.received.find((message) => message.id === id && message.method === undefined),
    );
  }

  start(processId: string, command: string, rest: object = {}): Promise<RawMessage> {
    const env = { PATH: process.env['PATH'] };
    const argv = ['/bin/bash', '--norc', '-c', command];
    return this.request('process/start', { processId, argv, cwd: 'file:///', env, tty: false, ...rest });
  }

  write(processId: string, writeId: string, text: string, rest: object = {}): Promise<RawMessage> {
    const chunk = Buffer.from(text).toString('base64');
    return this.request('process/write', { processId, writeId, chunk, ...rest });
  }

  /** Waits for a notification about a process. */
  event(method: string, processId: string): Promise<Record<string, unknown>> {
    return until(
      `${method} of ${processId} is told`,
      () => this.events(processId).find((event) => event.method === method)?.params,
    );
  }

  output(processId: string): string {
    const chunks = this.events(processId).map(({ params }) =>
      Buffer.from((params?.['chunk'] as string | undefined) ?? '', 'base64'),
    );
    return Buffer.concat(chunks).toString('utf8');
  }

  drop(): void {
    this.stream.destroy();
  }

  private events(processId: string): RawMessage[] {
    return this.received.filter(({ method, params }) => method !== undefined && params?.['processId'] === processId);
  }
}

/** The output of a `process/read`. */
export function chunksOf({ result }: RawMessage): string {
  const chunks = result!['chunks'] as { chunk: string }[];
  return Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64'))).toString('utf8');
}
