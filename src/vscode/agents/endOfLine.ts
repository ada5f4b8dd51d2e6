/** The line end that a file of somebody else uses, for what is added to it. */
export function endOfLineOf(text: string): string {
  return text.includes('\r\n') ? '\r\n' : '\n';
}
