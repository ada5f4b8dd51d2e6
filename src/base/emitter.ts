import { type Disposable, toDisposable } from './disposable';

/** Subscribes a listener; dispose the result to unsubscribe. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** Calls its listeners in the order of subscription. A listener that throws does not keep the others from being called. */
export class Emitter<T> implements Disposable {
  private listeners: readonly ((value: T) => void)[] = [];

  constructor(private readonly onListenerError: (error: unknown) => void = rethrowLater) {}

  readonly event: Event<T> = (listener) => {
    // A wrapper of its own, so that one function subscribed twice is two subscriptions.
    const entry = (value: T): void => {
      listener(value);
    };
    this.listeners = [...this.listeners, entry];
    return toDisposable(() => {
      this.listeners = this.listeners.filter((other) => other !== entry);
    });
  };

  fire(value: T): void {
    for (const listener of this.listeners) {
      try {
        listener(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners = [];
  }
}

/** A fault in a listener is a bug: it surfaces as an uncaught exception, after everyone has been told. */
function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
