import { listProcesses, type ProcessRow } from '../../src/process/processMembers';

/** Living processes in the operating-system session led by `leaderPid`, the leader included while it lives. */
export async function findSessionMembers(leaderPid: number): Promise<readonly ProcessRow[]> {
  return (await listProcesses()).filter(({ sessionPid }) => sessionPid === leaderPid);
}
