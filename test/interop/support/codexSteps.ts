/** What the scripted model of codex does, and what its tools reply. */
import type { ModelStep } from './scriptedResponses';

export const exec = (cmd: string, rest: object = {}): ModelStep => ({ call: 'exec_command', args: { cmd, ...rest } });

/** Into the session that the tools have named last. */
export const write = (chars: string, rest: object = {}): ModelStep => ({
  call: 'write_stdin',
  args: { session_id: '$session', chars, ...rest },
});

export const done: ModelStep = { message: 'done' };

/** A reply without what differs from run to run. */
export function withoutTimes(reply: string): string {
  return reply
    .replace(/^Chunk ID: .*\nWall time: .*\n/, '')
    .replace(/session ID \d+/, 'session ID #')
    .replace(/Original token count: \d+\n/, '')
    .replaceAll('\r', '');
}
