/** One instruction of a Dockerfile. */
export interface Instruction {
  line: number;
  name: string;
  /** `--from=…` and the like. */
  flags: Record<string, string>;
  /** What follows, with variables as they stand. */
  text: string;
}

export interface Stage {
  name: string;
  /** An image, or the name of a stage above. */
  from: string;
  instructions: Instruction[];
}

export interface Dockerfile {
  args: Record<string, string>;
  stages: Stage[];
}

const KNOWN = new Set([
  ...['ARG', 'COPY', 'ENTRYPOINT', 'ENV', 'EXPOSE', 'FROM', 'HEALTHCHECK', 'LABEL', 'RUN'],
  ...['STOPSIGNAL', 'USER', 'VOLUME', 'WORKDIR'],
]);

/** Reads a Dockerfile as far as ours goes; throws for what it does not know, so that nothing is passed over. */
export function parseDockerfile(text: string): Dockerfile {
  const file: Dockerfile = { args: {}, stages: [] };
  for (const instruction of instructions(text)) {
    const { name, text: rest, line } = instruction;
    if (!KNOWN.has(name)) throw new Error(`line ${line}: ${name} is not known here`);
    const stage = file.stages.at(-1);
    if (name === 'FROM') {
      const match = /^(\S+) AS (\S+)$/i.exec(rest);
      if (!match) throw new Error(`line ${line}: FROM needs an image and AS a name`);
      const [, image = '', as = ''] = match;
      file.stages.push({ name: as, from: expand(image, file.args), instructions: [] });
    } else if (name === 'ARG' && !stage) {
      const [variable = '', value = ''] = rest.split('=', 2);
      file.args[variable] = value;
    } else if (stage) stage.instructions.push(instruction);
    else throw new Error(`line ${line}: ${name} before the first FROM`);
  }
  return file;
}

function instructions(text: string): Instruction[] {
  const found: Instruction[] = [];
  let open: { line: number; text: string } | undefined;
  text.split('\n').forEach((raw, index) => {
    if (/^\s*(?:#|$)/.test(raw)) return;
    const continues = raw.endsWith('\\');
    const part = continues ? raw.slice(0, -1).trim() : raw.trim();
    open = open ? { ...open, text: `${open.text} ${part}` } : { line: index + 1, text: part };
    if (continues) return;
    found.push(instruction(open.line, open.text));
    open = undefined;
  });
  return found;
}

function instruction(line: number, whole: string): Instruction {
  const [, name = '', rest = ''] = /^(\S+)\s+(.*)$/.exec(whole) ?? [];
  const flags: Record<string, string> = {};
  let text = rest;
  for (let match; (match = /^--([a-z-]+)=(\S+)\s+/.exec(text));) {
    flags[match[1] ?? ''] = match[2] ?? '';
    text = text.slice(match[0].length);
  }
  return { line, name: name.toUpperCase(), flags, text };
}

/** Fills variables in. */
export function expand(text: string, variables: Readonly<Record<string, string | undefined>>): string {
  return text.replaceAll(/\$\{(\w+)\}|\$(\w+)/g, (_, braced?: string, bare?: string) => {
    const value = variables[braced ?? bare ?? ''];
    if (value === undefined) throw new Error(`${braced ?? bare ?? ''} is not set`);
    return value;
  });
}

/** `A=1 B="two words"` as an object. */
export function assignments(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/(\S+?)=(?:"([^"]*)"|(\S*))/g)].map(([, name = '', quoted, bare = '']) => [
      name,
      quoted ?? bare,
    ]),
  );
}
