/** Plays the client's side of a recorded conversation, and tells in which answers this server differs from the recorded one. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { WebSocket } from 'ws';
import { REFUSING_ORIGIN, startHttpServer } from '../../support/startHttpServer';
import { until } from '../../support/until';
import { type BodyDelta, ReceivedBodies } from './receivedBodies';
import { createWorkFolder } from './workFolder';

interface Entry {
  readonly conn: string;
  readonly open?: true;
  readonly close?: 'client' | 'server';
  readonly send?: unknown;
  readonly sendText?: string;
  readonly isBinary?: boolean;
  readonly receive?: Message;
}

interface Message {
  readonly id?: string | number;
  readonly method?: string;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly data?: { readonly kind: string } };
  readonly params?: Notification;
}

interface Notification {
  readonly processId: string;
  readonly seq: number;
  readonly stream?: string;
  readonly chunk?: string;
  readonly exitCode?: number;
}

/** What only this server sends. */
const OURS = ['pid', 'startOffset', 'signal', 'isOutputHeld'];

export interface Replay {
  /** `[what was recorded, what came]` for each answer that differs. */
  readonly differences: readonly (readonly [unknown, unknown])[];
  /** Of each process: its output by stream, its exit code, and whether its numbers had no gap and closed was last. */
  readonly recorded: Record<string, unknown>;
  readonly replayed: Record<string, unknown>;
}

/** All that one side has received, over all connections. */
class Received {
  private readonly answers = new Map<string, Message[]>();
  private readonly events = new Map<string, Map<number, Notification & { method: string }>>();
  readonly sessionIds: string[] = [];
  readonly bodies = new ReceivedBodies();

  add(conn: string, message: Message): void {
    if (message.method !== undefined) {
      if (message.method === 'http/request/bodyDelta') this.bodies.add(message.params as unknown as BodyDelta);
      else this.addEvent(message.method, message.params!);
      return;
    }
    const key = `${conn} ${JSON.stringify(message.id)}`;
    this.answers.set(key, [...(this.answers.get(key) ?? []), message]);
    const result = message.result as { sessionId?: string; chunks?: Notification[] } | undefined;
    if (result?.sessionId !== undefined) this.sessionIds.push(result.sessionId);
  }

  answer(conn: string, { id }: Message, index: number): Message | undefined {
    return this.answers.get(`${conn} ${JSON.stringify(id)}`)?.[index];
  }

  /** Characters of output, without numbers that differ, and number of other events of a process. */
  progress(processId: string): number {
    const events = [...(this.events.get(processId)?.values() ?? [])];
    const output = Buffer.concat(events.map(({ chunk }) => Buffer.from(chunk ?? '', 'base64'))).toString('latin1');
    return withoutNumbers(output).length + events.filter(({ chunk }) => chunk === undefined).length;
  }

  addChunks(processId: string, chunks: readonly Notification[]): void {
    for (const chunk of chunks) this.addEvent('process/output', { ...chunk, processId });
  }

  summary(neutralize: (text: string) => string = (text) => text): Record<string, unknown> {
    return Object.fromEntries(
      [...this.events].map(([processId, bySeq]) => {
        const events = [...bySeq.values()].sort((one, other) => one.seq - other.seq);
        const output: Record<string, string> = {};
        const exited = events.find(({ method }) => method === 'process/exited');
        for (const { stream, chunk } of events) {
          if (stream !== undefined)
            output[stream] = `${output[stream] ?? ''}${Buffer.from(chunk ?? '', 'base64').toString('latin1')}`;
        }
        return [
          processId,
          {
            output: Object.fromEntries(
              Object.entries(output).map(([stream, text]) => [stream, neutralize(withoutNumbers(text))]),
            ),
            ...(exited !== undefined && { exitCode: exited.exitCode }),
            isGapless: events.every(({ seq }, index) => seq === index + 1),
            ...(events.at(-1)?.method === 'process/closed' && { isClosedLast: true }),
          },
        ];
      }),
    );
  }

  private addEvent(method: string, params: Notification): void {
    const bySeq = this.events.get(params.processId) ?? new Map();
    bySeq.set(params.seq, { ...params, method });
    this.events.set(params.processId, bySeq);
  }
}

/** The environment of the recorded server, as a program got it that was to get all of it. */
export function recordedHostEnv(): Record<string, string> {
  const lines = readFileSync(goldenFile('env-policy'), 'utf8').trimEnd().split('\n');
  const entries = lines.map((line) => JSON.parse(line) as Entry);
  const printed = entries.find(({ receive }) => receive?.params?.processId === 'e2' && receive.params.chunk !== undefined);
  const variables = Buffer.from(printed!.receive!.params!.chunk!, 'base64').toString('utf8').split('\0').filter(Boolean);
  return Object.fromEntries(variables.map((variable) => variable.split('=', 2) as [string, string]));
}

function goldenFile(name: string): string {
  return path.join(import.meta.dirname, '..', 'golden', `${name}.jsonl`);
}

export async function replay(name: string, url: string): Promise<Replay> {
  const work = createWorkFolder(name);
  const recorded = new Received();
  const replayed = new Received();
  const sockets = new Map<string, WebSocket>();
  const expected: { conn: string; message: Message; index: number; isRead: boolean }[] = [];
  const counts = new Map<string, number>();
  const reads = new Map<string, string>();
  const text = readFileSync(goldenFile(name), 'utf8')
    .replaceAll('http://127.0.0.1:PORT', (await startHttpServer()).origin)
    .replaceAll('http://127.0.0.1:REFUSED', REFUSING_ORIGIN)
    .replaceAll('file:///WORK', pathToFileURL(work).href)
    .replaceAll('/WORK', work)
    .replaceAll(/BYTES\((\d+),(\d+)\)/g, (_all, byte, count) =>
      Buffer.alloc(Number(count), Number(byte)).toString('base64'),
    );

  const catchUp = (): Promise<unknown> =>
    until(
      `${name}: everything recorded so far has come`,
      () =>
        expected.every(({ conn, message, index }) => replayed.answer(conn, message, index) !== undefined) &&
        Object.keys(recorded.summary()).every((id) => replayed.progress(id) >= recorded.progress(id)) &&
        replayed.bodies.endedCount >= recorded.bodies.endedCount,
    );
  const open = async (conn: string): Promise<void> => {
    const socket = new WebSocket(url);
    sockets.set(conn, socket);
    socket.on('message', (data: Buffer) => {
      const message = JSON.parse(data.toString('utf8')) as Message;
      const read = reads.get(`${conn} ${JSON.stringify(message.id)}`);
      if (read !== undefined)
        replayed.addChunks(read, (message.result as { chunks?: Notification[] } | undefined)?.chunks ?? []);
      replayed.add(conn, message);
    });
    await new Promise((resolve) => socket.once('open', resolve));
  };
  const send = ({ conn, send: message, sendText, isBinary = false }: Entry): void => {
    const { id, method, params } = (message ?? {}) as { id?: unknown; method?: string; params?: { processId: string } };
    if (method === 'process/read') reads.set(`${conn} ${JSON.stringify(id)}`, params!.processId);
    const json =
      sendText ??
      JSON.stringify(message).replaceAll(/SESSION-(\d)/g, (_all, number) => replayed.sessionIds[number - 1] ?? '');
    sockets.get(conn)!.send(Buffer.from(json), { binary: isBinary });
  };

  for (const line of text.trimEnd().split('\n')) {
    const entry = JSON.parse(line) as Entry;
    const { conn, receive } = entry;
    if (receive !== undefined) {
      const key = `${conn} ${JSON.stringify(receive.id)}`;
      const read = reads.get(key);
      if (read !== undefined)
        recorded.addChunks(read, (receive.result as { chunks?: Notification[] } | undefined)?.chunks ?? []);
      recorded.add(conn, receive);
      if (receive.method === undefined) {
        const index = counts.get(key) ?? 0;
        counts.set(key, index + 1);
        expected.push({ conn, message: receive, index, isRead: read !== undefined });
      }
      continue;
    }
    await catchUp();
    if (entry.open) await open(conn);
    else if (entry.close === 'client') sockets.get(conn)!.terminate();
    else if (entry.close === 'server')
      await until(`${conn} is dropped`, () => sockets.get(conn)!.readyState === WebSocket.CLOSED);
    else send(entry);
  }
  await catchUp();
  for (const socket of sockets.values()) socket.terminate();
  const differences = expected.flatMap(({ conn, message, index, isRead }) => {
    const [wanted, got] = [message, replayed.answer(conn, message, index)!].map((answer) =>
      comparable(answer, { isRead, isCutAlike: name === 'process-read-options' }),
    );
    return JSON.stringify(wanted) === JSON.stringify(got) ? [] : [[wanted, got] as const];
  });
  return {
    differences,
    recorded: { ...recorded.summary(), bodies: recorded.bodies.summary() },
    replayed: {
      ...replayed.summary((text) => text.replaceAll(work, '/WORK')),
      bodies: replayed.bodies.summary(),
    },
  };
}

/** Without what differs from run to run. Of a read, that is where the output was cut into chunks, unless that is what it is about. */
function comparable(
  { id, result, error }: Message,
  { isRead, isCutAlike }: { isRead: boolean; isCutAlike: boolean },
): unknown {
  if (error !== undefined) return { id, code: error.code, kind: error.data?.kind };
  if (typeof result !== 'object' || result === null) return { id, result };
  const members = Object.entries(result).filter(([name]) => !OURS.includes(name));
  const known = members.map(([name, value]): [string, unknown] => {
    if (name === 'sessionId') return [name, typeof value];
    if (name === 'environmentInfo') return [name, 'INFO'];
    if (name === 'headers') return [name, comparableHeaders(value as { name: string }[])];
    if (name === 'bodyBase64') return [name, comparableBody(value as string)];
    // What the chunks hold is in the summary.
    if (isRead && !isCutAlike && (name === 'chunks' || name === 'nextSeq')) return [name, typeof value];
    return [name, comparableFileMember(name, value, result)];
  });
  return { id, result: Object.fromEntries(known.sort(([one], [other]) => one.localeCompare(other))) };
}

/** Of an HTTP response, without what its server says of time and size. */
function comparableHeaders(headers: readonly { readonly name: string }[]): unknown {
  const others = headers.filter(({ name }) => name !== 'date' && name !== 'content-length');
  return others.sort((one, other) => one.name.localeCompare(other.name));
}

/** Of an echo, the headers that came in the order of their names; ours are a `connection` more. */
function comparableBody(base64: string): unknown {
  const text = Buffer.from(base64, 'base64').toString('latin1');
  if (!text.startsWith('{')) return text;
  const echo = JSON.parse(text) as { readonly h: string[] };
  return { ...echo, h: echo.h.filter((name) => name !== 'connection').sort() };
}

/** Without times, the sizes of folders, and the order in which a folder was read. */
function comparableFileMember(name: string, value: unknown, result: object): unknown {
  if (name.endsWith('AtMs') || (name === 'size' && 'isDirectory' in result && result.isDirectory === true))
    return typeof value;
  if (name !== 'entries' || 'truncated' in result) return value;
  const entries = value as readonly { readonly fileName: string }[];
  return [...entries].sort((one, other) => one.fileName.localeCompare(other.fileName));
}

/** Without process ids and numbers of terminals; an environment in the order of its names. */
function withoutNumbers(text: string): string {
  if (text.endsWith('\0')) return text.split('\0').sort().join('\n');
  return text.replaceAll(/pts\/\d+|^\d{3,7}$/gm, '#');
}
