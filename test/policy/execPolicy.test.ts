import { describe, expect, it } from 'vitest';
import { ExecPolicy } from '../../src/policy/execPolicy';
import { readRuleSet } from '../../src/policy/rules/ruleSet';
import { decideLine, policyOf } from './support/decide';

const RULES = `prefix_rule(["git", "status"])
prefix_rule(["git", "push"], decision = "prompt", justification = "others see it")
prefix_rule(["rm"], decision = "forbidden", justification = "use the trash")
`;

describe('a verdict', () => {
  it('names the rule that decided, with its place and its justification', () => {
    expect(policyOf({ rules: RULES }).decide({ argv: ['git', 'push', 'origin'] })).toEqual({
      decision: 'prompt',
      reason: '`git push origin` needs to be approved by a rule (test.rules:2:1): others see it',
      parts: [{ command: ['git', 'push', 'origin'], decision: 'prompt', matchedRules: [expect.anything()] }],
      matchedRules: [
        {
          decision: 'prompt',
          matchedPrefix: ['git', 'push'],
          justification: 'others see it',
          range: { file: 'test.rules', start: { line: 2, column: 1 }, end: { line: 2, column: 83 } },
        },
      ],
      obstacles: [],
      problems: [],
    });
  });

  it('is the strictest of those on the parts of a line, and tells what is said of each', () => {
    const { decision, parts } = decideLine('cd x && git status | rm -f y; nohup git push', { rules: RULES });

    expect(decision).toBe('forbidden');
    expect(parts.map((part) => [part.command.join(' '), part.decision])).toEqual([
      ['cd x', undefined],
      ['git status', 'allow'],
      ['rm -f y', 'forbidden'],
      ['nohup git push', undefined],
      ['git push', 'prompt'],
    ]);
  });

  it.each([
    ['git status', 'allow', '`git status` is allowed by a rule (test.rules:1:1)'],
    ['rm x', 'forbidden', '`rm x` is forbidden by a rule (test.rules:3:1): use the trash'],
    ['ls "a b"', 'prompt', 'no rule allows `ls "a b"`'],
    ['git status $X', 'prompt', 'it cannot be judged by its parts: the command line has an expansion'],
    ['ls | sudo git status', 'prompt', expect.stringContaining('cannot be looked through (`sudo`)')],
    ['', 'allow', 'no rule asks for it or forbids it'],
  ])('on %j is %s and says why', (line, decision, reason) => {
    expect(decideLine(line, { rules: RULES, unmatched: 'prompt' })).toMatchObject({ decision, reason });
  });

  it('asks about what cannot be taken apart only where a rule could have something against it', () => {
    const line = 'for x in *; do echo $x; done';
    const harmless = 'prefix_rule(["ls"])';

    expect(decideLine(line, { rules: harmless }).decision).toBe('allow');
    expect(decideLine(line, { rules: harmless, unmatched: 'prompt' }).decision).toBe('prompt');
    expect(decideLine(line, { rules: RULES }).decision).toBe('prompt');
  });

  it('asks about everything, and says why, while a file of rules has an error; what it forbids stays forbidden', () => {
    const rules = `${RULES}prefix_rule(["ls"], decision = "alow")`;

    expect(decideLine('git status', { rules })).toMatchObject({
      decision: 'prompt',
      reason: 'a file of rules has an error, so everything needs to be approved (test.rules:4:1: invalid decision: alow)',
      problems: [{ code: 'invalid-decision', range: { start: { line: 4, column: 1 } } }],
    });
    expect(decideLine('rm x', { rules }).decision).toBe('forbidden');
  });

  it('asks about everything while an example in another file fails', () => {
    const texts = [
      { file: 'a.rules', text: 'prefix_rule(["ls"])' },
      { file: 'b.rules', text: 'prefix_rule(["git"], match = ["gti"])' },
    ];
    const policy = new ExecPolicy({ rules: readRuleSet(texts, '/home/user'), unmatched: 'allow' });

    expect(policy.decide({ argv: ['ls'] })).toMatchObject({
      decision: 'prompt',
      reason: expect.stringContaining('b.rules:1:'),
    });
  });
});

describe('a rule that allows', () => {
  it.each([
    ['/tmp/evil/git status', 'prompt'],
    ['./git status', 'prompt'],
    ['GIT status', 'prompt'],
    ['/usr/bin/git status', 'allow'],
    ['/usr/bin/../bin/git status', 'allow'],
    ['/usr/bin/git push', 'prompt'],
  ])('counts for a path only if a host_executable lists it: %s', (line, decision) => {
    const rules = `${RULES}host_executable("git", ["/usr/bin/git"])`;

    expect(decideLine(line, { rules, unmatched: 'prompt' }).decision).toBe(decision);
  });

  it.each([
    // Says something of sudo, and nothing of what it runs.
    ['prefix_rule(["sudo"])', 'sudo apt update', 'prompt'],
    ['prefix_rule(["sudo", "apt"])', 'sudo apt update', 'allow'],
    ['prefix_rule(["sudo", "-u", "me", "apt"])', 'sudo -u me apt update', 'allow'],
    ['prefix_rule(["xargs", "grep"])', 'xargs grep -l x', 'allow'],
    ['prefix_rule(["bash", "-lc", "ls *.txt"])', "bash -lc 'ls *.txt'", 'allow'],
    ['prefix_rule(["bash", "-lc"])', "bash -lc 'ls *.txt'", 'prompt'],
    ['prefix_rule(["bash", "build.sh"])', 'bash build.sh', 'allow'],
    ['prefix_rule(["export"])', 'export A=b', 'allow'],
    ['prefix_rule(["export"])', "export 'A[$(ls)]=b'", 'prompt'],
    ['prefix_rule(["uv", "run"])', 'uv run pytest', 'allow'],
    ['prefix_rule(["pytest"])', 'uv run pytest', 'prompt'],
    ['prefix_rule(["find"])', 'find . -name x', 'allow'],
    ['prefix_rule(["find"])', 'find . -exec ls ;', 'prompt'],
  ])('%s makes of %s: %s', (rules, line, decision) => {
    expect(decideLine(line, { rules, unmatched: 'prompt' }).decision).toBe(decision);
  });

  it('does not speak for what a wrapper may add to a command that another rule is strict about', () => {
    const rules = `${RULES}prefix_rule(["xargs", "git"])`;

    expect(decideLine('cat x | xargs git', { rules }).decision).toBe('prompt');
    expect(decideLine('cat x | xargs git status', { rules }).decision).toBe('allow');
  });

  it('does not speak for a program that only has the name of a wrapper', () => {
    expect(decideLine('./nohup git status', { rules: RULES, unmatched: 'prompt' }).decision).toBe('prompt');
    expect(decideLine('NOHUP git status', { rules: RULES, unmatched: 'prompt' }).decision).toBe('prompt');
  });
});
