import type { Implementation } from '@modelcontextprotocol/sdk/types.js';
import { displayName, name, version } from '../../package.json';

export const SERVER_INFO: Implementation = {
  name,
  title: displayName,
  version: version,
};

/** What a model reads about the server as a whole, before the tools. */
export const INSTRUCTIONS =
  'Each exec_command runs in a terminal session of its own, which the user can watch and type into. ' +
  'A command that still runs when the reply comes goes on: use its session_id with write_stdin to send input or, with empty chars, to wait for more. ' +
  "A reply says whether the program waits for input; what it waits for may be the user's to type. " +
  'New output is given once per client; read_output reads any part of it again, without running anything. ' +
  'list_sessions tells what runs and what you have not read. End what you no longer need with terminate_session.';
