/** Scripts made of pieces that shells read in surprising ways. The same seed gives the same scripts. */
export function* generateScripts(seed: number): Generator<string> {
  const random = mulberry32(seed);
  const pick = (choices: readonly string[]): string => choices[Math.floor(random() * choices.length)] ?? '';
  for (;;) {
    const count = 1 + Math.floor(random() * 3);
    const commands = Array.from({ length: count }, () => command(pick, random));
    yield commands.reduce((line, next) => `${line}${pick(OPERATORS)}${next}`) + pick(ENDS);
  }
}

/** The programs that generated scripts run, if they run any. */
export const GENERATED_PROGRAMS = ['a', 'b', 'c'] as const;

const HEADS = ['a', 'b', 'c', '"a"', "'b'", 'c\\\n', '\\a', 'a""', 'b\\\n', ' a', '\ta'];
const WRAPPERS = [
  'env ',
  'nohup ',
  'command ',
  'exec ',
  'time ',
  'timeout 9 ',
  'eval ',
  '! ',
  'nice ',
  'env nice ',
  'X=1 ',
  'env X=1 ',
  'sh -c ',
];
const WORDS = [
  ...[
    'x',
    '-1',
    '--y=z',
    '/p/q',
    'k=v',
    'é',
    '#',
    'x#y',
    '',
    '12',
    '2',
    ':',
    '@',
    '%',
    '^',
    'HEAD~1',
    '~',
    '=',
    '==x',
    ',',
    '+',
  ],
  ...[
    "'q r'",
    "''",
    '"d e"',
    '""',
    '\'a\'b"c"',
    "'\\'",
    '"\\\\"',
    '"\\n"',
    '"\\""',
    "'#'",
    "';'",
    '"|"',
    "'$X'",
    '"é ☃"',
    "'\n'",
  ],
  ...['\\ ', '\\;', '\\|', '\\#x', '\\\\', '\\\n', 'x\\\ny', '"x\\\ny"', "\\'", '\\"', '\\n', '\\$X'],
  ...[
    '$X',
    '"$X"',
    '${X}',
    '$(b)',
    '`b`',
    '"$(b)"',
    '*',
    '?',
    '[ab]',
    '{b,c}',
    '$((1+1))',
    "$'\\t'",
    '$"x"',
    '<(b)',
    '!',
    'x!',
    '"x!"',
  ],
  ...[
    '>/dev/null',
    '2>&1',
    '2> /dev/null',
    '</dev/null',
    '>&2',
    '>f',
    '2>f',
    '3>&1',
    '>',
    '<<E\nb\nE\n',
    '<<<x',
    '&>/dev/null',
  ],
];
const OPERATORS = [
  ' && ',
  ' || ',
  '; ',
  ' | ',
  ' & ',
  '\n',
  '&&',
  '||',
  ';',
  '|',
  '&',
  ' # x\n',
  ' |& ',
  ' ;; ',
  '\\\n&&',
  ' && \n',
  ' |\n',
  ' ',
];
const ENDS = ['', '', '', '', '\n', ';', ' &', ' # end', ' #', '\\', ' &&', ' |', ')', '"', "'"];

function command(pick: (choices: readonly string[]) => string, random: () => number): string {
  const wrapper = random() < 0.25 ? pick(WRAPPERS) : '';
  const words = Array.from({ length: Math.floor(random() * 4) }, () => pick([' ', ' ', ' ', '  ', '\t', '']) + pick(WORDS));
  const plain = `${pick(HEADS)}${words.join('')}`;
  return wrapper === 'sh -c ' ? `sh -c '${plain.replaceAll("'", '')}'` : `${wrapper}${plain}`;
}

function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
