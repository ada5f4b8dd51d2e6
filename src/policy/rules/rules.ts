import type { RulesErrorCode } from '../starlark/rulesError';
import type { SourceRange } from '../starlark/sourceText';
import type { Decision } from './decision';

/** Commands that begin with these words. */
export interface PrefixRule {
  readonly program: string;
  /** Each of the words after it, or the words that may stand there. */
  readonly rest: readonly (string | readonly string[])[];
  readonly decision: Decision;
  /** Why, in the words of who wrote the rule. Never blank. */
  readonly justification: string | undefined;
  /** Where the call stands that made the rule. */
  readonly range: SourceRange;
}

/** The files that a program's bare name may stand for. None: its bare name stands only for itself. */
export interface HostExecutable {
  readonly name: string;
  /** Absolute and normalized. */
  readonly paths: readonly string[];
  readonly range: SourceRange;
}

export const NETWORK_PROTOCOLS = ['http', 'https', 'socks5_tcp', 'socks5_udp'] as const;

export interface NetworkRule {
  /** In lower case, without a port. */
  readonly host: string;
  readonly protocol: (typeof NETWORK_PROTOCOLS)[number];
  readonly decision: Decision;
  readonly justification: string | undefined;
  readonly range: SourceRange;
}

/** What is wrong in a file of rules. */
export interface RulesProblem {
  readonly code: RulesErrorCode;
  readonly message: string;
  readonly range: SourceRange;
}

/** What a file of rules says. With a problem it says nothing that counts: whoever decides by it must ask instead. */
export interface RulesFile {
  readonly file: string;
  /** In the order of the file. */
  readonly prefixRules: readonly PrefixRule[];
  readonly hostExecutables: readonly HostExecutable[];
  readonly networkRules: readonly NetworkRule[];
  /** The first is the one that reading stopped at, or that Codex would name. */
  readonly problems: readonly RulesProblem[];
}
