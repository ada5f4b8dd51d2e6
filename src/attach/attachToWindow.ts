/** The client's side: finds the window of a folder and opens a connection to one of its services. Loads no protocol: it only passes on. */
import { connect, type Socket } from 'node:net';
import type { Log } from '../base/log';
import { findWindows, type FoundWindow, isProcessAlive, removeRemains, windowsFor } from './findWindows';
import { type Answer, type Greeting, readAnswer, writeGreeting } from './greeting';

export interface AttachOptions extends Omit<Greeting, 'token'> {
  readonly env: NodeJS.ProcessEnv;
  readonly log: Log;
}

export type Attachment =
  /** The socket is paused; what comes from it now is the protocol of the service. */
  | { readonly kind: 'attached'; readonly socket: Socket; readonly windowPid: number }
  /** `message` is a sentence for people. */
  | { readonly kind: 'noWindow' | 'refused'; readonly message: string };

/** Attaches to the window that has `cwd` open. */
export async function attachToWindow({ env, log, ...greeting }: AttachOptions): Promise<Attachment> {
  const windows = await withoutEnded(findWindows(env));
  for (const window of windowsFor(greeting.cwd, windows)) {
    const socket = await open(window);
    if (socket === undefined) continue;
    writeGreeting(socket, { ...greeting, token: window.record.token });
    const answer = await readAnswer(socket);
    if (answer?.kind === 'accepted' && answer.service === greeting.service) {
      return { kind: 'attached', socket, windowPid: window.record.pid };
    }
    socket.destroy();
    const why = refusalOf(answer);
    return { kind: 'refused', message: `The VS Code window (process ${window.record.pid}) did not let us in: ${why}.` };
  }
  log.debug(`looked at ${windows.length} windows`);
  return { kind: 'noWindow', message: noWindowMessage(greeting.cwd, windows) };
}

function refusalOf(answer: Answer | undefined): string {
  if (answer === undefined) return 'it does not answer';
  return answer.kind === 'refused' ? answer.message : 'it runs a version of Exec Sessions that cannot do this. Reload it';
}

function noWindowMessage(cwd: string, windows: readonly FoundWindow[]): string {
  const folders = windows.flatMap(({ record }) => record.folders);
  const open = folders.length === 0 ? 'No folder is open in any' : `Open are ${folders.join(', ')}`;
  return `No VS Code window with Exec Sessions has ${cwd} open. ${open}.`;
}

/** A process that is gone, or another with its number, listens to nothing: both are found out, and cleaned up. */
async function withoutEnded(windows: readonly FoundWindow[]): Promise<FoundWindow[]> {
  const checked = windows.map(async (window) => {
    if (isProcessAlive(window.record)) return [window];
    const socket = await open(window);
    socket?.destroy();
    return socket === undefined ? [] : [window];
  });
  return (await Promise.all(checked)).flat();
}

/** `undefined` for a window that has ended; what it left behind is removed then. */
function open(window: FoundWindow): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect(window.record.socket);
    socket.once('connect', () => {
      resolve(socket);
    });
    // Stays for the whole connection: the `close` that follows says all there is to say.
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ENOENT') removeRemains(window);
      resolve(undefined);
    });
  });
}
