/** The picture that a program has drawn, rendered from its output when somebody asks for it: never while it streams. */
import type { Terminal } from '@xterm/headless';
import type { TerminalSize } from '../../process/execProcess';

export interface ScreenSource {
  /** Raw output, from a place where a terminal can begin to read. */
  readonly output: Buffer;
  readonly size: TerminalSize;
}

export interface Screen {
  /** One string a row, without the spaces at its end. */
  readonly rows: readonly string[];
  /** Counted from 0. */
  readonly cursor: { readonly row: number; readonly column: number };
}

export async function renderScreen(source: ScreenSource): Promise<Screen> {
  const terminal = await renderTerminal(source);
  const { active } = terminal.buffer;
  const rows = Array.from({ length: source.size.rows }, (_, row) =>
    (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
  );
  const screen = { rows, cursor: { row: active.cursorY, column: active.cursorX } };
  terminal.dispose();
  return screen;
}

/** A terminal that has read all of the output; the caller disposes it. */
export async function renderTerminal({ output, size }: ScreenSource): Promise<Terminal> {
  // Loaded at the first use: most sessions never need it.
  const { Terminal } = await import('@xterm/headless');
  const terminal = new Terminal({ ...size, scrollback: 0, allowProposedApi: true, logLevel: 'off' });
  await new Promise<void>((resolve) => {
    terminal.write(output, resolve);
  });
  return terminal;
}
