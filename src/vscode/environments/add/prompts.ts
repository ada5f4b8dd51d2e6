/** One question after the other, with a way back to the one before: what the inputs of VS Code leave to their callers. */
import * as vscode from 'vscode';
import { messageOf } from '../../../base/messageOf';

export type Answer<T> =
  { readonly kind: 'given'; readonly value: T } | { readonly kind: 'back' } | { readonly kind: 'cancelled' };

/** What a person typed, or a sentence that says why it will not do. */
export type Typed<T> = { readonly kind: 'read'; readonly value: T } | { readonly kind: 'wrong'; readonly fault: string };

export interface Place {
  readonly title: string;
  readonly canGoBack: boolean;
}

export interface Offer<T> {
  readonly label: string;
  readonly description?: string;
  readonly detail?: string;
  readonly value: T;
}

export interface ChoiceOptions<T> extends Place {
  readonly placeholder: string;
  /** Shown as soon as they are known; where they never will be, the reason stands in their place. */
  readonly offers: Promise<readonly Offer<T>[]>;
  /** Reads what is typed in place of a choice; without it there is only the choice. */
  readonly readTyped?: (text: string) => Typed<T>;
}

interface OfferItem<T> extends vscode.QuickPickItem {
  /** None for what is typed and will not do. */
  readonly offer: Offer<T> | undefined;
}

/** Lets the user choose one of the offers, or type something else. */
export function choose<T>({ offers, placeholder, readTyped, ...place }: ChoiceOptions<T>): Promise<Answer<T>> {
  const picker = vscode.window.createQuickPick<OfferItem<T>>();
  let known: readonly Offer<T>[] = [];
  const draw = (): void => {
    const items = known.map((offer): OfferItem<T> => ({ ...offer, offer }));
    const text = picker.value.trim();
    const isNew = text !== '' && !known.some(({ label }) => label === text);
    // Last, so that Enter takes the offer that is looked for.
    picker.items = readTyped !== undefined && isNew ? [...items, typedItem(text, readTyped(text))] : items;
  };
  picker.placeholder = placeholder;
  picker.matchOnDescription = true;
  picker.busy = true;
  void offers
    .then(
      (loaded) => {
        known = loaded;
        draw();
      },
      (error: unknown) => {
        picker.placeholder = `${placeholder} (${messageOf(error)})`;
      },
    )
    .finally(() => {
      picker.busy = false;
    });
  picker.onDidChangeValue(draw);
  return show(picker, place, () => picker.selectedItems[0]?.offer);
}

function typedItem<T>(text: string, typed: Typed<T>): OfferItem<T> {
  const isRead = typed.kind === 'read';
  return {
    label: text,
    description: isRead ? vscode.l10n.t('as typed') : typed.fault,
    alwaysShow: true,
    offer: isRead ? { label: text, value: typed.value } : undefined,
  };
}

export interface TextOptions<T> extends Place {
  readonly prompt: string;
  readonly value?: string;
  readonly read: (text: string) => Typed<T>;
}

/** Lets the user type something, and says at once what is wrong with it. */
export function ask<T>({ prompt, value = '', read, ...place }: TextOptions<T>): Promise<Answer<T>> {
  const box = vscode.window.createInputBox();
  box.prompt = prompt;
  box.value = value;
  box.onDidChangeValue((text) => {
    const typed = read(text.trim());
    box.validationMessage = typed.kind === 'read' ? undefined : typed.fault;
  });
  return show(box, place, () => {
    const typed = read(box.value.trim());
    if (typed.kind === 'read') return typed;
    box.validationMessage = typed.fault;
    return undefined;
  });
}

type Input = Pick<
  vscode.InputBox,
  'title' | 'ignoreFocusOut' | 'buttons' | 'onDidAccept' | 'onDidHide' | 'onDidTriggerButton' | 'show' | 'dispose'
>;

/** Owns the input. `accept` gives what it holds, or `undefined` where that will not do. */
function show<T>(
  input: Input,
  { title, canGoBack }: Place,
  accept: () => { readonly value: T } | undefined,
): Promise<Answer<T>> {
  return new Promise((resolve) => {
    const settle = (answer: Answer<T>): void => {
      resolve(answer);
      input.dispose();
    };
    input.title = title;
    // What is asked for may have to be looked up in another window.
    input.ignoreFocusOut = true;
    input.buttons = canGoBack ? [vscode.QuickInputButtons.Back] : [];
    input.onDidAccept(() => {
      const accepted = accept();
      if (accepted !== undefined) settle({ kind: 'given', value: accepted.value });
    });
    input.onDidTriggerButton(() => settle({ kind: 'back' }));
    input.onDidHide(() => settle({ kind: 'cancelled' }));
    input.show();
  });
}
