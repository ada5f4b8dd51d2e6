import { fileURLToPath, pathToFileURL } from 'node:url';
import { RpcError } from './rpcError';

/** Paths travel as absolute `file:` URIs. */
export function toPathUri(path: string): string {
  return pathToFileURL(path).href;
}

/** The path of this machine that `uri` names. Throws invalid params, with the name of the parameter. */
export function fromPathUri(uri: string, name: string): string {
  const url = URL.canParse(uri) ? new URL(uri) : undefined;
  const wanted = 'Give the file: URI of an absolute path, such as file:///tmp.';
  if (url === undefined) throw RpcError.invalidParams(`${name} ${JSON.stringify(uri)} is not a URI. ${wanted}`);
  if (url.protocol !== 'file:') {
    throw RpcError.invalidParams(
      `${name} ${JSON.stringify(uri)} has the scheme ${url.protocol} instead of file:. ${wanted}`,
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw RpcError.invalidParams(
      `${name} ${JSON.stringify(uri)} has a query or a fragment, which paths have not. ${wanted}`,
    );
  }
  const isDrive = process.platform !== 'win32' && /^\/[a-z](?::|%3a)(?:\/|$)/i.test(url.pathname);
  try {
    if (!isDrive) return fileURLToPath(url);
  } catch {
    // A host, or an escaped separator: told below.
  }
  throw RpcError.invalidParams(`${name} ${JSON.stringify(uri)} is no path on this machine (${process.platform}). ${wanted}`);
}
