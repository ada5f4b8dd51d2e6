/**
 * MCP resources: what projects tell agents, and of each session the text that it has printed, and its screen if it has a terminal.
 * A client that subscribes to a session's is told when it ends and when it waits for input, once for each.
 */
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type Resource,
  SubscribeRequestSchema,
  type TextResourceContents,
  UnsubscribeRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import type { Log } from '../base/log';
import { textOrBinaryName } from '../session/text/binaryText';
import type { Session } from '../session/session';
import type { SessionManager } from '../session/sessionManager';
import { countLines, readLines } from '../session/log/transcript';
import { describeGone } from './findSession';
import { maskLines } from './maskedLines';
import { PROJECT_DOCS_TEMPLATE, PROJECT_DOCS_TYPE, type ProjectDocsOffer } from './projectDocs';
import type { Redaction } from './redaction';
import { parseResourceUri, RESOURCE_KINDS, type ResourceKind, resourceUri } from './resourceUris';
import { describeCommand, describeState } from './statusLine';

/** Lines of a transcript that a resource holds: its beginning and its end, so many of each. `read_output` reads any others. */
const MAX_RESOURCE_LINES = 10_000;
/** A subscriber waits for a change without an end; this only bounds one round of waiting. */
const WATCH_ROUND_MS = 60 * 60_000;

/** Changes of the list this close together are told as one: an agent that runs command after command changes it all the time. */
const LIST_CHANGE_MS = 250;

const NEWLINE = Buffer.from('\n');

export interface SessionResourcesOptions {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the low-level server, see mcpServer.ts
  readonly server: Server;
  readonly manager: SessionManager;
  readonly log: Log;
  readonly redaction: Redaction;
  readonly docs: ProjectDocsOffer;
}

/** Serves the resources of one client connection; dispose it with the connection. */
export class SessionResources implements Disposable {
  private readonly store = new DisposableStore();
  private readonly subscriptions = new Map<string, Disposable>();
  private listTimer: NodeJS.Timeout | undefined;

  constructor(private readonly options: SessionResourcesOptions) {
    const { server, manager } = options;
    server.setRequestHandler(ListResourcesRequestSchema, () => ({
      resources: [
        ...options.docs.resources(),
        ...manager.list().flatMap((session) => resourcesOf(session, options.redaction)),
      ],
    }));
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [PROJECT_DOCS_TEMPLATE] }));
    server.setRequestHandler(ReadResourceRequestSchema, async ({ params: { uri } }) => ({
      contents: [await this.read(uri)],
    }));
    server.setRequestHandler(SubscribeRequestSchema, ({ params: { uri } }) => {
      this.subscribe(uri);
      return {};
    });
    server.setRequestHandler(UnsubscribeRequestSchema, ({ params: { uri } }) => {
      this.unsubscribe(uri);
      return {};
    });
    this.store.add(manager.onDidAdd(() => this.tellListSoon()));
    this.store.add(manager.onDidRemove(() => this.tellListSoon()));
    this.store.add(toDisposable(() => clearTimeout(this.listTimer)));
    this.store.add(toDisposable(() => this.subscriptions.forEach((subscription) => subscription.dispose())));
  }

  dispose(): void {
    this.store.dispose();
  }

  private tellListSoon(): void {
    this.listTimer ??= setTimeout(() => {
      this.listTimer = undefined;
      this.notify('the list', () => this.options.server.sendResourceListChanged());
    }, LIST_CHANGE_MS);
  }

  private async read(uri: string): Promise<TextResourceContents> {
    const { redaction, docs } = this.options;
    const told = await docs.read(uri);
    if (told !== undefined) return { uri, mimeType: PROJECT_DOCS_TYPE, text: redaction.redact(told).text };
    const { session, kind } = this.find(uri);
    const text = kind === 'screen' ? await screenText(session) : await transcriptText(session, redaction);
    return { uri, mimeType: 'text/plain', text: redaction.redact(text).text };
  }

  private subscribe(uri: string): void {
    const { session } = this.find(uri);
    if (this.subscriptions.has(uri)) return;
    const ending = new AbortController();
    this.subscriptions.set(
      uri,
      toDisposable(() => ending.abort()),
    );
    this.follow(session, uri, ending.signal).catch((error: unknown) => {
      if (!ending.signal.aborted) this.options.log.error(`resource ${uri} could not be followed`, error);
    });
  }

  private unsubscribe(uri: string): void {
    this.subscriptions.get(uri)?.dispose();
    this.subscriptions.delete(uri);
  }

  private async follow(session: Session, uri: string, signal: AbortSignal): Promise<void> {
    if (session.state.kind === 'ended') return;
    let knownWait: string | undefined;
    for (;;) {
      const end = await session.wait(WATCH_ROUND_MS, { signal, knownWait });
      if (end === 'deadline') continue;
      knownWait = session.inputWait().stamp;
      this.notify(uri, () => this.options.server.sendResourceUpdated({ uri }));
      if (end === 'ended') return;
    }
  }

  private find(uri: string): { session: Session; kind: ResourceKind } {
    const parsed = parseResourceUri(uri);
    const lookup = parsed === undefined ? undefined : this.options.manager.find(parsed.sessionId);
    if (parsed === undefined || lookup === undefined || lookup.kind === 'unknown') {
      throw notFound(uri, 'there is no such resource.');
    }
    if (lookup.kind !== 'found') throw notFound(uri, describeGone(parsed.sessionId, lookup));
    return { session: lookup.session, kind: parsed.kind };
  }

  private notify(what: string, send: () => Promise<void>): void {
    send().catch((error: unknown) => {
      this.options.log.debug(`a change of ${what} could not be told: ${String(error)}`);
    });
  }
}

/** The code that the specification of MCP gives to resources that do not exist. */
const RESOURCE_NOT_FOUND = -32_002;

function notFound(uri: string, reason: string): McpError {
  return new McpError(RESOURCE_NOT_FOUND, `${uri}: ${reason} List the resources to see what there is.`);
}

function resourcesOf(session: Session, redaction: Redaction): Resource[] {
  const { id, isTerminal } = session.info;
  const title = redaction.redact(session.info.title).text;
  const kinds = RESOURCE_KINDS.filter((kind) => kind === 'transcript' || isTerminal);
  return kinds.map((kind) => ({
    uri: resourceUri(id, kind),
    name: `session-${id}-${kind}`,
    title: kind === 'transcript' ? `Output of ${title}` : `Screen of ${title}`,
    description: `Session ${id}, ${describeCommand(session, redaction)}: ${describeState(session)}.`,
    mimeType: 'text/plain',
  }));
}

async function screenText(session: Session): Promise<string> {
  const { rows } = await session.screen();
  return `${rows.join('\n').trimEnd()}\n`;
}

async function transcriptText(session: Session, { isOn: isRedacting }: Redaction): Promise<string> {
  const { transcript } = session;
  const total = countLines(transcript);
  const head = await readLines(transcript, 1, Math.min(total, MAX_RESOURCE_LINES));
  const tail = await readLines(transcript, Math.max(MAX_RESOURCE_LINES + 1, total - MAX_RESOURCE_LINES + 1), total);
  const omitted = total - head.lines.length - tail.lines.length;
  const textOf = async (range: typeof head): Promise<string> => {
    const lines = isRedacting() ? (await maskLines(session, range)).lines : range.lines;
    const bytes = Buffer.concat(lines.flatMap((line) => [line.bytes, NEWLINE]));
    return textOrBinaryName(bytes.toString('utf8'), bytes.length);
  };
  const gap = omitted > 0 ? `[… ${omitted.toLocaleString('en-US')} lines omitted; read_output reads them …]\n` : '';
  return `${await textOf(head)}${gap}${await textOf(tail)}`;
}
