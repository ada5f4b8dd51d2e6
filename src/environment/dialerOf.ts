import { readFile } from 'node:fs/promises';
import type { Dialer } from '../execServer/transports/dialer';
import { programDialer, shellCommandDialer } from '../execServer/transports/programDialer';
import { webSocketDialer } from '../execServer/transports/webSocketDialer';
import { applyPolicy, DEFAULT_SHELL_ENVIRONMENT_POLICY } from '../process/shellEnvironmentPolicy';
import type { RemoteAddress } from './environmentConfiguration';

/** How to get to the server of an environment. */
export function dialerOf(address: RemoteAddress): Dialer {
  switch (address.kind) {
    case 'webSocket':
      return webSocketDialerOf(address);
    case 'program':
      return programDialer({ argv: address.argv, cwd: address.cwd, env: programEnvironment(address.env) });
    case 'shellCommand':
      return shellCommandDialer(address.command, { cwd: address.cwd, env: programEnvironment(address.env) });
  }
}

function webSocketDialerOf(address: RemoteAddress & { readonly kind: 'webSocket' }): Dialer {
  const { url, token, connectTimeoutMs } = address;
  const withToken = (text: string | undefined): Dialer => webSocketDialer({ url, token: text, connectTimeoutMs });
  const dialer = withToken(undefined);
  if (token === undefined) return dialer;
  return {
    ...dialer,
    dial: async () => withToken('text' in token ? token.text : (await readFile(token.file, 'utf8')).trim()).dial(),
  };
}

/** What belongs to the editor alone is of no use to `ssh` and its like. */
function programEnvironment(env: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...applyPolicy(process.env, DEFAULT_SHELL_ENVIRONMENT_POLICY).env, ...env };
}
