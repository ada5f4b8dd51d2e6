/** What a client asks of the programs of its session. */
import { decodeParams } from '../wire/decode';
import { EXTENSION_METHODS } from '../wire/extensions';
import { processParams, readParams, resizeParams, signalParams, startParams, writeParams } from '../wire/processMethods';
import type { HostedProcess } from './hostedProcess';
import { type Method, type Methods, withoutParams } from './method';

const onProcess = (run: (process: HostedProcess) => unknown): Method => ({
  run: (session, params) => run(session.require(decodeParams(processParams, params).processId)) ?? {},
});

export const PROCESS_METHODS: Methods = [
  [
    'process/start',
    {
      run: async (session, params) => {
        const decoded = decodeParams(startParams, params);
        const { pid } = await session.start(decoded);
        return { processId: decoded.processId, sandboxType: 'none', pid };
      },
    },
  ],
  [
    'process/read',
    {
      run: (session, params) => {
        const { processId, afterSeq, maxBytes, waitMs } = decodeParams(readParams, params);
        return session.require(processId).read({ afterSeq: afterSeq ?? 0, maxBytes, waitMs: waitMs ?? 0 });
      },
    },
  ],
  [
    'process/write',
    {
      run: (session, params) => {
        const { processId, chunk, writeId, untilTaken } = decodeParams(writeParams, params);
        const process = session.find(processId);
        if (process === 'unknownProcess' || process === 'starting') return { status: process };
        const status = process.write(writeId, chunk, untilTaken === true);
        return status instanceof Promise ? status.then((known) => ({ status: known })) : { status };
      },
    },
  ],
  [
    'process/signal',
    {
      run: (session, params) => {
        const { processId, signal } = decodeParams(signalParams, params);
        const process = session.find(processId);
        // It may have ended a moment ago.
        if (process === 'unknownProcess' || process === 'starting') return {};
        process.signal(signal === 'interrupt' ? 'SIGINT' : (signal as NodeJS.Signals));
        return {};
      },
    },
  ],
  [
    'process/terminate',
    {
      run: (session, params) => {
        const process = session.find(decodeParams(processParams, params).processId);
        const isKnown = process !== 'unknownProcess' && process !== 'starting';
        return { running: isKnown && process.kill().isRunning };
      },
    },
  ],
  [
    EXTENSION_METHODS.resize,
    {
      run: (session, params) => {
        const { processId, size } = decodeParams(resizeParams, params);
        session.require(processId).resize(size);
        return {};
      },
    },
  ],
  [EXTENSION_METHODS.list, { run: (session, params) => withoutParams(params, { processes: session.list() }) }],
  [EXTENSION_METHODS.endInput, onProcess((process) => process.endInput())],
  [EXTENSION_METHODS.inputDemand, onProcess((process) => process.inputDemand())],
  [EXTENSION_METHODS.end, onProcess((process) => process.end().then((how) => ({ how })))],
  [EXTENSION_METHODS.pauseOutput, onProcess((process) => process.setPausedByClient(true))],
  [EXTENSION_METHODS.resumeOutput, onProcess((process) => process.setPausedByClient(false))],
];
