/** Something that holds a listener, a timer or a handle until it is disposed. Disposing twice is harmless. */
export interface Disposable {
  dispose(): void;
}

export function toDisposable(release: () => void): Disposable {
  let isDisposed = false;
  return {
    dispose: () => {
      if (isDisposed) return;
      isDisposed = true;
      release();
    },
  };
}

/** Owns disposables and releases them together, last added first; what is added afterwards is released at once. */
export class DisposableStore implements Disposable {
  private readonly items = new Set<Disposable>();
  private isDisposed = false;

  add<T extends Disposable>(item: T): T {
    if (this.isDisposed) item.dispose();
    else this.items.add(item);
    return item;
  }

  dispose(): void {
    this.isDisposed = true;
    const items = [...this.items].reverse();
    this.items.clear();
    for (const item of items) item.dispose();
  }
}
