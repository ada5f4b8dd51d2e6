import { RulesError } from './rulesError';
import type { Argument, Expression, Parameter } from './syntaxTree';
import type { TokenStream } from './tokenStream';

type ParseExpression = (stream: TokenStream) => Expression;

/** What a call hands over, after its opening bracket, which this takes up to the closing one. */
export function parseArguments(stream: TokenStream, parseExpression: ParseExpression): Argument[] {
  const args: Argument[] = [];
  while (!stream.isAt(')')) {
    const { span } = stream.next;
    const argument = parseArgument(stream, parseExpression);
    const problem = misplaced(argument, args);
    if (problem !== undefined) throw new RulesError('parse', problem, span);
    args.push(argument);
    if (!stream.accept(',')) break;
  }
  stream.expect(')');
  return args;
}

function parseArgument(stream: TokenStream, parseExpression: ParseExpression): Argument {
  if (stream.accept('*')) return { kind: 'positionals', value: parseExpression(stream) };
  if (stream.accept('**')) return { kind: 'nameds', value: parseExpression(stream) };
  const { next, afterNext } = stream;
  if (next.kind !== 'name' || afterNext.kind !== 'symbol' || afterNext.text !== '=') {
    return { kind: 'positional', value: parseExpression(stream) };
  }
  stream.take();
  stream.take();
  return { kind: 'named', name: next.text, value: parseExpression(stream) };
}

function misplaced({ kind, name }: Argument, before: readonly Argument[]): string | undefined {
  const has = (...kinds: readonly Argument['kind'][]): boolean => before.some((argument) => kinds.includes(argument.kind));
  switch (kind) {
    case 'positional':
      return has('named', 'positionals', 'nameds') ? 'positional argument after non positional' : undefined;
    case 'named':
      if (before.some((argument) => argument.name === name)) return 'repeated named argument';
      return has('positionals', 'nameds') ? 'named argument after *args or **kwargs' : undefined;
    case 'positionals':
      return has('positionals', 'nameds') ? 'args array after another args or kwargs' : undefined;
    case 'nameds':
      return has('nameds') ? 'multiple kwargs dictionary in arguments' : undefined;
  }
}

interface ParameterSyntax {
  /** The symbol after the last parameter, which is left in place. */
  readonly end: string;
  readonly hasTypes: boolean;
  readonly parseExpression: ParseExpression;
}

export function parseParameters(stream: TokenStream, syntax: ParameterSyntax): Parameter[] {
  const parameters: Parameter[] = [];
  while (!stream.isAt(syntax.end)) {
    const parameter = parseParameter(stream, syntax);
    const problem = outOfPlace(parameter, parameters);
    if (problem !== undefined) throw new RulesError('parse', problem, parameter.span);
    parameters.push(parameter);
    if (!stream.accept(',')) break;
  }
  return parameters;
}

function parseParameter(stream: TokenStream, { hasTypes, parseExpression }: ParameterSyntax): Parameter {
  const start = stream.next.span;
  const kind = stream.accept('**') ? 'nameds' : stream.accept('*') ? 'positionals' : 'plain';
  if (kind === 'positionals' && !stream.isAtKind('name')) {
    return { kind: 'gap', name: '*', type: undefined, defaultValue: undefined, span: start };
  }
  const { name } = stream.expectName();
  const type = hasTypes && stream.accept(':') ? parseExpression(stream) : undefined;
  const defaultValue = kind === 'plain' && stream.accept('=') ? parseExpression(stream) : undefined;
  return { kind, name, type, defaultValue, span: stream.spanFrom(start) };
}

function outOfPlace({ kind, name, defaultValue }: Parameter, before: readonly Parameter[]): string | undefined {
  if (before.some((parameter) => parameter.name === name)) return 'duplicated parameter name';
  if (before.some((parameter) => parameter.kind === 'nameds')) return 'parameter after another kwargs dictionary';
  const isAfterStar = before.some((parameter) => parameter.kind === 'positionals' || parameter.kind === 'gap');
  if (isAfterStar && (kind === 'positionals' || kind === 'gap'))
    return 'args parameter after another args or kwargs parameter';
  const isAfterDefault = before.some((parameter) => parameter.defaultValue !== undefined);
  const isBare = kind === 'plain' && defaultValue === undefined;
  return isBare && isAfterDefault && !isAfterStar ? 'positional parameter after non positional' : undefined;
}
