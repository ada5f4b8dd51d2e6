import type { Tool, ToolContext } from './tool';
import { execCommandTool } from './tools/execCommand';
import { listSessionsTool } from './tools/listSessions';
import { readOutputTool } from './tools/readOutput';
import { resizeSessionTool } from './tools/resizeSession';
import { terminateSessionTool } from './tools/terminateSession';
import { writeStdinTool } from './tools/writeStdin';

/** In the order in which they are listed. */
export const tools: readonly Tool[] = [
  execCommandTool,
  writeStdinTool,
  readOutputTool,
  listSessionsTool,
  terminateSessionTool,
  resizeSessionTool,
];

/** What a client is told of: nothing where no environment may be used, since nothing can be run. */
export function listedTools({ manager }: ToolContext): readonly Tool[] {
  return manager.environments.list().length === 0 ? [] : tools;
}

/** By its name or one of its other names. */
export function findTool(name: string): Tool | undefined {
  return tools.find((tool) => tool.name === name || tool.aliases.includes(name));
}
