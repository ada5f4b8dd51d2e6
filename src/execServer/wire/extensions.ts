/**
 * Announced in the `capabilities` of a server that knows what this project adds to the protocol: the methods below, the size and
 * input of a start, writes that wait until they are taken, and the signal of an end. Nobody else needs any of it.
 */
export const EXTENSIONS_CAPABILITY = 'execSessions';

export const EXTENSION_METHODS = {
  resize: 'process/resize',
  endInput: 'process/closeStdin',
  inputDemand: 'process/inputDemand',
  end: 'process/end',
  pauseOutput: 'process/pauseOutput',
  resumeOutput: 'process/resumeOutput',
  list: 'process/list',
  pauseBody: 'http/request/pauseBody',
  resumeBody: 'http/request/resumeBody',
  cancelRequest: 'http/request/cancel',
} as const;
