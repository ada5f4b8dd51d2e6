import { connect } from 'node:net';
import type { Dialer } from './dialer';
import type { MessageTransport } from './messageTransport';
import { StreamTransport } from './streamTransport';

/** To a server of this machine that listens on a unix socket (or named pipe) of the user. */
export function socketDialer(path: string): Dialer {
  const label = 'a socket of this machine';
  return {
    label,
    isLasting: true,
    dial: () =>
      new Promise<MessageTransport>((resolve, reject) => {
        const socket = connect(path);
        socket.once('error', reject);
        socket.once('connect', () => {
          socket.off('error', reject);
          resolve(new StreamTransport(label, { input: socket, output: socket }));
        });
      }),
  };
}
