import { fieldsAvailable, operationFields } from '../requests/payment-fields.js';
import { CREDENTIAL_WORDS } from '../plan/words.js';
import { OPERATION_KEYS, profileSchema } from './format.js';

/** The parts of a JSON Schema that the reference is made of. */
interface SchemaNode {
  readonly $ref?: string;
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, SchemaNode>>;
}

/** The published schema, as a file. */
export function schemaFile(): string {
  return `${JSON.stringify(profileSchema, null, 2)}\n`;
}

const root = JSON.parse(schemaFile()) as SchemaNode & {
  readonly $defs: Readonly<Record<string, SchemaNode>>;
};

const BLOCK = /(<!-- generated: ([^\n]*?) -->\n)[^]*?(\n<!-- \/generated -->)/g;

/**
 * Writes the generated blocks of the profile's documentation anew: the tables of keys from the schema's own descriptions, and
 * the lists of fields and words from the code that reads them. What stands between the blocks is written by hand.
 */
export function writeReference(document: string): string {
  return document.replace(
    BLOCK,
    (_, begin: string, name: string, end: string) => `${begin}\n${blockOf(name)}\n${end}`,
  );
}

function blockOf(name: string): string {
  if (name === 'fields') return fieldTable();
  if (name === 'words') return wordTable();
  const node = name.startsWith('$defs/') ? root.$defs[name.slice('$defs/'.length)] : root.properties?.[name];
  if (!node) throw new Error(`The schema has no ${name}`);
  return table(['key', 'meaning'], keysOf(node, ''));
}

function keysOf(node: SchemaNode, prefix: string): string[][] {
  return Object.entries(node.properties ?? {}).flatMap(([name, property]) => {
    const key = `${prefix}${name}`;
    const shared = property.$ref === undefined ? property : { ...resolve(property.$ref), ...property };
    const inner = shared.properties && property.$ref === undefined ? keysOf(shared, `${key}.`) : [];
    return [[`\`${key}\``, meaningOf(shared)], ...inner];
  });
}

function resolve($ref: string): SchemaNode {
  return root.$defs[$ref.replace('#/$defs/', '')] ?? {};
}

function meaningOf({ description = '', enum: values }: SchemaNode): string {
  const list = values?.map((value) => `\`${String(value)}\``).join(', ');
  return inCell(description) + (list === undefined ? '' : ` One of ${list}.`);
}

/** What looks like code in a description is shown as code; a bar would end the cell. */
function inCell(text: string): string {
  return text.replaceAll('|', '\\|').replace(/(?<![`{])(\{[^{}`]*\})(?!`)/g, '`$1`');
}

function fieldTable(): string {
  return table(
    ['operation', 'sends', 'may `include` besides'],
    OPERATION_KEYS.map((key) => {
      const sent = operationFields[key];
      const more = [...fieldsAvailable[key]].filter((name) => !(sent as readonly string[]).includes(name));
      return [`\`${key}\``, codes(sent), codes(more)];
    }),
  );
}

function wordTable(): string {
  const words: Readonly<Record<string, string>> = {
    'every field of the table above': 'in all templates of that operation',
    'every kept value': 'in all templates',
    [codes([...CREDENTIAL_WORDS])]: 'in `credentials` and `token` (there without `token` and `signature`)',
    [codes(['basic:apiKey:accessToken', 'basic:apiKey:'])]:
      'in `credentials` and `token`: base64 of both, or with an empty password',
    [codes(['method', 'path', 'body'])]: 'in `credentials.<set>.sign.over`: each as it is sent',
    [codes(['secret'])]: 'in `notification.signature.over`: `NOTIFICATION_SECRET`',
    [codes(['/pointer', '/pointer?yes:no'])]:
      'in a redirect, in `notification.signature.over` and `notification.answer.body`: a value of what came; for a boolean one of two texts',
  };
  return table(
    ['word', 'where'],
    Object.entries(words).map(([word, where]) => [word, where]),
  );
}

function codes(names: readonly string[]): string {
  return names.length === 0 ? '–' : names.map((name) => `\`${name}\``).join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n');
}
