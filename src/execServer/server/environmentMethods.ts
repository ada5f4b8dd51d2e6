import { type Methods, withoutParams } from './method';

/** What a client asks of the machine. */
export const ENVIRONMENT_METHODS: Methods = [
  ['environment/info', { run: (session, params) => withoutParams(params, session.describeEnvironment()) }],
  ['environment/status', { run: (_session, params) => withoutParams(params, { status: 'ready' }) }],
];
