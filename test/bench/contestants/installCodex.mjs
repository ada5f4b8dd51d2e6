import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { installPeer } from './installPeer.mjs';

/** Path of codex, installed on the first call: the native program itself, since its npm launcher is a second process. */
export async function installCodex() {
  const nodeModules = await installPeer('codex');
  const vendor = join(nodeModules, '@openai', `codex-${process.platform}-${process.arch}`, 'vendor');
  const [target] = readdirSync(vendor);
  return join(vendor, target, 'bin', 'codex');
}
