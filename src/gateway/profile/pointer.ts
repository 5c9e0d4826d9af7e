/** The steps of a JSON pointer (RFC 6901). */
export type Pointer = readonly string[];

/** Undefined where the text is no pointer. The empty one means the whole document. */
export function parsePointer(text: string): Pointer | undefined {
  if (text === '') return [];
  if (!text.startsWith('/') || /~(?![01])/.test(text)) return undefined;
  return text
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

export function writePointer(steps: readonly (string | number)[]): string {
  return steps.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a pointer. It goes on inside a text that is JSON: some gateways put one into the other. */
export function readPointer(document: unknown, pointer: Pointer): unknown {
  let value = document;
  for (const step of pointer) {
    if (typeof value === 'string') value = insideText(value);
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
    if (Array.isArray(value) && !/^(?:0|[1-9][0-9]*)$/.test(step)) return undefined;
    value = (value as Record<string, unknown>)[step];
  }
  return value;
}

function insideText(text: string): unknown {
  if (!/^\s*[{[]/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
