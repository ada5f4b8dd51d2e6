import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Numbers below a limit that look random and are the same in every run. */
export function createRandom(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % limit;
  };
}

/** Characters that the split of o200k_base treats in different ways, a string for each kind. */
const ALPHABETS = [
  'abcdefghijklmnopqrstuvwxyz',
  'ABCDEFGHIJ',
  '0123456789',
  ' \t\n\r',
  '.,:;!?/-=*#"()[]{}<>|\\',
  "'s't're've'm'll'd'S'T'LL",
  'éüñßÄÖÅ',
  'αβΩЖдяІ',
  '漢字かなカナ한글',
  'אבגعربي',
  'กขคनमस',
  '😀🎉👩‍💻🇩🇪',
  '\u0301\u0300\u0903',
  'ʰʷǅǈ',
  '½²Ⅷ٣४',
  '│─┌▓█→…',
  '\u0000\u0007\u001b\u007f\u00a0\u2003\u2028\u3000',
].map((characters) => Array.from(characters));

/** Text of one to four kinds of characters, up to `maxCharacters` long. */
export function randomText(random: (limit: number) => number, maxCharacters: number): string {
  const alphabets = Array.from({ length: 1 + random(4) }, () => ALPHABETS[random(ALPHABETS.length)]!);
  return Array.from({ length: random(maxCharacters + 1) }, () => {
    const alphabet = alphabets[random(alphabets.length)]!;
    return alphabet[random(alphabet.length)]!;
  }).join('');
}

/** Ordinary output of programs, about 200 KB of each kind. */
export const sampleTexts: Readonly<Record<string, string>> = {
  code: repeated(ownFile('src/session/log/byteLog.ts') + ownFile('src/process/unixPtyProcess.ts')),
  JSON: repeated(ownFile('package-lock.json').slice(0, 100_000)),
  'a log': lines((n, random) => {
    const level = ['INFO ', 'WARN ', 'ERROR'][random(3)]!;
    const seconds = String(n % 60).padStart(2, '0');
    return `2031-04-05T06:07:${seconds}.${random(1000)}Z ${level} [worker-${random(16)}] GET /api/items/${random(1e6)} -> ${200 + random(304)} in ${random(900)} ms`;
  }),
  paths: lines((n, random) => `/usr/lib/x86_64/module-${random(90)}/dist/${n}/index.${['js', 'map', 'd.ts'][random(3)]!}`),
  'a table': lines(
    (n, random) => `${String(n).padEnd(12)}${'x'.repeat(random(20)).padEnd(40)}${String(random(1e9)).padStart(14)}`,
  ),
  'a hex dump': lines((n, random) => {
    const bytes = Array.from({ length: 16 }, () => random(256).toString(16).padStart(2, '0'));
    return `${(n * 16).toString(16).padStart(8, '0')}  ${bytes.join(' ')}`;
  }),
  'long lines': lines(
    (n, random) => `${n}: ${Array.from({ length: 400 }, () => `key${random(500)}=${random(99)}`).join(' ')}`,
  ),
  'many scripts': lines(
    (n) => `${n} Grüße, привет, γειά, 你好世界，今天天气很好。こんにちは 안녕하세요 שלום مرحبا नमस्ते 🎉👩‍💻`,
  ),
};

function repeated(text: string): string {
  return text.repeat(Math.ceil(200_000 / text.length));
}

function lines(line: (n: number, random: (limit: number) => number) => string): string {
  const random = createRandom(1);
  let text = '';
  for (let n = 0; text.length < 200_000; n++) text += `${line(n, random)}\n`;
  return text;
}

function ownFile(path: string): string {
  return readFileSync(fileURLToPath(new URL(`../../../../${path}`, import.meta.url)), 'utf8');
}
