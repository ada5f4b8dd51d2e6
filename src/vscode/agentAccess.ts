import type { Log } from '../base/log';
import type { EnvironmentManager } from '../environment/environmentManager';
import { EnvironmentProjectDocs } from '../environment/environmentProjectDocs';
import type { McpServerOptions } from '../mcp/mcpServer';
import type { SessionManager } from '../session/sessionManager';
import { projectDocFallbackNamesSetting, redactSecretsSetting, tellTypedTextSetting } from './settings';
import { onDidChangeTools } from './toolChanges';

interface AgentAccessParts {
  readonly manager: SessionManager;
  readonly environments: EnvironmentManager;
  readonly log: Log;
}

/** What all agents of the window get, in its chat and outside, by the settings. */
export function createAgentAccess({ manager, environments, log }: AgentAccessParts): Omit<McpServerOptions, 'starter'> {
  return {
    manager,
    log,
    isRedacting: redactSecretsSetting,
    tellsTypedText: tellTypedTextSetting,
    onDidChangeTools,
    projectDocs: new EnvironmentProjectDocs(environments, projectDocFallbackNamesSetting),
  };
}
