import { describe, expect, it } from 'vitest';
import { problemOf, readText } from '../support/readText';

/** What a file makes of an expression, told by the justification of a rule. */
function valueOf(expression: string): string | undefined {
  const { prefixRules, problems } = readText(`x = ${expression}\nprefix_rule(["ls"], justification = str(x))`);
  return problems[0]?.message ?? prefixRules[0]?.justification;
}

describe('an expression in a file of rules', () => {
  // Each of these was given to codex 0.171.0, which answered the same.
  it.each([
    ['"é\\u00e9" + "abc"[1:] + str(len("é☃"))', 'éébc2'],
    [
      '",".join(["%r" % ("a",), repr("a\\"b\\n"), str([1,"x",None,(1,),{"a":1.5}])])',
      '"a","a\\"b\\n",[1, "x", None, (1,), {"a": 1.5}]',
    ],
    ['str(1<<3)+str(5&4)+str(5|2)+str(5^1)+str(~5)+str(-(-3))', '8474-63'],
    ['99999999999999999999999 * 99999999999999999999999', '9999999999999999999999800000000000000000000001'],
    ['not True and 1 or 2 < 3', 'True'],
    ['str([1,2,3][::-1])+str("abc"[::-1])+str([1,2,3][-2:])+str([1,2,3][5:])', '[3, 2, 1]cba[2, 3][]'],
    ['"a".upper() + " x ".strip() + str("a,b".split(",")) + "aXb".replace("X","-")', 'Ax["a", "b"]a-b'],
    ['"abc".title() + str("a b".partition(" "))', 'Abc("a", " ", "b")'],
    ['type(range(3)) + type({}) + type(lambda: 1) + type(len) + type(1.0)', 'rangedictfunctionfunctionfloat'],
    ['type(None) + type(True) + type(()) + type([]) + type(1) + type("")', 'NoneTypebooltuplelistintstring'],
    ['0o17 + 0x1F + 0b11', '49'],
    ['(lambda *a: a)(1, 2)', '(1, 2)'],
    ['"%s and %d%%" % ("a", 3)', 'a and 3%'],
    ['"{0} {a} {1!r} {{}}".format("p", "q", a=1)', 'p 1 "q" {}'],
    ['"a\\qb"', 'a\\qb'],
    ['"\\xff"', 'ÿ'],
    ['f"a{{b}}{1}{1 + 1}"', 'a{b}12'],
    [
      '"%s" % [1,2] + "x" * 3 + str([1]*2) + str((1,)+(2,)) + str({"a":1} | {"b":2})',
      '[1, 2]xxx[1, 1](1, 2){"a": 1, "b": 2}',
    ],
    ['5 if True else 6, 7', '(5, 7)'],
    ['-7 // 2, -7 % 3, 7 // 2', '(-4, 2, 3)'],
    ['[y for x in [[1, 2], [3]] if len(x) > 1 for y in x]', '[1, 2]'],
    ['{k: v for k, v in [("a", 1)]}', '{"a": 1}'],
    ['sorted([3, 1, 2], reverse = True), max(1, 2), min([3, 1])', '([3, 2, 1], 2, 1)'],
    ['[a for a, (b, c) in [(1, (2, 3))]] + list(enumerate(["x"])) + zip([1], [2])', '[1, (0, "x"), (1, 2)]'],
  ])('%s is %s', (expression, value) => {
    expect(valueOf(expression)).toBe(value);
  });
});

describe('a statement in a file of rules', () => {
  it.each([
    ['x = {}\nx["a"] = 1\nx["a"] += 2', '{"a": 3}'],
    ['x = [1]\ny = x\ny += [2]', '[1, 2]'],
    ['(a, b) = (1, 2)\n[c, d] = [a, b]\nx = d', '2'],
    ['x = 0\nfor i in range(10):\n  if i == 2:\n    continue\n  elif i > 4:\n    break\n  else:\n    x += i', '8'],
    ['def f(a, *rest, b = 2, **more):\n  return [a, rest, b, more]\nx = f(1, 3, b = 4, c = 5)', '[1, (3,), 4, {"c": 5}]'],
    ['def f():\n  return later\nlater = "seen"\nx = f()', 'seen'],
    ['x = [1, 2,\n  # a comment\n  3][\n0]', '1'],
    ['x = 1 \\\n  + 2', '3'],
    ['len = 3\nx = len', '3'],
  ])('%j leaves the right value behind', (text, value) => {
    const { prefixRules, problems } = readText(`${text}\nprefix_rule(["ls"], justification = str(x))`);

    expect(problems).toEqual([]);
    expect(prefixRules[0]?.justification).toBe(value);
  });
});

describe('a mistake in a file of rules', () => {
  // Kind and place are those of codex 0.171.0.
  it.each([
    ['def f():\n  return nope', 'undefined-name 2:10 Variable `nope` not found'],
    ['x = [y for y in [1]]\nprefix_rule([y])', 'undefined-name 2:14 Variable `y` not found'],
    ['def f(a: nope): pass', 'undefined-name 1:10 Variable `nope` not found'],
    ['x = y\ny = 1', 'runtime 1:5 Local variable `y` referenced before assignment'],
    ['def f():\n  x += 1\nx = 1\nf()', 'runtime 2:3 Local variable `x` referenced before assignment'],
    ['x = [1]\nx.nope()', 'runtime 2:1 Object of type `list` has no attribute `nope`'],
    ['x = "a" + 1', 'runtime 1:5 Operation `+` not supported for types `string` and `int`'],
    ['"abc"[5]', 'runtime 1:1 Index `5` is out of bound'],
    ['{}["k"]', 'runtime 1:1 Key `"k"` was not found'],
    ['{[]: 1}', 'runtime 1:2 Value of type `list` is not hashable'],
    ['"%d" % "a"', 'runtime 1:1 Operation `format(%d)` not supported on type `string`'],
    ['"%s %s" % ("a",)', 'runtime 1:1 Not enough arguments for format string'],
    ['"%s" % (1, 2)', 'runtime 1:1 Too many arguments for format string'],
    ['"{} {}".format("a")', 'runtime 1:1 Not enough parameters in format string'],
    ['for x in 3: pass', 'runtime 1:10 Operation `(iter)` not supported on type `int`'],
    ['x = [1]\nfor i in x:\n  x[0] = 2', 'runtime 3:3 This operation mutates an iterable for an iterator while iterating.'],
    ['prefix_rule(["ls"], pattern = ["a"])', 'runtime 1:1 Argument `pattern` occurs more than once'],
    ['def f(a): pass\nf()', 'missing-parameter 2:1 Missing parameter `a` for call to `f`'],
    ['def f(): pass\nf(1)', 'unknown-parameter 2:1 Found 1 extra positional argument(s) for call to f'],
    ['def f(a: str): pass\nf(1)', 'runtime 2:1 Value `1` of type `int` does not match the type annotation `str`'],
    ['x = $', 'parse 1:5 Parse error: invalid input `$`'],
    ['x = )', "parse 1:5 Parse error: unexpected symbol ')', expected expression"],
    ['x = (1 2)', "parse 1:8 Parse error: unexpected integer literal '2', expected symbol ')'"],
    ['x = 1 = 2', "parse 1:7 Parse error: unexpected symbol '=', expected new line"],
    ['x = 1 if True else', 'parse 1:19 Parse error: unexpected new line, expected expression'],
    ['if True:\nx = 1', "parse 2:1 Parse error: unexpected identifier 'x', expected new indentation block"],
    ['x = 1\n  y = 2', 'parse 2:1 Parse error: unexpected new indentation block, expected expression'],
    ['1 < 2 < 3', "parse 1:7 Parse error: unexpected symbol '<', expected end of expression"],
    ['1 = x', 'parse 1:1 left-hand-side of assignment must take the form'],
    ['x = 0755', 'parse 1:5 Parse error: integer cannot have leading 0, got `0755`'],
    ['x = "\\ud800"', 'parse 1:6 Parse error: invalid string escape sequence `ud800`'],
    ['return 1', 'parse 1:1 `return` cannot be used outside of a `def` function'],
    ['break', 'parse 1:1 `break` cannot be used outside of a `for` loop'],
    ['def f(x, x): pass', 'parse 1:10 duplicated parameter name'],
    ['prefix_rule(["ls"], *["prompt"], match = ["ls"])', 'parse 1:34 named argument after *args or **kwargs'],
    ['prefix_rule(match = ["ls"], ["ls"])', 'parse 1:29 positional argument after non positional'],
  ])('%j is told with its place', (text, problem) => {
    expect(problemOf(text)).toContain(problem);
  });

  it('is told of each example that fails, at the example', () => {
    const text =
      'prefix_rule(\n  ["git", "push"],\n  match = ["git push", "git pull"],\n  not_match = [["git", "push", "-f"]],\n)';

    expect(readText(text).problems.map(({ code, range }) => ({ code, ...range.start }))).toEqual([
      { code: 'example-did-match', line: 4, column: 16 },
      { code: 'example-did-not-match', line: 3, column: 24 },
    ]);
  });
});
