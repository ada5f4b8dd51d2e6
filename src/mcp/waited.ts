import type { WaitEnd } from '../session/session';

/** How a call's wait ended; `patternTooSlow`: with what was wrong with the pattern, which is given up for the call. */
export type Waited = { readonly end: WaitEnd } | { readonly end: 'patternTooSlow'; readonly message: string };
