import { describe, expect, it } from 'vitest';
import { MAX_LINE_UNITS } from '../../../src/policy/shell/splitLine';
import { decideLine, policyOf } from '../support/decide';

/** What an agent may do, and what it may not: each hostile line hides one of the latter behind the former. */
const RULES = `
prefix_rule(["git", "status"])
prefix_rule(["git", "log"])
prefix_rule(["ls"])
prefix_rule(["cat"])
prefix_rule(["test"])
prefix_rule(["printf"])
prefix_rule(["grep"])
prefix_rule(["find"])
prefix_rule(["export"])
prefix_rule(["source"])
prefix_rule(["read"])
prefix_rule(["env"])
prefix_rule(["xargs"])
prefix_rule(["bash"])
prefix_rule(["time"])
prefix_rule(["nohup"])
prefix_rule(["timeout"])
prefix_rule(["rm"], decision = "forbidden", justification = "use the trash")
prefix_rule(["git", "push"], decision = "prompt")
`;

const HOSTILE: readonly (readonly [what: string, line: string])[] = [
  ['a later command', 'git status; rm -rf /'],
  ['a command after and', 'git status && rm -rf /'],
  ['a command after or', 'git status || rm -rf /'],
  ['a pipe', 'git status | rm -rf /'],
  ['the background', 'git status & rm -rf /'],
  ['a new line', 'git status\nrm -rf /'],
  ['no blanks', 'git status;rm -rf /'],
  ['a command substitution', 'ls $(rm -rf /)'],
  ['backticks', 'ls `rm -rf /`'],
  ['backticks in quotes', 'ls "`rm -rf /`"'],
  ['a substitution in quotes', 'ls "$(rm -rf /)"'],
  ['a substitution in a substitution', 'ls $(ls $(rm -rf /))'],
  ['backticks in backticks', 'ls `ls \\`rm -rf /\\``'],
  ['a substitution in an expansion', 'ls ${x:-$(rm -rf /)}'],
  ['a substitution in arithmetic', 'ls $((a[$(rm -rf /)]))'],
  ['a process substitution', 'cat <(rm -rf /)'],
  ['an output process substitution', 'ls > >(rm -rf /)'],
  ['a subshell', '(rm -rf /)'],
  ['a group', '{ rm -rf /; }'],
  ['a loop', 'for x in a; do rm -rf /; done'],
  ['a condition', 'if ls; then rm -rf /; fi'],
  ['a condition itself', 'while rm -rf /; do ls; done'],
  ['a case', 'case x in x) rm -rf /;; esac'],
  ['a function', 'git() { rm -rf /; }; git status'],
  ['a function with its keyword', 'function ls { rm -rf /; }; ls'],
  ['an alias', "alias ls='rm -rf /'\nls"],
  ['a hash', 'hash -p /bin/rm ls; ls -rf /'],
  ['a trap', "trap 'rm -rf /' EXIT"],
  ['eval', "eval 'rm -rf /'"],
  ['eval of parts', 'eval rm -rf /'],
  ['eval of an expansion', 'eval $x'],
  ['exec', 'exec rm -rf /'],
  ['exec with a name', 'exec -a ls rm -rf /'],
  ['command', 'command rm -rf /'],
  ['command with its option', 'command -p rm -rf /'],
  ['builtin', 'builtin eval "rm -rf /"'],
  ['env', 'env rm -rf /'],
  ['env by its path', '/usr/bin/env rm -rf /'],
  ['env with a variable', 'env A=b rm -rf /'],
  ['env that splits', "env -S 'rm -rf /'"],
  ['nohup', 'nohup rm -rf /'],
  ['time', 'time rm -rf /'],
  ['time with a variable', 'time A=b rm -rf /'],
  ['time with a group', 'time { rm -rf /; }'],
  ['timeout', 'timeout 5 rm -rf /'],
  ['timeout with options', 'timeout -k 5 10 rm -rf /'],
  ['nice', 'nice -n 5 rm -rf /'],
  ['wrappers in one another', 'nohup nice timeout 5 env rm -rf /'],
  ['many wrappers', `${'nohup '.repeat(50)}rm -rf /`],
  ['sudo', 'sudo rm -rf /'],
  ['sudo with options', 'sudo -u root rm -rf /'],
  ['xargs', 'ls | xargs rm -rf'],
  ['xargs that gets the rest', 'ls | xargs git'],
  ['find', 'find . -exec rm -rf / +'],
  ['find that asks', 'find . -ok rm -rf / +'],
  ['busybox', 'busybox rm -rf /'],
  ['sh', "sh -c 'rm -rf /'"],
  ['bash as a login shell', "bash -lc 'rm -rf /'"],
  ['a shell by its path', "/bin/bash -c 'rm -rf /'"],
  ['a shell with options', "bash --norc -c 'rm -rf /'"],
  ['a shell in a shell', `bash -c "sh -c 'rm -rf /'"`],
  ['a shell that reads its input', 'printf "rm -rf /" | bash'],
  ['a shell with a here-document', 'bash <<EOF\nrm -rf /\nEOF'],
  ['a shell with a here-string', "bash <<< 'rm -rf /'"],
  ['a shell that reads a device', 'bash /dev/stdin'],
  ['another kind of shell', "pwsh -Command 'rm -rf /'"],
  ['a line that goes on', 'r\\\nm -rf /'],
  ['a line that goes on between commands', 'git status \\\n; rm -rf /'],
  ['an operator that goes on', 'git status &\\\n& rm -rf /'],
  ['a keyword that goes on', 'i\\\nf ls; then rm -rf /; fi'],
  ['an assignment that goes on', 'A\\\nB=c rm -rf /'],
  ['a backslash', '\\rm -rf /'],
  ['quotes', '"rm" -rf /'],
  ['quotes within', 'r"m" -rf /'],
  ['empty quotes', "r''m -rf /"],
  ['ANSI quotes', "$'rm' -rf /"],
  ['escapes in ANSI quotes', "$'\\x72\\x6d' -rf /"],
  ['a variable', '$x -rf /'],
  ['a default', '${x:-rm} -rf /'],
  ['the field separator', 'rm${IFS}-rf${IFS}/'],
  ['the field separator alone', 'X=rm$IFS-rf; $X'],
  ['braces', '{rm,-rf,/}'],
  ['a glob', '/bin/r? -rf /'],
  ['a class', '/bin/[r]m -rf /'],
  ['its path', '/bin/rm -rf /'],
  ['a winding path', '/usr/../bin/./rm -rf /'],
  ['a relative path', '../../bin/rm -rf /'],
  ['capitals', 'RM -rf /'],
  ['the ending of Windows', 'rm.exe -rf /'],
  ['an environment before it', 'LD_PRELOAD=./evil.so git status'],
  ['a path before it', 'PATH=./evil:$PATH git status'],
  ['a path set first', 'export PATH=$PWD/evil; git status'],
  ['an assignment alone', 'PATH=evil; git status'],
  ['an assignment to an element', 'a[$(rm -rf /)]=1'],
  ['an index in test', "test -v 'a[$(rm -rf /)]'"],
  ['an index in printf', "printf -v 'a[$(rm -rf /)]' x"],
  ['an index in read', "read 'a[$(rm -rf /)]'"],
  ['a file written', 'cat x > ~/.bashrc'],
  ['a file written by number', 'cat x 1>.git/hooks/pre-commit'],
  ['a file made by nothing', '> .bashrc'],
  ['a file for reading and writing', 'cat <> x'],
  ['a descriptor opened', 'cat 3<>x'],
  ['a write without saying so', 'cat x &> y'],
  ['a clobbering write', 'cat x >| y'],
  ['a comment that ends', 'git status # all is well\nrm -rf /'],
  ['a hash that is no comment', 'git status a#b; rm -rf /'],
  ['a here-document that ends', 'cat <<EOF\nEOF\nrm -rf /'],
  ['a here-document with a substitution', 'cat <<EOF\n$(rm -rf /)\nEOF'],
  ['NUL', 'git status\0; rm -rf /'],
  ['NUL within', 'r\0m -rf /'],
  ['a carriage return', 'git status\rrm -rf /'],
  ['an escape sequence', 'git status \u001b[2K; rm -rf /'],
  ['a backspace', 'git status\b\b; rm -rf /'],
  ['a letter that looks alike', 'rｍ -rf /'],
  ['a long s that folds', '\u017fudo rm -rf /'],
  ['a blank that is none', 'git\u00a0status'],
  ['a zero-width character', 'r\u200bm -rf /'],
  ['letters turned around', 'git status \u202e; rm -rf /'],
  ['half a character', 'git status \ud800'],
  ['history', '!rm'],
  ['history in quotes', 'ls "!rm"'],
  ['quick substitution', '^status^push'],
  ['a job', '%1'],
  ['negation', '! rm -rf /'],
  ['negation twice', '! ! rm -rf /'],
  ['a coprocess', 'coproc rm -rf /'],
  ['a select', 'select x in a; do rm -rf /; done'],
  ['an error after it', 'rm -rf /\n)'],
  ['an open quote', "git status 'x; rm -rf /"],
  ['an open bracket', 'ls $(rm -rf /'],
  ['what one shell takes for one operator', 'git status |& rm -rf /'],
  ['a double semicolon', 'git status;; rm -rf /'],
  ['a history command', 'fc -s rm'],
  ['completion', "compgen -C 'rm -rf /'"],
  ['a job that runs', 'jobs -x rm -rf /'],
  ['a line longer than a person reads', `git status ${'x '.repeat(MAX_LINE_UNITS)}; rm -rf /`],
  ['many brackets', `${'('.repeat(10_000)}rm -rf /`],
  ['many substitutions', `${'$('.repeat(10_000)}rm -rf /`],
  ['many backticks', `ls ${'`'.repeat(9_999)}rm -rf /`],
  ['many shells', `${'bash -c "'.repeat(50)}rm -rf /`],
  ['a calculation in zsh', "exit 'a[$(rm -rf /)]'"],
  ['a calculation with backticks', "printf %d 'a[`rm -rf /`]'"],
  ['a prompt that is printed', "print -P '$(rm -rf /)'"],
  ['wrappers that each may begin anywhere', `${'sudo -x '.repeat(2_000)}rm -rf /`],
  ['more commands than a person reads', `${'ls; '.repeat(1_000)}rm -rf /`],
  ['a tool of a project', 'uv run rm -rf /'],
  ['a tool of a project with options', 'npm exec -y -- rm -rf /'],
  ['a tool of a project with many options', `uv run ${'-w x '.repeat(50)}rm -rf /`],
  ['a push', 'git push'],
  ['a push by its path', '/usr/bin/git push'],
  ['a push in quotes', 'git "push"'],
  ['a push in parts', 'git pu"sh"'],
];

describe('a command line that hides what rules forbid', () => {
  it.each(HOSTILE)('is not allowed by %s', (_, commandLine) => {
    const decisions = (['allow', 'prompt'] as const).map(
      (unmatched) => decideLine(commandLine, { rules: RULES, unmatched }).decision,
    );

    expect(decisions).not.toContain('allow');
  });

  it.each([
    ['git status; rm -rf /'],
    ['ls $(rm -rf /)'],
    ['ls "$(ls `rm -rf /`)" > x'],
    ['for x in a; do rm -rf $x; done'],
    ["bash -lc 'ls && rm -rf /'"],
    ['nohup nice timeout 5 env rm -rf /'],
    ['sudo -u root rm -rf /'],
    ['ls | xargs -n 1 rm'],
    ['find . -name x -exec rm -rf {} +'],
    ['A=b /bin/rm -rf /'],
    ['r\\\nm -rf /'],
    ["su -c 'rm -rf /'"],
  ])('is forbidden, not only asked about, if what it hides can be seen: %j', (commandLine) => {
    expect(decideLine(commandLine, { rules: RULES })).toMatchObject({
      decision: 'forbidden',
      reason: expect.stringContaining('use the trash'),
    });
  });

  it.each([['zsh'], ['fish'], ['/usr/bin/dash'], ['pwsh'], ['cmd.exe'], ['no-such-shell']])(
    'is not allowed in %s either',
    (shell) => {
      const allowed = HOSTILE.filter(
        ([, commandLine]) => decideLine(commandLine, { rules: RULES, shell }).decision === 'allow',
      );

      expect(allowed).toEqual([]);
    },
  );

  it.each([
    ['zsh', 'ls =rm'],
    ['zsh', 'ls x==rm'],
    ['zsh', '- rm'],
    ['zsh', 'noglob rm -rf /'],
    ['zsh', "ls 'a''b'"],
    ['zsh', 'ls HEAD^'],
    ['zsh', 'git status # x'],
    ['zsh', 'git status 12>&1'],
    ['fish', 'ls (rm -rf /)'],
    ['fish', "ls 'a\\'b'"],
    ['fish', 'ls a\\x3b rm'],
    ['fish', 'begin; rm -rf /; end'],
    ['fish', 'and rm -rf /'],
    ['pwsh', 'ls'],
  ])('is not allowed where only %s reads it otherwise: %j', (shell, commandLine) => {
    expect(decideLine(commandLine, { rules: RULES, shell }).decision).not.toBe('allow');
  });

  it('is judged the same as words as in a line', () => {
    const { decision } = policyOf({ rules: RULES }).decide({ argv: ['/usr/bin/env', 'bash', '-c', 'git status; rm -rf /'] });

    expect(decision).toBe('forbidden');
  });
});

describe('an ordinary command line', () => {
  it.each([
    ['git status'],
    ['git status --short'],
    ['cd src && git status | grep -v x'],
    ['git log HEAD~1 --format=%H'],
    ['git log HEAD^ -- "a file" \'another $file\''],
    ['git status 2>&1 | cat'],
    ['git status > /dev/null 2>&1'],
    ['git status; ls -la\ncat README.md # the manual'],
    ['! git status'],
    ['time git status'],
    ['nohup git status'],
    ['timeout 5 git status'],
    ["bash -lc 'cd src && git status'"],
    ['/usr/bin/env git status'],
    ['ls \\\n  -la'],
    ['export LANG=C && git log'],
    ['echo "a commit message; rm -rf / is only text"'],
    ["grep 'rm -rf' notes.md"],
    ['command -v git'],
  ])('is allowed: %j', (commandLine) => {
    const rules = `${RULES}\nprefix_rule(["command", "-v"])\n`;

    expect(decideLine(commandLine, { rules, unmatched: 'prompt' })).toMatchObject({ decision: 'allow', obstacles: [] });
  });
});
