/**
 * The id that an address means by its authority. VS Code keeps these in lower case, as URIs have them, so upper and lower case do not
 * count; `undefined` where that leaves none, or more than one.
 */
export function idOfAuthority(authority: string, ids: readonly string[]): string | undefined {
  const [id, ...others] = ids.filter((other) => other.toLowerCase() === authority.toLowerCase());
  return others.length === 0 ? id : undefined;
}
