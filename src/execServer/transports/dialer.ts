import type { MessageTransport } from './messageTransport';

/** How to get to a server, as often as it takes. */
export interface Dialer {
  /** As of {@link MessageTransport}. */
  readonly label: string;
  /** Whether a new connection reaches the same server, with the sessions that it has. */
  readonly isLasting: boolean;
  /** A new connection. Rejects with an `Error` that says what went wrong. */
  dial(): Promise<MessageTransport>;
}
