const NEWLINE = 10;
const RETURN = 13;

/** Gives the lines of a program without a terminal the carriage returns that a terminal would have added. */
export class LineEnds {
  private last = NEWLINE;

  push(chunk: Buffer): Buffer {
    const pieces: Buffer[] = [];
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, at + 1)) {
      const before = at === 0 ? this.last : chunk[at - 1];
      if (before === RETURN) continue;
      pieces.push(chunk.subarray(from, at), Buffer.from('\r\n'));
      from = at + 1;
    }
    this.last = chunk.at(-1) ?? this.last;
    return from === 0 ? chunk : Buffer.concat([...pieces, chunk.subarray(from)]);
  }
}
