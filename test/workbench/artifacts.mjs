import { mkdirSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where a file for people to look at goes, such as a screenshot: `artifacts/`, or what `EXEC_SESSIONS_ARTIFACTS` says. */
export function artifactPath(fileName) {
  const folder = process.env.EXEC_SESSIONS_ARTIFACTS || path.join(ROOT, 'artifacts');
  mkdirSync(folder, { recursive: true });
  return path.join(folder, fileName);
}
