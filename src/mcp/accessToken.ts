import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

/** As many bits as a UUID twice over: nobody guesses it while a window is open. */
const TOKEN_BYTES = 24;

/** A new secret for one host, as text without characters that any format minds. Never log it. */
export function createToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** Tells the right token from others; how long it takes says nothing about how much of a wrong one is right. */
export class TokenCheck {
  private readonly digest: Buffer;

  constructor(token: string) {
    this.digest = digest(token);
  }

  accepts(candidate: string): boolean {
    return timingSafeEqual(digest(candidate), this.digest);
  }
}

/** Digests have one length whatever was sent, so that comparing them tells nothing by its time. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
