/**
 * The MCP server of one client connection. Sessions belong to the manager and are shared between connections; what a client
 * has seen of them belongs to the connection and goes with it.
 */
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ServerCapabilities,
  type ServerNotification,
  type ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import type { Event } from '../base/emitter';
import type { Log } from '../base/log';
import type { SessionManager } from '../session/sessionManager';
import type { AgentStarter } from '../session/starter';
import { ClientView } from './clientView';
import { initializeOnce } from './initializeOnce';
import { ProjectDocsOffer, type ProjectDocsReader } from './projectDocs';
import { MAX_YIELD_MS } from './limits';
import { createRedaction } from './redaction';
import { SessionResources } from './resources';
import { instructions, SERVER_INFO } from './serverInfo';
import type { SessionDefaults, ToolCall, ToolContext } from './tool';
import { errorResult } from './toolResult';
import { findTool, listedTools, tools } from './tools';

export interface McpServerOptions {
  readonly manager: SessionManager;
  readonly log: Log;
  /** Whose sessions those of its clients are. */
  readonly starter: AgentStarter;
  /** In milliseconds; default {@link MAX_YIELD_MS}. */
  readonly maxYieldMs?: number;
  /** Whether secrets are masked in what models get. Asked anew each time; default: no. */
  readonly isRedacting?: () => boolean;
  /** What holds for sessions that this client starts; default: what the manager says. */
  readonly defaults?: SessionDefaults;
  /** Whether clients are told the lines that the user types, and not only that something was typed. Asked anew; default: yes. */
  readonly tellsTypedText?: () => boolean;
  /** What the tools say of themselves is another than before, such as the shell that they name. */
  readonly onDidChangeTools?: Event<void>;
  /** Reads what projects tell agents; without it clients are told nothing of that. */
  readonly projectDocs?: ProjectDocsReader | undefined;
}

export interface McpServer {
  /** Serves one client for as long as the transport is open. */
  connect(transport: Transport): Promise<void>;
  /** Closes the connection; sessions go on. */
  close(): Promise<void>;
}

const CAPABILITIES: ServerCapabilities = {
  tools: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
};

export function createMcpServer(options: McpServerOptions): McpServer {
  const { manager, log, projectDocs, starter, defaults = manager } = options;
  let server: ReturnType<typeof createServer> | undefined;
  let isClosed = false;
  return {
    connect: async (transport) => {
      const docs = await ProjectDocsOffer.prepare({
        reader: projectDocs,
        environments: manager.environments,
        folderOf: ({ id, kind }) => (kind === 'local' ? defaults.defaultCwd : manager.remoteCwd(id)),
        // As VS Code does with those of its workspace.
        isClientReadingLocal: starter === 'chat',
        log,
      });
      server = createServer(options, docs);
      initializeOnce(transport, log);
      await server.connect(transport);
      if (isClosed) await server.close();
    },
    close: async () => {
      isClosed = true;
      await server?.close();
    },
  };
}

// The high-level server of the SDK answers unknown tools and bad arguments in its own way; ours are part of the interface.
// eslint-disable-next-line @typescript-eslint/no-deprecated
function createServer(options: McpServerOptions, docs: ProjectDocsOffer): Server {
  const { manager, log, maxYieldMs = MAX_YIELD_MS, isRedacting = () => false, tellsTypedText = () => true } = options;
  const redaction = createRedaction(isRedacting);
  const view = new ClientView({ manager, redaction, tellsTypedText });
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const server = new Server(SERVER_INFO, {
    capabilities: CAPABILITIES,
    instructions: redaction.redact(`${instructions(manager.isAttended)}${docs.instructions}`).text,
  });
  const context: ToolContext = {
    manager,
    defaults: options.defaults ?? manager,
    view,
    maxYieldMs,
    redaction,
    docs,
    origin: () => ({ startedBy: options.starter, client: server.getClientVersion()?.name }),
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: listedTools(context).map((tool) => tool.definition(context)),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const tool = findTool(params.name);
    if (tool === undefined) {
      const names = tools.map(({ name }) => name).join(', ');
      return errorResult('unknownTool', `There is no tool ${JSON.stringify(params.name)}. The tools are ${names}.`);
    }
    const place = manager.environments.find(undefined);
    // Whoever calls it all the same knows it from elsewhere.
    if (listedTools(context).length === 0 && place.kind === 'failed') {
      return errorResult(place.failure.kind, place.failure.message);
    }
    return tool.call(params.arguments, toolCall(extra, log), context);
  });
  const resources = new SessionResources({ server, manager, log, redaction, docs });
  const toolChanges = options.onDidChangeTools?.(() => {
    server.sendToolListChanged().catch((error: unknown) => {
      log.debug(`a change of the tools could not be told: ${String(error)}`);
    });
  });
  server.onerror = (error) => {
    log.warn(`MCP connection: ${error.message}`);
  };
  server.onclose = () => {
    view.dispose();
    resources.dispose();
    toolChanges?.dispose();
  };
  return server;
}

function toolCall(extra: RequestHandlerExtra<ServerRequest, ServerNotification>, log: Log): ToolCall {
  const progressToken = extra._meta?.progressToken;
  if (progressToken === undefined) return { signal: extra.signal, reportProgress: undefined };
  return {
    signal: extra.signal,
    reportProgress: (progress, message) => {
      const params = { progressToken, progress, message };
      extra.sendNotification({ method: 'notifications/progress', params }).catch((error: unknown) => {
        log.debug(`progress could not be reported: ${String(error)}`);
      });
    },
  };
}
