import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import type { SessionManager } from '../session/sessionManager';

/** Changes in quick succession, such as many short commands, are drawn together. */
const DRAW_DELAY_MS = 100;

/** Calls `draw` soon after any session was added, has changed or is gone; once for all that happens until then. */
export function onSessionsChange(manager: SessionManager, draw: () => void): Disposable {
  let timer: NodeJS.Timeout | undefined;
  const drawSoon = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      draw();
    }, DRAW_DELAY_MS);
  };
  const store = new DisposableStore();
  for (const event of [manager.onDidAdd, manager.onDidChange, manager.onDidRemove]) store.add(event(drawSoon));
  store.add(toDisposable(() => clearTimeout(timer)));
  return store;
}
