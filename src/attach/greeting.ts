/** What the two ends say before the protocol of a service begins: one line of JSON each. */
import type { Socket } from 'node:net';
import { ATTACH_PROTOCOL } from './windowRecord';

/**
 * What a window offers:
 * - `tools`: the MCP tools
 * - `execServer`: the exec-server protocol, as Codex speaks it
 * - `mcpServer`: one of the MCP servers that the window reaches through environments
 */
export const SERVICES = ['tools', 'execServer', 'mcpServer'] as const;
export type Service = (typeof SERVICES)[number];

/** What a client says first. */
export interface Greeting {
  readonly token: string;
  /** Versions that knew only one said nothing of it: the tools. */
  readonly service: Service;
  /** The name of the MCP server; `undefined` for the other services. */
  readonly server?: string | undefined;
  /** Where its commands start unless they say otherwise; absolute. */
  readonly cwd: string;
  /** The shell of commands that name none; `undefined`: that of the window. */
  readonly shell: string | undefined;
  /** Whether secrets are masked for this client, whatever the window's setting says. */
  readonly isRedacting: boolean;
}

export type Answer =
  /** With what begins then. */
  { readonly kind: 'accepted'; readonly service: Service } | { readonly kind: 'refused'; readonly message: string };

/** Far more than a greeting needs; whoever sends more without a line end is no client. */
const MAX_LINE_BYTES = 64 * 1_024;
/** Both ends are on one machine: a peer that has not said its line after that long never will. */
const LINE_TIMEOUT_MS = 10_000;

export function writeGreeting(socket: Socket, greeting: Greeting): void {
  socket.write(`${JSON.stringify({ protocol: ATTACH_PROTOCOL, ...greeting })}\n`);
}

export function writeAnswer(socket: Socket, answer: Answer): void {
  socket.write(`${JSON.stringify({ protocol: ATTACH_PROTOCOL, ...answer })}\n`);
}

/** `undefined` where the peer says something else, or nothing in time. */
export async function readGreeting(socket: Socket): Promise<Greeting | undefined> {
  const { token, service, server, cwd, shell, isRedacting } = await readObject(socket);
  const wanted = readService(service);
  if (wanted === undefined) return undefined;
  if (typeof token !== 'string' || typeof cwd !== 'string' || typeof isRedacting !== 'boolean') return undefined;
  if (!isOptionalText(shell) || !isOptionalText(server)) return undefined;
  return { token, service: wanted, server, cwd, shell, isRedacting };
}

/** `undefined` where the peer says something else, or nothing in time. */
export async function readAnswer(socket: Socket): Promise<Answer | undefined> {
  const { kind, message, service } = await readObject(socket);
  const begun = readService(service);
  if (kind === 'accepted') return begun === undefined ? undefined : { kind, service: begun };
  return kind === 'refused' && typeof message === 'string' ? { kind, message } : undefined;
}

function isOptionalText(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

function readService(value: unknown): Service | undefined {
  return value === undefined ? 'tools' : SERVICES.find((service) => service === value);
}

/** Empty for what is no object of this protocol. */
async function readObject(socket: Socket): Promise<Readonly<Record<string, unknown>>> {
  const line = await readLine(socket);
  if (line === undefined) return {};
  try {
    const value: unknown = JSON.parse(line);
    const isOurs = typeof value === 'object' && value !== null && 'protocol' in value && value.protocol === ATTACH_PROTOCOL;
    return isOurs ? { ...value } : {};
  } catch {
    return {};
  }
}

/** The first line; what comes after it stays in the socket, which is paused. `undefined`: there is none to come. */
function readLine(socket: Socket): Promise<string | undefined> {
  return new Promise((resolve) => {
    let received = Buffer.alloc(0);
    const finish = (line: string | undefined): void => {
      clearTimeout(timer);
      socket.off('data', take).off('close', fail).pause();
      resolve(line);
    };
    const fail = (): void => {
      finish(undefined);
    };
    const take = (chunk: Buffer): void => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\n');
      if (end < 0) {
        if (received.length > MAX_LINE_BYTES) fail();
        return;
      }
      finish(received.toString('utf8', 0, end));
      if (end + 1 < received.length) socket.unshift(received.subarray(end + 1));
    };
    const timer = setTimeout(fail, LINE_TIMEOUT_MS);
    socket.on('data', take).on('close', fail);
  });
}
