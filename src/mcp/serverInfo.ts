import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import { displayName, name, version } from '../../package.json';

export const SERVER_INFO: Implementation = {
  name,
  title: displayName,
  version: version,
};

/** What a model reads about the server as a whole, before the tools. */
export function instructions(isAttended: boolean): string {
  const sessions = 'Each exec_command runs in a terminal session of its own';
  const people = isAttended
    ? "which the user can watch and type into. What a program waits for may be the user's to type, such as a password, and the user may take a session over for a while. "
    : 'which only you can type into. ';
  return `${sessions}, ${people}${HOW_TO}`;
}

const HOW_TO =
  'A command that still runs when the reply comes goes on: use its session_id with write_stdin to send input or, with empty chars, to wait for more. ' +
  'A reply says whether the program waits for input. ' +
  'New output is given once per client; read_output reads any part of it again, without running anything. ' +
  'list_sessions tells what runs and what you have not read. End what you no longer need with terminate_session.';
