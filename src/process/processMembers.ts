/** Who belongs to a program that we started: every process in its operating-system session, whatever its process group. */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';

export interface MemberProcess {
  readonly pid: number;
  /** Name of the program as the system shortens it. */
  readonly name: string;
}

/** Living processes in the session led by `leaderPid`, the leader included while it lives. Empty where it cannot be known. */
export async function findSessionMembers(leaderPid: number): Promise<readonly MemberProcess[]> {
  if (process.platform === 'linux') return findInProc(leaderPid);
  if (process.platform === 'darwin') return findByProcessGroup(leaderPid);
  return [];
}

async function findInProc(leaderPid: number): Promise<readonly MemberProcess[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const members = await Promise.all(pids.map((pid) => readMember(Number(pid), leaderPid)));
  return members.filter((member) => member !== undefined);
}

async function readMember(pid: number, leaderPid: number): Promise<MemberProcess | undefined> {
  let stat: string;
  try {
    stat = await readFile(`/proc/${pid}/stat`, 'latin1');
  } catch {
    // It ended between the listing and the reading.
    return undefined;
  }
  // "pid (name) state ppid pgrp session …"; the name may itself contain parentheses and spaces.
  const nameEnd = stat.lastIndexOf(')');
  const [state, , , session] = stat.slice(nameEnd + 2).split(' ');
  if (Number(session) !== leaderPid || state === 'Z' || state === 'X') return undefined;
  return { pid, name: stat.slice(stat.indexOf('(') + 1, nameEnd) };
}

/** macOS shows no session ids: the leader's process group is what can be known. From the manual of ps(1), not tried. */
function findByProcessGroup(leaderPid: number): Promise<readonly MemberProcess[]> {
  return new Promise((resolve) => {
    execFile('/bin/ps', ['-axo', 'pid=,pgid=,ucomm='], (error, stdout) => {
      const rows = error === null ? stdout.split('\n').map((line) => line.trim().split(/\s+/)) : [];
      const members = rows.filter(([, group]) => Number(group) === leaderPid);
      resolve(members.map(([pid, , name]) => ({ pid: Number(pid), name: name ?? '' })));
    });
  });
}

/** Sends a signal to one process. `false` when it is gone already. */
export function trySignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(pid, signal);
    return true;
  } catch {
    // ESRCH: ended meanwhile. EPERM: it changed its user and is not ours to signal.
    return false;
  }
}
