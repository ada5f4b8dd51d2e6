import { readFileSync } from 'node:fs';
import path from 'node:path';

/** Which files of the home folder a shell reads: as a login shell, the first of each group that is there; and with a person. */
interface StartUpFiles {
  readonly login: readonly (readonly string[])[];
  readonly interactive: string;
}

const START_UP_FILES: Readonly<Record<string, StartUpFiles>> = {
  bash: { login: [['.bash_profile', '.bash_login', '.profile']], interactive: '.bashrc' },
  zsh: { login: [['.zshenv'], ['.zprofile'], ['.zlogin']], interactive: '.zshrc' },
};

/** How such a file asks whether it is read for a person: most end there if not. */
const ASKS_FOR_PERSON = /\$-|\$\{?PS1|-o +(?:login +)?interactive/;

/**
 * The start-up file, such as `.bashrc`, that would have set up more than a login shell without a person has had: it is there,
 * and no other one reads it, or it does less for that. Looks at the files of this machine, as they are now.
 */
export function findUnreadStartUp(shell: string, home: string): string | undefined {
  const files = START_UP_FILES[path.basename(shell)];
  if (files === undefined) return undefined;
  const { login, interactive } = files;
  const text = readIfThere(path.join(home, interactive));
  if (text === undefined || text.trim() === '') return undefined;
  const profiles = login.map((group) => firstOf(group.map((name) => path.join(home, name))));
  const isRead = profiles.some((profile) => profile?.includes(interactive) === true);
  return isRead && !ASKS_FOR_PERSON.test(text) ? undefined : interactive;
}

function firstOf(files: readonly string[]): string | undefined {
  for (const file of files) {
    const text = readIfThere(file);
    if (text !== undefined) return text;
  }
  return undefined;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
