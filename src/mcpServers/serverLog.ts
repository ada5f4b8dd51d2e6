import { StringDecoder } from 'node:string_decoder';
import type { Log } from '../base/log';

/** A line of a server without an end is cut here. */
const MAX_LINE_CHARACTERS = 8_192;

/** What is told of one server: what becomes of it, and what it says on its error output itself, line by line. */
export class ServerLog {
  private readonly decoder = new StringDecoder('utf8');
  private partialLine = '';

  constructor(private readonly log: Log) {}

  debug(message: string): void {
    this.log.debug(message);
  }

  info(message: string): void {
    this.log.info(message);
  }

  warn(message: string): void {
    this.log.warn(message);
  }

  serverError(chunk: Buffer): void {
    const lines = (this.partialLine + this.decoder.write(chunk)).split(/\r?\n/);
    this.partialLine = (lines.pop() ?? '').slice(0, MAX_LINE_CHARACTERS);
    for (const line of lines) this.log.info(`stderr: ${line.slice(0, MAX_LINE_CHARACTERS)}`);
  }
}
