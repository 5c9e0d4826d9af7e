import { readFileSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { profileSchema } from '../dist/gateway/profile/schema.js';
import { WORDS } from '../dist/gateway/request/words.js';

// Usage: profile-docs.js write|check: the JSON schema for editors, with the reference's own words, and the reference's list of words.
// The reference must name every key of each part, and no other.
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

const LINE = /^- (`[^`]+`(?:, `[^`]+`)*)(?:: (.*))?$/gm;

/** Takes what the reference says of the keys of a part into the schema. */
function describe(place, text) {
  const keys = keysOf(at(place));
  const missing = new Set(Object.keys(keys));
  missing.delete('note');
  for (const [, names, description] of text.matchAll(LINE))
    for (const [, name] of names.matchAll(/`([^`]+)`/g)) {
      if (!missing.delete(name)) fault(`${REFERENCE} has ${name}, which is no key of ${place}`);
      else if (description) keys[name] = { ...keys[name], description };
    }
  for (const name of missing) fault(`${REFERENCE} lacks ${name}, a key of ${place}`);
}

function fault(message) {
  process.stderr.write(`${message}.\n`);
  process.exitCode = 1;
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

const BLOCK = /(<!-- (keys|generated): (\S+) -->\n)([^]*?)(\n<!-- \/\2 -->)/g;
const reference = readFileSync(REFERENCE, 'utf8').replace(BLOCK, (whole, begin, kind, place, text, end) => {
  if (kind === 'generated') return begin + wordLines().join('\n') + end;
  describe(place, text);
  return whole;
});
const files = {
  [REFERENCE]: reference,
  [SCHEMA]: `${JSON.stringify({ ...schema, title: 'Tillfront gateway profile' }, null, 2)}\n`,
};
for (const [file, text] of Object.entries(files)) {
  if (process.argv[2] === 'write') writeFileSync(file, text);
  else if (readFileSync(file, 'utf8') !== text)
    fault(`${file} is not what code and reference say: run "npm run profile:docs" and commit it`);
}
