/** What a thrown value says of itself, for a sentence; what is thrown need not be an error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
