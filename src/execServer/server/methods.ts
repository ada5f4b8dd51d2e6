/** All methods of the server, each family in a module of its own. */
import { ENVIRONMENT_METHODS } from './environmentMethods';
import { FILE_METHODS } from './fileMethods';
import { HTTP_METHODS } from './httpMethods';
import { PROCESS_METHODS } from './processMethods';

export const METHODS = new Map([...PROCESS_METHODS, ...ENVIRONMENT_METHODS, ...FILE_METHODS, ...HTTP_METHODS]);

/** How a call out of turn is named; the method need not exist. */
export function familyOf(method: string): string {
  const [first = ''] = method.split('/');
  const families: Record<string, string> = { process: 'exec', fs: 'filesystem', environment: method.replace('/', ' ') };
  return families[first] ?? first;
}
