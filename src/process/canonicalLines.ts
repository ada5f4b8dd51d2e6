import { MAX_CANONICAL_BYTES, type TerminalMode } from './terminalMode';

const NEWLINE = 10;
const CARRIAGE_RETURN = 13;

/**
 * Keeps lines longer than a canonical terminal can hold whole: puts the end-of-file byte, which hands over what was typed so
 * far without ending the line, after each full buffer. Remembers the unfinished line from one write to the next.
 */
export class CanonicalLineSplitter {
  private unfinishedBytes = 0;

  /** The bytes to send for `bytes` to arrive whole. Where nothing has to be added, `bytes` itself. */
  split(bytes: Buffer, mode: TerminalMode | undefined): Buffer {
    if (mode?.isCanonical !== true || mode.endOfFileByte === undefined) {
      this.unfinishedBytes = 0;
      return bytes;
    }
    const handOver = Buffer.from([mode.endOfFileByte]);
    const pieces: Buffer[] = [];
    let pieceStart = 0;
    for (let index = 0; index < bytes.length; index++) {
      const byte = bytes[index];
      const isLineEnd =
        byte === NEWLINE || byte === mode.endOfFileByte || (byte === CARRIAGE_RETURN && mode.isReturnNewline);
      if (isLineEnd) {
        this.unfinishedBytes = 0;
      } else if (this.unfinishedBytes === MAX_CANONICAL_BYTES) {
        pieces.push(bytes.subarray(pieceStart, index), handOver);
        pieceStart = index;
        this.unfinishedBytes = 1;
      } else {
        this.unfinishedBytes++;
      }
    }
    if (pieces.length === 0) return bytes;
    pieces.push(bytes.subarray(pieceStart));
    return Buffer.concat(pieces);
  }
}
