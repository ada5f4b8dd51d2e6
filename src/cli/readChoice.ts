import { UsageError } from './usage';

/** The choice that the value of an option names. Throws a `UsageError` that lists them. */
export function readChoice<T extends string>(
  option: string,
  what: string,
  { value, choices }: { readonly value: string; readonly choices: readonly T[] },
): T {
  const choice = choices.find((one) => one === value);
  if (choice !== undefined) return choice;
  throw new UsageError(`${option}: unknown ${what} ${JSON.stringify(value)}; choose one of ${choices.join(', ')}`);
}
