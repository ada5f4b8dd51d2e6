import { EscapeParser } from '../../session/text/escapeParser';

const ESC = '\u001b';
/** Margins put the cursor at the top, where there is something already: what comes next belongs below it. */
const GO_BELOW = `${ESC}[999;1H`;
/** Modes that are on in a terminal that nobody has told anything: lines wrap, the cursor is shown. */
const ON_AT_FIRST = ['?7', '?25'];
/** They do something once, or change the size of the terminal, and are no state to come back to. */
const ACTIONS = ['?3', '?1048'];
/** Modes of which the last one counts: they choose one of several, and leaving any of them leaves all. */
const CHOICES: readonly { readonly name: string; readonly modes: readonly string[] }[] = [
  { name: 'screen', modes: ['?47', '?1047', '?1049'] },
  { name: 'mouse', modes: ['?9', '?1000', '?1002', '?1003'] },
  { name: 'mouse encoding', modes: ['?1005', '?1006', '?1015', '?1016'] },
];
/** What a soft reset leaves as it is. */
const SURVIVES_SOFT_RESET = ['screen', 'mouse', 'mouse encoding', '?12', '20'];

/** How a terminal differs in one respect from one that nobody has told anything. */
interface Deviation {
  /** The sequence that makes a terminal so. */
  readonly enter: string;
  /** The one that makes it as at first. */
  readonly leave: string;
}

export type ModeState = ReadonlyMap<string, Deviation>;

/**
 * Follows the lasting states in the output of a program, whether or not a terminal shows it: which screen is drawn on, whether
 * the cursor is hidden, what keys and mouse send, where lines scroll. Colours and character sets are not among them.
 */
export class TerminalModes {
  private deviations = new Map<string, Deviation>();
  private readonly parser = new EscapeParser({
    text: () => undefined,
    control: () => undefined,
    osc: () => undefined,
    escape: (final) => this.noteEscape(final),
    csi: (parameters, final) => this.noteControl(parameters, final),
  });

  /** The output that comes next. */
  push(chunk: Buffer): void {
    this.parser.push(chunk);
  }

  /** Whether what was pushed ends between two escape sequences, and not within one. */
  get isBetweenSequences(): boolean {
    return this.parser.isInText;
  }

  /** The state after all that was pushed. */
  get state(): ModeState {
    return new Map(this.deviations);
  }

  /** The sequences that bring a terminal from an earlier state to the one of now. */
  changesSince(earlier: ModeState): string {
    const left = [...earlier].filter(([name]) => !this.deviations.has(name)).map(([, { leave }]) => leave);
    const entered = [...this.deviations].filter(([name, { enter }]) => earlier.get(name)?.enter !== enter);
    return [...left, ...entered.map(([, { enter }]) => enter)].join('');
  }

  private noteEscape(final: string): void {
    if (final === 'c') this.deviations.clear();
    else if (final === '=') this.set('?66', { enter: `${ESC}=`, leave: `${ESC}>` });
    else if (final === '>') this.deviations.delete('?66');
  }

  private noteControl(parameters: string, final: string): void {
    const sequence = `${ESC}[${parameters}${final}`;
    if (final === 'h' || final === 'l') this.noteModes(parameters, final === 'h');
    else if (final === 'p' && parameters === '!') this.resetSoftly();
    else if (final === 'q' && parameters.endsWith(' ')) this.set('cursor', { enter: sequence, leave: `${ESC}[0 q` });
    else if (final === 'r' && parameters === '') this.deviations.delete('margins');
    else if (final === 'r' && !parameters.startsWith('?'))
      this.set('margins', { enter: sequence + GO_BELOW, leave: `${ESC}[r${GO_BELOW}` });
  }

  private noteModes(parameters: string, isOn: boolean): void {
    const [, prefix = '', list = ''] = /^(\??)([\d;]+)$/.exec(parameters) ?? [];
    for (const number of list.split(';')) if (number !== '') this.noteMode(prefix + number, isOn);
  }

  private noteMode(mode: string, isOn: boolean): void {
    if (ACTIONS.includes(mode)) return;
    const name = CHOICES.find(({ modes }) => modes.includes(mode))?.name ?? mode;
    const on = `${ESC}[${mode}h`;
    const off = `${ESC}[${mode}l`;
    if (isOn === ON_AT_FIRST.includes(mode)) this.deviations.delete(name);
    else this.set(name, isOn ? { enter: on, leave: off } : { enter: off, leave: on });
  }

  private resetSoftly(): void {
    this.deviations = new Map([...this.deviations].filter(([name]) => SURVIVES_SOFT_RESET.includes(name)));
  }

  /** Later ones come later, as the program has said it. */
  private set(name: string, deviation: Deviation): void {
    this.deviations.delete(name);
    this.deviations.set(name, deviation);
  }
}
