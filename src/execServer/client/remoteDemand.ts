import type { InputDemand } from '../../process/execProcess';
import { decodeResult } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import { inputDemandResult } from '../wire/processMethods';
import type { ExecServerClient } from './execServerClient';

/** Input that its terminal has taken is with the program after this; an answer from before tells of the wait before it. */
const IN_FLIGHT_MS = 1;

/**
 * What a remote program waits for, as of the last answer. The port wants it at once: each look gives what is known and asks for
 * news, which the next look gets.
 */
export class RemoteDemand {
  private known: InputDemand = { kind: 'none' };
  private isAsking = false;
  /** Answers to what was asked before this are about a time before the last write. */
  private validFromMs = -Infinity;

  constructor(
    private readonly client: ExecServerClient,
    private readonly options: { readonly processId: string; readonly hasExtensions: boolean },
  ) {}

  latest(): InputDemand {
    if (!this.options.hasExtensions) return { kind: 'unknown' };
    this.ask();
    return this.known;
  }

  /** Something is being written, or has just arrived. */
  forget(): void {
    this.known = { kind: 'none' };
    this.validFromMs = performance.now() + IN_FLIGHT_MS;
  }

  private ask(): void {
    const askedMs = performance.now();
    if (this.isAsking || askedMs < this.validFromMs) return;
    this.isAsking = true;
    const { processId } = this.options;
    this.client
      .callAgain(EXTENSION_METHODS.inputDemand, { processId })
      .then((answer) => {
        const demand = decodeResult(inputDemandResult, EXTENSION_METHODS.inputDemand, answer);
        if (askedMs >= this.validFromMs) this.known = demand;
      })
      .catch(() => {
        // It has ended, or its server is out of reach: who waits is told of that.
        this.known = { kind: 'none' };
      })
      .finally(() => {
        this.isAsking = false;
      });
  }
}
