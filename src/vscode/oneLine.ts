/** What a tab or a list row can show before it is cut; a longer command is read in its tooltip. */
const MAX_TITLE_CHARS = 40;
/** As much of a text as is looked at: a script of a megabyte costs no more than its first lines. */
const MAX_LOOKED_AT_UNITS = 2_000;

/** Control and format characters (but the joiner of emoji), line separators, lone surrogates: nothing that could steer a terminal. */
const UNPRINTABLE = /(?:(?!\u200d)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])+/gu;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A text on one line, without characters that draw nothing, cut between what a reader takes for characters. */
export function oneLine(text: string, maxChars = MAX_TITLE_CHARS): string {
  const line = text.slice(0, MAX_LOOKED_AT_UNITS).replace(UNPRINTABLE, ' ').replace(/\s+/gu, ' ').trim();
  const segments = Array.from(characters.segment(line), ({ segment }) => segment);
  const isWhole = segments.length <= maxChars && text.length <= MAX_LOOKED_AT_UNITS;
  if (isWhole) return line;
  const kept = segments.slice(0, maxChars - 1);
  return `${kept.join('').trimEnd()}…`;
}
