import { until } from '../../support/until';

/** Reads a text again and again until `pattern` matches it. The error at the deadline shows the text that was there instead. */
export async function waitForMatch(
  where: string,
  pattern: RegExp,
  { read, timeoutMs }: { read: () => Promise<string>; timeoutMs: number },
): Promise<RegExpExecArray> {
  let text = '';
  const find = async (): Promise<RegExpExecArray | undefined> => {
    text = await read();
    return pattern.exec(text) ?? undefined;
  };
  try {
    return await until(`${String(pattern)} is ${where}`, find, timeoutMs);
  } catch (error) {
    throw new Error(`${String(pattern)} is not ${where} after ${timeoutMs} ms. There is:\n${text}`, { cause: error });
  }
}
