import type { Event } from '../../base/emitter';

/** A way for whole messages in both directions, in order. */
export interface MessageTransport {
  /** Names the other end in logs and messages; holds no secret and no argument. */
  readonly label: string;
  /** One message, as text. */
  readonly onMessage: Event<string>;
  /** Told once, with the reason as a part of a sentence, such as `the program ended with exit code 1`. */
  readonly onDidClose: Event<string>;
  /** The system has taken all that was handed to it. */
  readonly onDidDrain: Event<void>;
  /** Bytes handed to `send` that the system has not taken yet. */
  readonly backlogBytes: number;
  /**
   * Sends one message: JSON in one line, in UTF-8 if bytes. Bytes belong to the transport until it calls `release`, which it does
   * once, soon after they went out or will never go. Does nothing else once closed.
   */
  send(message: string | Buffer, release?: () => void): void;
  /** Stops reading, so that the other end has to wait. */
  pause(): void;
  resume(): void;
  /** Drops the connection soon if the other end gives no sign of life. Does nothing where the system tells of every end. */
  probe(): void;
  /** Drops the connection and what hangs on it, such as the program at its other end. Safe to call again. */
  close(): void;
}

/** A message may be this long: 16 times the output that is kept of a process, as base64, and more. */
export const MAX_MESSAGE_BYTES = 64 * 1_024 * 1_024;
