import { bindParameters, type ParameterOf, stringOf } from '../starlark/bindParameters';
import type { SourceText, Span } from '../starlark/sourceText';
import { invalidRule, readDecision, readJustification } from './commonArguments';
import { NETWORK_PROTOCOLS, type NetworkRule } from './rules';
import type { Call } from '../starlark/values';

const PARAMETERS: readonly ParameterOf[] = [
  { name: 'host', type: 'str', isRequired: true },
  { name: 'protocol', type: 'str', isRequired: true },
  { name: 'decision', type: 'str', isRequired: true },
  { name: 'justification', type: 'str', isRequired: false },
];

/** Other names for the requests that a proxy makes into a tunnel. */
const PROTOCOL_ALIASES: ReadonlyMap<string, NetworkRule['protocol']> = new Map([
  ['https_connect', 'https'],
  ['http-connect', 'https'],
]);

export function readNetworkRule(call: Call, source: SourceText): NetworkRule {
  const values = bindParameters(call, PARAMETERS);
  const decision = stringOf(values, 'decision') ?? '';
  return {
    host: readHost(stringOf(values, 'host') ?? '', call.span),
    protocol: readProtocol(stringOf(values, 'protocol') ?? '', call.span),
    decision: readDecision(decision === 'deny' ? 'forbidden' : decision, call.span),
    justification: readJustification(stringOf(values, 'justification'), call.span),
    range: source.rangeOf(call.span),
  };
}

function readProtocol(text: string, span: Span): NetworkRule['protocol'] {
  const protocol = NETWORK_PROTOCOLS.find((one) => one === text) ?? PROTOCOL_ALIASES.get(text);
  if (protocol !== undefined) return protocol;
  const choices = NETWORK_PROTOCOLS.join(', ');
  throw invalidRule(`network_rule protocol must be one of ${choices} (got ${text})`, span);
}

function readHost(text: string, span: Span): string {
  const problem = (what: string): Error => invalidRule(`network_rule host ${what}`, span);
  const given = text.trim();
  if (given === '') throw problem('cannot be empty');
  if (/:\/\/|[/?#]/.test(given)) throw problem('must be a hostname or IP literal (without scheme or path)');
  const host = withoutPort(given, problem).replace(/\.+$/, '').toLowerCase();
  if (host === '') throw problem('cannot be empty');
  if (host.includes('*')) throw problem('must be a specific host; wildcards are not allowed');
  if (/\s/.test(host)) throw problem('cannot contain whitespace');
  return host;
}

function withoutPort(host: string, problem: (what: string) => Error): string {
  if (!host.startsWith('[')) return /^(?<name>[^:]+):\d+$/.exec(host)?.groups?.['name'] ?? host;
  const { address, suffix = '' } = /^\[(?<address>[^\]]*)\](?<suffix>.*)$/.exec(host)?.groups ?? {};
  if (address === undefined) throw problem('has an invalid bracketed IPv6 literal');
  if (suffix !== '' && !/^:\d+$/.test(suffix)) throw problem(`contains an unsupported suffix: ${host}`);
  return address;
}
