/** The streamed bodies of HTTP responses that one side has received. */
export interface BodyDelta {
  readonly requestId: string;
  readonly seq: number;
  readonly deltaBase64: string;
  readonly done: boolean;
  readonly error: string | null;
}

interface Body {
  text: string;
  lastSeq: number;
  isGapless: boolean;
  end?: 'complete' | 'failed';
}

export class ReceivedBodies {
  private readonly bodies: { readonly requestId: string; readonly body: Body }[] = [];

  add({ requestId, seq, deltaBase64, done, error }: BodyDelta): void {
    const running = this.bodies.find((other) => other.requestId === requestId && other.body.end === undefined);
    const body: Body = running?.body ?? { text: '', lastSeq: 0, isGapless: true };
    if (running === undefined) this.bodies.push({ requestId, body });
    body.isGapless &&= seq === body.lastSeq + 1;
    body.lastSeq = seq;
    body.text += Buffer.from(deltaBase64, 'base64').toString('latin1');
    if (done) body.end = error === null ? 'complete' : 'failed';
  }

  get endedCount(): number {
    return this.bodies.filter(({ body }) => body.end !== undefined).length;
  }

  /** In the order of their beginnings; what a timer cut off is without the dots that differ from run to run. */
  summary(): unknown[] {
    return this.bodies.map(({ requestId, body: { text, isGapless, end } }) => ({
      requestId,
      text: text.replace(/\.+$/, ''),
      isGapless,
      end,
    }));
  }
}
