import { readFileSync } from 'node:fs';
import path from 'node:path';

/** The memory that a process of this Linux has now; `pid` may be `self`. */
export function residentBytes(pid: string): number {
  const [, kib] = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(path.join('/proc', pid, 'status'), 'utf8')) ?? [];
  return Number(kib) * 1_024;
}
