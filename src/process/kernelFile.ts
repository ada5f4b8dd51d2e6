import { closeSync, openSync, readSync } from 'node:fs';

const FIRST_SIZE_BYTES = 4_096;
/** Few files of /proc are longer; the memory for one that is, such as a large environment, is not held. */
const LARGEST_KEPT_BYTES = 65_536;

/** Shared by all calls: no content outlives one. */
let buffer: Buffer = Buffer.allocUnsafeSlow(FIRST_SIZE_BYTES);

/**
 * The text of a file of /proc, a character for each byte. The kernel makes it while it is read and tells no size: Node's own
 * `readFileSync` takes 8 KB of memory for each, and these are read many times a second.
 * Throws where the file is not there, or must not be read.
 */
export function readKernelFile(path: string): string {
  const fd = openSync(path, 'r');
  try {
    return readAll(fd);
  } finally {
    closeSync(fd);
    if (buffer.length > LARGEST_KEPT_BYTES) buffer = Buffer.allocUnsafeSlow(FIRST_SIZE_BYTES);
  }
}

function readAll(fd: number): string {
  let length = 0;
  // Only nothing more is the end: a list of records comes in pieces that leave a little room.
  for (let count = 1; count > 0; length += count) {
    if (length === buffer.length) buffer = Buffer.concat([buffer, Buffer.allocUnsafeSlow(buffer.length)]);
    count = readSync(fd, buffer, length, buffer.length - length, null);
  }
  return buffer.toString('latin1', 0, length);
}
