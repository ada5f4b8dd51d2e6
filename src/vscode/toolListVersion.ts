import { createHash } from 'node:crypto';

/** Digits of the hash: enough that two tool lists of one release never share a version. */
const HASH_DIGITS = 12;

/**
 * The version under which a server with these tools is published. VS Code keeps the tools of a server until its version is
 * another one, so all that a model reads of them is part of it: names, descriptions and schemas.
 */
export function toolListVersion(extensionVersion: string, toolDefinitions: readonly unknown[]): string {
  const hash = createHash('sha256').update(JSON.stringify(toolDefinitions)).digest('hex');
  return `${extensionVersion}+tools.${hash.slice(0, HASH_DIGITS)}`;
}
