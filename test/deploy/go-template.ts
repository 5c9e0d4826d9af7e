import { createHash } from 'node:crypto';
import { stringify } from 'yaml';

/**
 * As much of Go's templates, with Helm's functions, as our chart uses: enough to see what it makes of values on a machine
 * without helm. Whatever is not known here throws, so the chart cannot outgrow it unnoticed.
 */

type Value = unknown;
type Scope = Map<string, Value>;
type Call = (args: Value[]) => Value;

type Node =
  | { kind: 'text'; text: string }
  | { kind: 'action'; assign: string | undefined; pipe: string }
  | { kind: 'if' | 'with'; pipe: string; body: Node[]; otherwise: Node[] }
  | { kind: 'range'; names: string[]; pipe: string; body: Node[]; otherwise: Node[] };

export interface TemplateInput {
  Values: Value;
  Chart: Record<string, string>;
  Release: Record<string, string>;
  /** Reads a file of the chart. */
  file: (path: string) => string;
}

/** Renders templates that share their definitions. */
export class GoTemplates {
  readonly #defined = new Map<string, Node[]>();
  readonly #files = new Map<string, Node[]>();
  readonly #input: TemplateInput;

  constructor(templates: Readonly<Record<string, string>>, input: TemplateInput) {
    this.#input = input;
    for (const [name, text] of Object.entries(templates)) this.#files.set(name, this.#parse(text));
  }

  render(name: string): string {
    const { Values, Chart, Release } = this.#input;
    const root = { Values, Chart, Release };
    return this.#run(this.#files.get(name) ?? [], root, new Map([['$', root]]));
  }

  #parse(text: string): Node[] {
    const tokens = tokenize(text);
    const block = (): { nodes: Node[]; end: string } => {
      const nodes: Node[] = [];
      for (let token = tokens.shift(); token; token = tokens.shift()) {
        if (token.kind === 'text') {
          nodes.push(token);
          continue;
        }
        const { code } = token;
        const [, word = '', rest = ''] =
          /^(if|with|range|define|else if|else|end)\b\s*([^]*)$/.exec(code) ?? [];
        if (word === 'end' || word === 'else' || word === 'else if') return { nodes, end: code };
        if (word === 'define') {
          this.#defined.set(JSON.parse(rest) as string, block().nodes);
        } else if (word === 'range') {
          const [, names, pipe = rest] = /^((?:\$\w+(?:,\s*)?)+)\s*:=\s*([^]*)$/.exec(rest) ?? [];
          nodes.push({ kind: 'range', names: names?.split(/,\s*/) ?? [], pipe, ...branches() });
        } else if (word === 'if' || word === 'with') nodes.push({ kind: word, pipe: rest, ...branches() });
        else {
          const [, assign, pipe = code] = /^(\$\w*)\s*:=\s*([^]*)$/.exec(code) ?? [];
          nodes.push({ kind: 'action', assign, pipe });
        }
      }
      return { nodes, end: 'end' };
    };
    const branches = (): { body: Node[]; otherwise: Node[] } => {
      const { nodes: body, end } = block();
      if (end === 'end') return { body, otherwise: [] };
      if (end === 'else') return { body, otherwise: block().nodes };
      const pipe = end.replace(/^else if\s+/, '');
      return { body, otherwise: [{ kind: 'if', pipe, ...branches() }] };
    };
    return block().nodes;
  }

  #run(nodes: readonly Node[], dot: Value, outer: Scope): string {
    const scope = new Map(outer);
    return nodes.map((node) => this.#step(node, dot, scope)).join('');
  }

  #step(node: Node, dot: Value, scope: Scope): string {
    if (node.kind === 'text') return node.text;
    const value = this.#evaluate(node.pipe, dot, scope);
    switch (node.kind) {
      case 'action':
        if (node.assign === undefined) return textOf(value);
        scope.set(node.assign, value);
        return '';
      case 'if':
        return this.#run(isTrue(value) ? node.body : node.otherwise, dot, scope);
      case 'with':
        return isTrue(value) ? this.#run(node.body, value, scope) : this.#run(node.otherwise, dot, scope);
      case 'range':
        return this.#range(node, value, dot, scope);
    }
  }

  #range(node: Extract<Node, { kind: 'range' }>, value: Value, dot: Value, scope: Scope): string {
    const entries = Array.isArray(value)
      ? [...value.entries()]
      : Object.entries(value ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
    if (entries.length === 0) return this.#run(node.otherwise, dot, scope);
    return entries
      .map(([key, item]) => {
        const [first, second] = node.names;
        const inner = new Map(scope);
        if (second !== undefined) inner.set(first ?? '', key).set(second, item);
        else if (first !== undefined) inner.set(first, item);
        return this.#run(node.body, item, inner);
      })
      .join('');
  }

  #evaluate(pipe: string, dot: Value, scope: Scope): Value {
    const words = lex(pipe);
    const value = this.#pipeline(words, dot, scope);
    if (words.length > 0) throw new Error(`cannot read ${JSON.stringify(pipe)}`);
    return value;
  }

  #pipeline(words: string[], dot: Value, scope: Scope): Value {
    let result = this.#command(words, dot, scope, []);
    while (words[0] === '|') {
      words.shift();
      result = this.#command(words, dot, scope, [result]);
    }
    return result;
  }

  #command(words: string[], dot: Value, scope: Scope, piped: Value[]): Value {
    const head = words[0] ?? '';
    const call = this.#functions[head] ?? (head === '.Files.Get' ? this.#read : undefined);
    if (!call && !/^[.$"`(0-9-]|^(?:true|false|nil)$/.test(head)) throw new Error(`no function ${head}`);
    if (call) words.shift();
    const args: Value[] = [];
    while (words.length > 0 && words[0] !== '|' && words[0] !== ')')
      args.push(this.#operand(words, dot, scope));
    if (call) return call([...args, ...piped]);
    if (args.length !== 1 || piped.length > 0) throw new Error(`${head} is no function`);
    return args[0];
  }

  #operand(words: string[], dot: Value, scope: Scope): Value {
    const word = words.shift() ?? '';
    if (word === '(') {
      const value = this.#pipeline(words, dot, scope);
      if (words.shift() !== ')') throw new Error('a parenthesis is open');
      return value;
    }
    if (/^["`]/.test(word)) return word.startsWith('"') ? JSON.parse(word) : word.slice(1, -1);
    if (/^-?[0-9]/.test(word)) return Number(word);
    if (word === 'true' || word === 'false') return word === 'true';
    if (word === 'nil') return undefined;
    const [variable, ...path] = word.split('.');
    const from = variable === '' ? dot : scope.get(variable ?? '');
    return path
      .filter((name) => name !== '')
      .reduce<Value>((at, name) => (at as Record<string, Value> | undefined)?.[name], from);
  }

  readonly #read: Call = ([path]) => this.#input.file(String(path));

  readonly #functions: Readonly<Record<string, Call>> = {
    include: ([name, dot]) => {
      const nodes = this.#defined.get(String(name));
      if (!nodes) throw new Error(`nothing is defined as ${String(name)}`);
      return this.#run(nodes, dot, new Map([['$', dot]]));
    },
    required: ([message, value]) => {
      if (value === undefined || value === '') throw new Error(String(message));
      return value;
    },
    fail: ([message]) => {
      throw new Error(String(message));
    },
    default: ([fallback, value]) => (isTrue(value) ? value : fallback),
    contains: ([part, whole]) => String(whole).includes(String(part)),
    trunc: ([length, text]) => String(text).slice(0, Number(length)),
    trimSuffix: ([suffix, text]) =>
      String(text).endsWith(String(suffix)) ? String(text).slice(0, -String(suffix).length) : text,
    printf: ([format, ...args]) => String(format).replaceAll(/%[sdv]/g, () => textOf(args.shift())),
    hasKey: ([map, key]) => Object.hasOwn(map as object, String(key)),
    list: (items) => items,
    not: ([value]) => !isTrue(value),
    quote: ([value]) => JSON.stringify(textOf(value)),
    nindent: ([width, text]) => `\n${indent(Number(width), String(text))}`,
    toYaml: ([value]) => stringify(value, { lineWidth: 0 }).trimEnd(),
    toJson: ([value]) => JSON.stringify(value),
    toPrettyJson: ([value]) => JSON.stringify(value, null, 2),
    sha256sum: ([text]) => createHash('sha256').update(String(text)).digest('hex'),
    mul: (numbers) => numbers.reduce<number>((product, number) => product * Number(number), 1),
    sub: ([from, number]) => Number(from) - Number(number),
    add: (numbers) => numbers.reduce<number>((sum, number) => sum + Number(number), 0),
    div: ([number, by]) => Math.trunc(Number(number) / Number(by)),
    atoi: ([text]) => (/^[+-]?\d+$/.test(String(text)) ? Number(text) : 0),
    int: ([value]) => Math.trunc(Number(value)),
    lt: ([a, b]) => Number(a) < Number(b),
    gt: ([a, b]) => Number(a) > Number(b),
    ge: ([a, b]) => Number(a) >= Number(b),
    and: (values) => values.every(isTrue),
    ternary: ([then, otherwise, condition]) => (isTrue(condition) ? then : otherwise),
    toStrings: ([items]) => (items as Value[]).map(textOf),
    concat: (lists) => lists.flat(),
    uniq: ([items]) => [...new Set(items as Value[])],
    join: ([separator, items]) => (items as Value[]).map(textOf).join(String(separator)),
    splitList: ([separator, text]) => String(text).split(String(separator)),
    hasPrefix: ([prefix, text]) => String(text).startsWith(String(prefix)),
    hasSuffix: ([suffix, text]) => String(text).endsWith(String(suffix)),
    regexReplaceAll: ([pattern, text, by]) =>
      String(text).replaceAll(new RegExp(String(pattern), 'g'), String(by).replaceAll(/\$\{(\d)\}/g, '$$$1')),
  };
}

type Token = { kind: 'text'; text: string } | { kind: 'code'; code: string };

function tokenize(source: string): Token[] {
  const tokens: Token[] = [];
  let trim = false;
  const push = (text: string): void => void (text !== '' && tokens.push({ kind: 'text', text }));
  let at = 0;
  for (const match of source.matchAll(/\{\{(- )?\s*([^]*?)\s*( -)?\}\}/g)) {
    let text = source.slice(at, match.index);
    if (trim) text = text.trimStart();
    if (match[1]) text = text.trimEnd();
    push(text);
    trim = match[3] !== undefined;
    at = match.index + match[0].length;
    const code = match[2] ?? '';
    if (!/^\/\*[^]*\*\/$/.test(code)) tokens.push({ kind: 'code', code });
  }
  const rest = source.slice(at);
  push(trim ? rest.trimStart() : rest);
  return tokens;
}

function lex(pipe: string): string[] {
  const words = pipe.match(/"(?:[^"\\]|\\.)*"|`[^`]*`|[()|]|[^\s()|"`]+/g);
  if (!words) throw new Error(`nothing to evaluate in ${JSON.stringify(pipe)}`);
  return [...words];
}

function isTrue(value: Value): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}

function textOf(value: Value): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (value === undefined || value === null) return '';
  throw new Error(`a ${typeof value} cannot be written: use toYaml`);
}

function indent(width: number, text: string): string {
  return text.replaceAll(/^/gm, ' '.repeat(width));
}
