import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { profileSchema } from '../dist/gateway/profile/schema.js';
import { WORDS } from '../dist/gateway/request/words.js';

// Usage: profile-docs.js write|check: the JSON schema for editors, and the generated parts of the reference.
const REFERENCE = 'docs/gateway-profile.md';
const SCHEMA = 'profiles/profile.schema.json';

const schema = z.toJSONSchema(profileSchema, {
  io: 'input',
  reused: 'ref',
  override: ({ jsonSchema }) => {
    // A note is ignored beside any key.
    if (jsonSchema.additionalProperties === false)
      jsonSchema.properties = { ...jsonSchema.properties, note: {} };
  },
});

/** A part of the schema, what it refers to in its place. */
function resolve({ $ref, ...node }) {
  const target = $ref === undefined ? undefined : schema.$defs?.[$ref.slice('#/$defs/'.length)];
  return target ? { ...resolve(target), ...node } : node;
}

/** The keys of a part, or of the form of it that has some. */
function keysOf(node) {
  const forms = [...(node.anyOf ?? []), ...(node.allOf ?? []), node].map(resolve);
  return forms.find(({ properties }) => properties)?.properties ?? {};
}

function at(place) {
  const steps = place === '.' ? [] : place.split('/');
  return steps.reduce((node, step) => {
    const next = step === '*' ? resolve(node).additionalProperties : keysOf(node)[step];
    if (!next) throw new Error(`The schema has no ${place}`);
    return resolve(next);
  }, schema);
}

/** One line for each key with a text, one for all others. */
function keyLines(place) {
  const keys = Object.entries(keysOf(at(place))).filter(([name]) => name !== 'note');
  const texts = keys.map(([name, key]) => [name, textOf(resolve(key))]);
  const plain = texts.filter(([, text]) => text === '').map(([name]) => `\`${name}\``);
  return [
    ...texts.filter(([, text]) => text !== '').map(([name, text]) => `- \`${name}\`: ${text}`),
    ...(plain.length > 0 ? [`- ${plain.join(', ')}`] : []),
  ];
}

function textOf({ description = '', enum: values = [] }) {
  const choices = values.map((value) => `\`${value === '\t' ? 'tab' : value}\``).join(', ');
  return [description, choices].filter(Boolean).join(' ');
}

const KINDS = {
  credential: 'all but paths',
  signature: 'sets with `sign`',
  unsigned: '`sign`',
  sealed: 'body, form and query of a call with `encrypt`',
};

/** One line for all words that stand in the same places. */
function wordLines() {
  const placed = Object.entries(WORDS).map(([name, { kind, of = [] }]) => ({
    name: `\`${name}\``,
    place: KINDS[kind] ?? (of.map((one) => `\`${one}\``).join(', ') || 'everywhere'),
  }));
  const lines = Object.entries(Object.groupBy(placed, ({ place }) => place));
  return lines.map(([place, words]) => `- ${place}: ${words.map(({ name }) => name).join(', ')}`);
}

const BLOCK = /(<!-- generated: (\S+) -->\n)[^]*?(\n<!-- \/generated -->)/g;
const reference = readFileSync(REFERENCE, 'utf8').replace(
  BLOCK,
  (_, begin, place, end) => begin + (place === 'words' ? wordLines() : keyLines(place)).join('\n') + end,
);
const files = {
  [REFERENCE]: reference,
  [SCHEMA]: `${JSON.stringify({ ...schema, title: 'Tillfront gateway profile' }, null, 2)}\n`,
};
for (const [file, text] of Object.entries(files)) {
  if (process.argv[2] === 'write') writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text) {
    process.stderr.write(`${file} is not what the code says: run "npm run profile:docs" and commit it.\n`);
    process.exitCode = 1;
  }
}
