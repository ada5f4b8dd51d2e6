import type { TerminalSize } from '../../process/execProcess';

/** Of a terminal for which no size was asked. */
export const DEFAULT_TERMINAL_SIZE: TerminalSize = { cols: 80, rows: 24 };
