import type { TerminalSize } from '../../process/execProcess';

/** The size of a terminal that nobody looks at. */
export const DEFAULT_TERMINAL_SIZE: TerminalSize = { cols: 80, rows: 24 };
