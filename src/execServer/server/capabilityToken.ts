import { createHash, timingSafeEqual } from 'node:crypto';

const SCHEME = /^bearer +(.*)$/i;

/** What a client has to show; only its hash is kept. */
export class CapabilityToken {
  private constructor(private readonly sha256: Buffer) {}

  static ofText(token: string): CapabilityToken {
    return new CapabilityToken(hashOf(token));
  }

  /** `hex` has 64 hexadecimal digits. */
  static ofSha256(hex: string): CapabilityToken {
    return new CapabilityToken(Buffer.from(hex, 'hex'));
  }

  /** What is wrong with an `Authorization` header; `undefined` if it shows the token. Takes the same time for every wrong token. */
  problemWith(header: string | undefined): string | undefined {
    const shown = header === undefined ? undefined : SCHEME.exec(header)?.[1]?.trim();
    if (shown === undefined || shown === '') return 'missing websocket bearer token';
    return timingSafeEqual(hashOf(shown), this.sha256) ? undefined : 'invalid websocket bearer token';
  }
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
