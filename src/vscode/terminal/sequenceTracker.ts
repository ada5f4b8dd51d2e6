const ESC = '\u001b';
/** Abort an escape sequence in every state of a terminal's parser. */
const CAN = 0x18;
const SUB = 0x1a;
const BEL = 0x07;
const BACKSLASH = 0x5c;

/** Where a terminal's parser stands: between sequences, or inside one of the kinds that differ in how they end. */
type Place = 'ground' | 'escape' | 'control' | 'string' | 'stringEscape';

/** Follows the escape sequences in a stream of text, just far enough to tell whether something may be put in between. */
export class SequenceTracker {
  private place: Place = 'ground';

  /** Whether the text so far ends between two escape sequences, and not within one. */
  get isBetweenSequences(): boolean {
    return this.place === 'ground';
  }

  push(text: string): void {
    for (let index = 0; index < text.length; index++) {
      if (this.place === 'ground') {
        index = text.indexOf(ESC, index);
        if (index < 0) return;
      }
      this.place = placeAfter(this.place, text.charCodeAt(index));
    }
  }
}

function placeAfter(place: Place, code: number): Place {
  if (code === 0x1b) return place === 'string' || place === 'stringEscape' ? 'stringEscape' : 'escape';
  if (code === CAN || code === SUB) return 'ground';
  switch (place) {
    case 'ground':
      return 'ground';
    case 'escape':
      return placeAfterEscape(code);
    case 'control':
      return code >= 0x40 && code <= 0x7e ? 'ground' : 'control';
    case 'string':
      return code === BEL ? 'ground' : 'string';
    case 'stringEscape':
      // ESC ends a string; what follows is the backslash of its terminator, or begins a sequence of its own.
      return code === BACKSLASH ? 'ground' : placeAfterEscape(code);
  }
}

function placeAfterEscape(code: number): Place {
  const character = String.fromCharCode(code);
  if (character === '[') return 'control';
  if (']P_^X'.includes(character)) return 'string';
  // Intermediate characters, as in ESC ( B: the final one is still to come. Control characters act and change nothing.
  return code < 0x30 ? 'escape' : 'ground';
}
