import { describeEnvironment } from './environmentInfo';
import { type Methods, withoutParams } from './method';

/** What a client asks of the machine. */
export const ENVIRONMENT_METHODS: Methods = [
  ['environment/info', { run: (_session, params) => withoutParams(params, describeEnvironment()) }],
  ['environment/status', { run: (_session, params) => withoutParams(params, { status: 'ready' }) }],
];
