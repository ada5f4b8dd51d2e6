import { readFile } from 'node:fs/promises';
import type { Dialer } from '../execServer/transports/dialer';
import { type ProgramAddress, programDialer, shellCommandDialer } from '../execServer/transports/programDialer';
import { webSocketDialer } from '../execServer/transports/webSocketDialer';
import { applyPolicy, DEFAULT_SHELL_ENVIRONMENT_POLICY } from '../process/shellEnvironmentPolicy';
import type { ProgramPlace, RemoteAddress } from './environmentConfiguration';

/** By POSIX for a command that a shell does not find; `ssh`, `docker exec` and `kubectl exec` pass it on. */
const COMMAND_NOT_FOUND = 127;
const ADVICE_ON = {
  [COMMAND_NOT_FOUND]:
    'if what is missing is exec-sessions, install it on the other machine, as the README says under "Other machines"',
};

/** How to get to the server of an environment. */
export function dialerOf(address: RemoteAddress): Dialer {
  switch (address.kind) {
    case 'webSocket':
      return webSocketDialerOf(address);
    case 'program':
      return programDialer({ argv: address.argv, ...placeOf(address) });
    case 'shellCommand':
      return shellCommandDialer(address.command, placeOf(address));
  }
}

function placeOf({ cwd, env }: ProgramPlace): Omit<ProgramAddress, 'argv'> {
  return { cwd, env: programEnvironment(env), adviceOn: ADVICE_ON };
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
