import type { OpenAPIObject } from '@nestjs/swagger';

/** A request's body is at most 32 KiB, and no text of an answer is longer. */
const MAX_TEXT = 32_768;
/** What a list holds at most where the code sets no limit of its own: more attempts at one order never come. */
const MAX_ITEMS = 10_000;
const MAX_INTEGER = 2_147_483_647;

const GRANT = {
  description: 'The caller’s origin, if it is an allowed one.',
  schema: { type: 'string', format: 'uri', maxLength: MAX_TEXT },
};

/** A part of the description as it is written. */
type Part = Record<string, unknown>;

/**
 * Says of every text, list and number of the description how large it can be, where the code does not say it more closely, and of
 * every answer that it may carry a grant for the caller's origin: clients and gateways in between can then refuse what is larger.
 */
export function stateLimits(document: OpenAPIObject): void {
  for (const server of document.servers ?? []) (server as unknown as Part)['x-internal'] = false;
  walk(document.paths);
  walk(document.components);
}

function walk(part: unknown): void {
  if (typeof part !== 'object' || part === null) return;
  if (Array.isArray(part)) {
    for (const inner of part) walk(inner);
    return;
  }
  const record = part as Part;
  limitSchema(record);
  for (const [name, inner] of Object.entries(record)) {
    // What stands in an example is no schema.
    if (name === 'example' || name === 'examples') continue;
    if (name === 'responses') grantAll(inner as Record<string, Part>);
    walk(inner);
  }
}

function limitSchema(schema: Part): void {
  const types = [schema['type']].flat();
  if (types.includes('string') && !('in' in schema) && !('enum' in schema || 'const' in schema)) {
    schema['maxLength'] ??= MAX_TEXT;
  }
  if (types.includes('array')) schema['maxItems'] ??= differentWords(schema) ?? MAX_ITEMS;
  if (types.includes('integer')) {
    schema['format'] ??= 'int32';
    schema['minimum'] ??= 0;
    schema['maximum'] ??= MAX_INTEGER;
  }
}

/** A list of different words holds at most as many as there are. */
function differentWords({ uniqueItems, items }: Part): number | undefined {
  return uniqueItems === true ? (items as { enum?: unknown[] } | undefined)?.enum?.length : undefined;
}

function grantAll(answers: Record<string, Part>): void {
  for (const answer of Object.values(answers)) {
    if ('$ref' in answer) continue;
    answer['headers'] = { ...(answer['headers'] as Part | undefined), 'Access-Control-Allow-Origin': GRANT };
  }
}
