import { z } from 'zod';
import { WORDS } from '../request/words.js';
import { profileSchema } from './schema.js';

/** The parts of a JSON schema that the reference is made of. */
interface Node {
  readonly $ref?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Node>>;
  readonly additionalProperties?: Node | boolean;
  readonly anyOf?: readonly Node[];
}

/** The published schema, as a file for editors. */
export function schemaFile(): string {
  const schema = z.toJSONSchema(profileSchema, {
    io: 'input',
    reused: 'ref',
    override: ({ jsonSchema }) => {
      // A note is ignored beside any key.
      if (jsonSchema.additionalProperties === false)
        jsonSchema.properties = { ...jsonSchema.properties, note: {} };
    },
  });
  return `${JSON.stringify({ ...schema, title: 'Tillfront gateway profile' }, null, 2)}\n`;
}

const BLOCK = /(<!-- generated: (\S+) -->\n)[^]*?(\n<!-- \/generated -->)/g;

/** Writes the generated tables of the reference anew: `words`, or the keys at a place of the schema such as `operations/payCard`. */
export function writeReference(document: string): string {
  const root = JSON.parse(schemaFile()) as Node & { readonly $defs?: Record<string, Node> };
  const resolve = ({ $ref, ...node }: Node): Node => {
    const target = $ref === undefined ? undefined : root.$defs?.[$ref.slice('#/$defs/'.length)];
    return target ? { ...resolve(target), ...node } : node;
  };
  const inside = (node: Node): Node =>
    [...(node.anyOf ?? []), node].map(resolve).find(({ properties }) => properties) ?? {};
  const block = (_: string, begin: string, place: string, end: string): string => {
    if (place === 'words')
      return (
        begin +
        table(
          'word',
          Object.entries(WORDS).map(([name, { of = [] }]) => [name, of.join(', ') || 'everywhere']),
        ) +
        end
      );
    const steps = place === '.' ? [] : place.split('/');
    const node = steps.reduce<Node>((at, step) => {
      const { properties = {}, additionalProperties } = inside(at);
      const next =
        step === '*' ? resolve(at).additionalProperties : (properties[step] ?? additionalProperties);
      return typeof next === 'object' ? resolve(next) : {};
    }, root);
    const keys = Object.entries(inside(node).properties ?? {}).filter(([name]) => name !== 'note');
    if (keys.length === 0) throw new Error(`The schema has no keys at ${place}`);
    return (
      begin +
      table(
        'key',
        keys.map(([name, key]) => [name, meaningOf(resolve(key))]),
      ) +
      end
    );
  };
  return document.replace(BLOCK, block);
}

function meaningOf({ description = '', enum: values = [] }: Node): string {
  const choices =
    values.length > 0 ? ` One of ${values.map((value) => `\`${String(value)}\``).join(', ')}.` : '';
  return (description.replaceAll('|', '\\|') + choices).trim() || '–';
}

function table(head: string, rows: readonly (readonly string[])[]): string {
  const lines = rows.map(([name = '', text = '']) => `| \`${name}\` | ${text} |`);
  return [`| ${head} | meaning |`, '|---|---|', ...lines].join('\n');
}
