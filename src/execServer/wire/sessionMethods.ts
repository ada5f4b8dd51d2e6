import { z } from 'zod';

export const initializeParams = z.object({ clientName: z.string(), resumeSessionId: z.string().nullish() });

/** What a client learns of the machine; all but the shell may be missing. */
export const environmentInfo = z.object({
  shell: z.object({ name: z.string(), path: z.string() }),
  executorVersion: z.string().optional(),
  cwd: z.string().nullish(),
  userHomeDir: z.string().nullish(),
  platformOs: z.string().nullish(),
  tempDir: z.string().nullish(),
  temporaryDirectories: z.array(z.string()).nullish(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
});
export type EnvironmentInfo = z.infer<typeof environmentInfo>;

export const initializeResult = z.object({ sessionId: z.string(), environmentInfo: environmentInfo.nullish() });
