/** What a rule says of a command, from the mildest to the strictest. */
export const DECISIONS = ['allow', 'prompt', 'forbidden'] as const;

export type Decision = (typeof DECISIONS)[number];

/** The strictest of `decisions`, or undefined if there is none. */
export function strictest(decisions: readonly Decision[]): Decision | undefined {
  return DECISIONS.findLast((decision) => decisions.includes(decision));
}

export function isStricter(one: Decision, than: Decision): boolean {
  return DECISIONS.indexOf(one) > DECISIONS.indexOf(than);
}
