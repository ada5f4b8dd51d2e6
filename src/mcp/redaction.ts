/** Masks what looks like a secret in the text that models get. The terminal tab and the kept output stay as they are. */

export interface Redacted {
  readonly text: string;
  /** How many secrets were masked. */
  readonly count: number;
}

/** For every text of a program that goes to a model. */
export interface Redaction {
  readonly isOn: () => boolean;
  readonly redact: (text: string) => Redacted;
}

/** By the prefixes that issuers give their tokens so that they can be found, as they document them. */
const SECRETS: readonly { readonly name: string; readonly pattern: string }[] = [
  { name: 'private key', pattern: '-----BEGIN [A-Z ]*PRIVATE KEY-----[\\s\\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)' },
  { name: 'AWS access key', pattern: '\\b(?:AKIA|ASIA)[0-9A-Z]{16}\\b' },
  { name: 'GitHub token', pattern: '\\b(?:gh[oprsu]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\\b' },
  { name: 'GitLab token', pattern: '\\bglpat-[A-Za-z0-9_-]{20,}' },
  { name: 'npm token', pattern: '\\bnpm_[A-Za-z0-9]{36}\\b' },
  { name: 'Slack token', pattern: '\\bxox[abeoprs]-[A-Za-z0-9-]{10,}' },
  { name: 'Stripe key', pattern: '\\b[rs]k_live_[A-Za-z0-9]{20,}\\b' },
  { name: 'API key', pattern: '\\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{20,}' },
  { name: 'Google API key', pattern: '\\bAIza[A-Za-z0-9_-]{35}' },
  { name: 'JSON web token', pattern: '\\beyJ[A-Za-z0-9_-]{8,}\\.eyJ[A-Za-z0-9_-]{8,}\\.[A-Za-z0-9_-]{8,}' },
];

const ANY_SECRET = new RegExp(SECRETS.map(({ pattern }) => `(${pattern})`).join('|'), 'g');

/** Masks while `isOn` says so; asked anew for each text. */
export function createRedaction(isOn: () => boolean): Redaction {
  return { isOn, redact: (text) => (isOn() ? redactSecrets(text) : { text, count: 0 }) };
}

export function redactSecrets(text: string): Redacted {
  let count = 0;
  const masked = text.replaceAll(ANY_SECRET, (_match, ...groups: readonly (string | undefined)[]) => {
    count++;
    const kind = SECRETS.find((_secret, index) => groups[index] !== undefined);
    return `[${kind?.name ?? 'secret'} masked]`;
  });
  return { text: masked, count };
}
