/** What the program has set its terminal to, asked of the kernel (tcgetattr); Node has no call for it. */
import { libc } from './libc';

export interface TerminalMode {
  /** Line by line: the kernel collects a line, up to {@link MAX_CANONICAL_BYTES}, before the program gets it. */
  readonly isCanonical: boolean;
  readonly isEcho: boolean;
  /** The byte that hands over what was typed so far (usually ^D), `undefined` where it is switched off. */
  readonly endOfFileByte: number | undefined;
  /** Whether carriage return is taken for a line end. */
  readonly isReturnNewline: boolean;
}

/** Bytes of one line that a terminal in canonical mode keeps; the rest is dropped without a word (N_TTY_BUF_SIZE - 1; man 3 termios). */
export const MAX_CANONICAL_BYTES = process.platform === 'darwin' ? 1_023 : 4_095;

interface TermiosLayout {
  readonly inputFlags: number;
  readonly localFlags: number;
  readonly controlChars: number;
  readonly endOfFileIndex: number;
  readonly ICRNL: number;
  readonly ICANON: number;
  readonly ECHO: number;
}

/** Byte offsets and flags of `struct termios`: glibc/musl (asm-generic) and macOS (sys/termios.h; from its headers, not tried). */
const LAYOUTS: Partial<Record<NodeJS.Platform, TermiosLayout>> = {
  linux: { inputFlags: 0, localFlags: 12, controlChars: 17, endOfFileIndex: 4, ICRNL: 0o400, ICANON: 0o2, ECHO: 0o10 },
  darwin: { inputFlags: 0, localFlags: 24, controlChars: 32, endOfFileIndex: 0, ICRNL: 0x100, ICANON: 0x100, ECHO: 0x8 },
};

/** Larger than `struct termios` of every platform above (60 and 72 bytes). */
const TERMIOS_BYTES = 128;
/** _POSIX_VDISABLE: this control character is off. */
const DISABLED_BYTE = process.platform === 'darwin' ? 0xff : 0;

/** `undefined` where it cannot be known: another platform, or the terminal is gone. */
export function readTerminalMode(fd: number): TerminalMode | undefined {
  const layout = LAYOUTS[process.platform];
  if (layout === undefined) return undefined;
  const termios = Buffer.alloc(TERMIOS_BYTES);
  if (libc.tcgetattr()(fd, termios) !== 0) return undefined;
  const localFlags = termios.readUInt32LE(layout.localFlags);
  const endOfFileByte = termios.readUInt8(layout.controlChars + layout.endOfFileIndex);
  return {
    isCanonical: (localFlags & layout.ICANON) !== 0,
    isEcho: (localFlags & layout.ECHO) !== 0,
    endOfFileByte: endOfFileByte === DISABLED_BYTE ? undefined : endOfFileByte,
    isReturnNewline: (termios.readUInt32LE(layout.inputFlags) & layout.ICRNL) !== 0,
  };
}
