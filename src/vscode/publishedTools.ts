import type { Tool as ToolDefinition } from '@modelcontextprotocol/sdk/types.js';
import { ClientView } from '../mcp/clientView';
import { MAX_YIELD_MS } from '../mcp/limits';
import type { ToolContext } from '../mcp/tool';
import { listedTools } from '../mcp/tools';
import { createRedaction } from '../mcp/redaction';
import type { SessionManager } from '../session/sessionManager';

/** The tools as a client of the window's server is told about them now; they name the folder and the shell of the window. */
export function publishedTools(manager: SessionManager): ToolDefinition[] {
  const redaction = createRedaction(() => false);
  const view = new ClientView({ manager, redaction, tellsTypedText: () => true });
  try {
    const context: ToolContext = {
      manager,
      defaults: manager,
      view,
      maxYieldMs: MAX_YIELD_MS,
      redaction,
      // What a project tells depends on the client.
      docs: { hint: '' },
      origin: () => ({ startedBy: 'chat' }),
    };
    return listedTools(context).map((tool) => tool.definition(context));
  } finally {
    view.dispose();
  }
}
