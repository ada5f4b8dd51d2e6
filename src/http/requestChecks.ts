import type { HttpHeader, HttpRequest, HttpRequestHeader } from './httpClient';

/** Of a method or the name of a header, by RFC 9110. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** What a header may hold: no control characters, and of others only what one byte can say. */
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/** Credentials of the machine itself, as Codex names them: no request may carry them away. In upper case. */
const PROTECTED_VARIABLES: readonly string[] = [
  'OPENAI_API_KEY',
  'CODEX_API_KEY',
  'CODEX_ACCESS_TOKEN',
  'CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN',
];

export type Checked<T> = { readonly kind: 'good'; readonly value: T } | { readonly kind: 'bad'; readonly problem: string };

/** The address of a request that can be sent. No problem repeats the address: it may hold a secret. */
export function checkTarget({ method, url }: HttpRequest): Checked<URL> {
  // A tunnel is no request: what goes through it is nobody's to see.
  if (!TOKEN.test(method) || method === 'CONNECT') return bad('method is invalid: it is not the name of a method');
  if (!URL.canParse(url)) return bad('url is invalid: it is not an absolute URL');
  const target = new URL(url);
  const scheme = target.protocol.slice(0, -1);
  if (scheme !== 'http' && scheme !== 'https') return bad(`only supports http and https URLs, got ${scheme}`);
  if (target.username !== '' || target.password !== '') {
    return bad('url is invalid: a user or password belongs into an Authorization header');
  }
  return { kind: 'good', value: target };
}

/** The headers with what `env` holds for them. */
export function resolveHeaders(headers: readonly HttpRequestHeader[], env: NodeJS.ProcessEnv): Checked<HttpHeader[]> {
  const resolved: HttpHeader[] = [];
  for (const { name, value, valueEnvVar } of headers) {
    if (!TOKEN.test(name)) return bad('header name is invalid: it is not the name of a header');
    if (valueEnvVar !== undefined && PROTECTED_VARIABLES.includes(valueEnvVar.toUpperCase())) {
      return bad(`header ${name} cannot use executor environment variable ${valueEnvVar}`);
    }
    const variable = valueEnvVar === undefined ? '' : env[valueEnvVar];
    if (variable === undefined) return bad(`header ${name} requires executor environment variable ${valueEnvVar ?? ''}`);
    if (!HEADER_VALUE.test(value + variable)) {
      return bad(`header value is invalid for ${name}: it holds characters that no header may`);
    }
    resolved.push({ name, value: value + variable });
  }
  return { kind: 'good', value: resolved };
}

function bad(problem: string): { readonly kind: 'bad'; readonly problem: string } {
  return { kind: 'bad', problem };
}
