import { MAX_MESSAGE_BYTES } from '../mcp/limits';

type RequestId = string | number;

/** Follows the messages that pass by in both directions, to know which requests of the client have no answer yet. */
export class PendingRequests {
  private readonly ids = new Set<RequestId>();
  private readonly fromClient = new LineReader((line) => {
    for (const { id, method, params } of messagesIn(line)) {
      if (method !== undefined && id !== undefined) this.ids.add(id);
      // Nobody waits for an answer to a call that was taken back.
      if (method === 'notifications/cancelled' && params?.requestId !== undefined) this.ids.delete(params.requestId);
    }
  });
  private readonly fromServer = new LineReader((line) => {
    for (const { id, method } of messagesIn(line)) if (method === undefined && id !== undefined) this.ids.delete(id);
  });

  noteFromClient(chunk: Buffer): void {
    this.fromClient.push(chunk);
  }

  noteFromServer(chunk: Buffer): void {
    this.fromServer.push(chunk);
  }

  /** Lines that answer what is pending with an error, behind the end of a message that was cut off. */
  answers(message: string): string {
    const lines = [...this.ids].map((id) =>
      JSON.stringify({ jsonrpc: '2.0', id, error: { code: CONNECTION_CLOSED, message } }),
    );
    const isCutOff = this.fromServer.hasPartialLine;
    return [...(isCutOff ? [''] : []), ...lines].map((line) => `${line}\n`).join('');
  }
}

/** What the SDKs of the protocol call it. */
const CONNECTION_CLOSED = -32_000;

class LineReader {
  private parts: Buffer[] = [];
  private bytes = 0;

  constructor(private readonly onLine: (line: string) => void) {}

  get hasPartialLine(): boolean {
    return this.bytes > 0;
  }

  push(chunk: Buffer): void {
    let rest = chunk;
    for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
      this.keep(rest.subarray(0, end));
      this.onLine(Buffer.concat(this.parts).toString('utf8'));
      this.parts = [];
      this.bytes = 0;
      rest = rest.subarray(end + 1);
    }
    this.keep(rest);
  }

  private keep(part: Buffer): void {
    this.bytes += part.length;
    // A longer line is no message that anybody takes; that it is there is all that matters.
    if (this.bytes <= MAX_MESSAGE_BYTES && part.length > 0) this.parts.push(part);
  }
}

interface Message {
  readonly id?: RequestId;
  readonly method?: unknown;
  readonly params?: { readonly requestId?: RequestId } | null;
}

function messagesIn(line: string): Message[] {
  try {
    const value: unknown = JSON.parse(line);
    const messages: unknown[] = Array.isArray(value) ? value : [value];
    return messages.filter((message): message is Message => typeof message === 'object' && message !== null);
  } catch {
    // Not for us to judge: the other end answers it.
    return [];
  }
}
