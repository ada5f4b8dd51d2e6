import { readFileSync, writeFileSync } from 'node:fs';

/** USER_HZ: the unit of the times in /proc/PID/stat; fixed at 100 a second on every Linux that Node supports. */
const CPU_TICK_MS = 10;
/** Value for /proc/PID/clear_refs that resets VmHWM to the present resident size. */
const RESET_PEAK_RSS = '5';

/** undefined where there is no /proc (not Linux) or the process is gone: a row then shows a gap. */
function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function statusKb(pid, field) {
  const match = new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(read(`/proc/${pid}/status`) ?? '');
  return match ? Number(match[1]) : undefined;
}

function cpuTicks(pid) {
  const stat = read(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // Fields after the program's name, which may itself hold spaces and parentheses.
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user, system, reapedUser, reapedSystem] = fields.slice(11, 15);
  return { own: user + system, reaped: reapedUser + reapedSystem };
}

/** CPU time of the process itself. */
export function ownCpuMs(pid) {
  const ticks = cpuTicks(pid);
  return ticks && ticks.own * CPU_TICK_MS;
}

/** CPU time of the process and of all the children it has reaped: helpers and spare shells count as its cost. */
export function cpuWithReapedChildrenMs(pid) {
  const ticks = cpuTicks(pid);
  return ticks && (ticks.own + ticks.reaped) * CPU_TICK_MS;
}

export const residentKb = (pid) => statusKb(pid, 'VmRSS');
export const peakResidentKb = (pid) => statusKb(pid, 'VmHWM');

/** So that the peak of a measurement is not the peak of the start-up before it. */
export function resetPeakResident(pid) {
  try {
    writeFileSync(`/proc/${pid}/clear_refs`, RESET_PEAK_RSS);
  } catch {
    // Not Linux or not permitted: the peak then includes the start-up, which can only make a server look worse.
  }
}

/** 1, 5 and 15 minute load: printed with every report because these tables are made on shared machines. */
export function loadAverage() {
  return read('/proc/loadavg')?.trim().split(' ').slice(0, 3).join(' ') ?? 'unknown';
}

export function cpuModel() {
  return /^model name\s*:\s*(.+)$/m.exec(read('/proc/cpuinfo') ?? '')?.[1] ?? 'unknown';
}
