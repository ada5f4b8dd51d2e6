export interface CodeServerOptions {
  /** Extension packages to install before the start. */
  readonly vsixFiles?: readonly string[];
  /** User settings on top of the quiet ones. A data folder that has settings already keeps them. */
  readonly settings?: Readonly<Record<string, unknown>>;
  /** Language models of the chat, as VS Code keeps them in `chatLanguageModels.json`. */
  readonly chatModels?: readonly object[];
  /** Environment variables of the server, and so of its extension hosts. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** A folder of the caller, or one that an earlier server has kept. Default: a new temporary one. */
  readonly dataDir?: string;
  /** Whether the workspace is not trusted until somebody says so. Default: everything is trusted. */
  readonly startsRestricted?: boolean;
  /** Default: any free one. */
  readonly port?: number;
}

export interface CodeServer {
  readonly url: string;
  readonly port: number;
  readonly dataDir: string;
  readonly workspaceDir: string;
  readonly logFile: string;
  /** Ends the server with everything it has started, and removes its data unless told to keep them. */
  stop(options?: { keepData?: boolean }): Promise<void>;
}

export function startCodeServer(options?: CodeServerOptions): Promise<CodeServer>;
