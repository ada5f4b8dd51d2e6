/**
 * Who started a session:
 * - `chat`: an agent in the chat of the window
 * - `cliAgent`: an agent that runs outside of it and reaches the tools by a command line of ours
 * - `codex`: Codex, over its own protocol
 * - `user`: a person in the window
 */
export const STARTERS = ['chat', 'cliAgent', 'codex', 'user'] as const;
export type Starter = (typeof STARTERS)[number];
export type AgentStarter = Exclude<Starter, 'user'>;
