/** In rising order of weight: a log with level `info` shows `info`, `warn` and `error`. */
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'off'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/**
 * Where the product tells what it does. Each host has its own: stderr for the command line, an output channel in the window.
 * Never log a token, an environment value or what a human typed.
 */
export interface Log {
  trace(message: string): void;
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  error(message: string, error?: unknown): void;
}

/** Log lines of at least `level`, handed to `writeLine` without a line end. */
export function createLineLog(level: LogLevel, writeLine: (line: string) => void): Log {
  const threshold = LOG_LEVELS.indexOf(level);
  const at =
    (name: LogLevel) =>
    (message: string, error?: unknown): void => {
      if (LOG_LEVELS.indexOf(name) < threshold) return;
      writeLine(`${new Date().toISOString()} ${name} ${message}${error === undefined ? '' : `: ${describeError(error)}`}`);
    };
  return { trace: at('trace'), debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
