import jsonc, { type Node } from 'jsonc-parser';
import { parseAnswer } from '../answer/values.js';
import { readPointer, type Pointer } from '../profile/pointer.js';
import { decode } from '../transport/transport.js';

/** A notification as it came. */
export interface RawNotification {
  /** By lower-case name, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: Uint8Array;
  /** Without its `?`. It is the content where there is no body. */
  readonly query?: string;
}

/** What can be looked up in a notification, and in each entry of a list in it. */
export interface Content {
  /** The value at a pointer; of a form, query, multipart or XML the field, or first element, that `/name` names. */
  at(pointer: Pointer): unknown;
  /** The same as it came, for signatures: a field's bytes, a number's own digits, an object's own blanks. */
  bytesAt(pointer: Pointer): Uint8Array | undefined;
  /** The entries of a list. */
  entriesAt(pointer: Pointer): Content[];
}

/** The content of a notification. Its form is recognized by itself: gateways name it wrongly. Undefined where it has none. */
export function contentOf({ headers, body, query = '' }: RawNotification): Content | undefined {
  const contentType = String(headers['content-type'] ?? '');
  const bytes =
    body.length > 0 ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : Buffer.from(query);
  const text = decode(bytes, contentType);
  const document = parseAnswer(text);
  if (typeof document === 'object' && document !== null) return json(document, text, []);
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  const latin1 = bytes.toString('latin1');
  if (boundary !== undefined && latin1.includes(`--${boundary}`)) return fields(multipart(latin1, boundary));
  if (/^\s*</.test(text)) return fields(xml(text));
  return /^[^\s{}[\]"<>]*=/.test(text) ? fields(form(latin1.trim())) : undefined;
}

/** `base`: where an entry of a list stands in the text. */
function json(document: unknown, text: string, base: Pointer): Content {
  const at = (pointer: Pointer): unknown => readPointer(document, pointer);
  return {
    at,
    bytesAt: (pointer) => {
      const value = at(pointer);
      if (typeof value === 'string' || typeof value === 'boolean') return Buffer.from(String(value));
      const tree = value === undefined ? undefined : jsonc.parseTree(text);
      const node = tree && nodeAt(tree, [...base, ...pointer]);
      return node && Buffer.from(text.slice(node.offset, node.offset + node.length));
    },
    entriesAt: (pointer) => {
      const list = at(pointer);
      return Array.isArray(list)
        ? list.map((entry, index) => json(entry, text, [...base, ...pointer, String(index)]))
        : [];
    },
  };
}

/** Of a key that stands twice the last counts, as in the parsed document. */
function nodeAt(tree: Node, pointer: Pointer): Node | undefined {
  return pointer.reduce<Node | undefined>((node, step) => {
    const children: readonly Node[] = node?.children ?? [];
    if (node?.type === 'array') return children[Number(step)];
    return children.findLast((member) => member.children?.[0]?.value === step)?.children?.[1];
  }, tree);
}

type Fields = readonly (readonly [name: string, value: Buffer])[];

/** Fields by name, in bytes. The first one of a name counts, and a pointer goes on into one that holds JSON. */
function fields(all: Fields): Content {
  const field = (name: string | undefined): Buffer | undefined => all.find(([one]) => one === name)?.[1];
  return {
    at: ([name, ...rest]) => {
      const bytes = field(name);
      return bytes && readPointer(fieldText(bytes), rest);
    },
    bytesAt: ([name, ...rest]) => (rest.length > 0 ? undefined : field(name)),
    entriesAt: () => [],
  };
}

function fieldText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/** `text` is Latin-1: one sign a byte. */
function form(text: string): Fields {
  return text.split('&').map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return [fieldText(unescaped(name)), unescaped(value.join('='))];
  });
}

function unescaped(text: string): Buffer {
  const byte = (_: string, hex: string): string => String.fromCharCode(parseInt(hex, 16));
  return Buffer.from(text.replaceAll('+', ' ').replace(/%([0-9A-Fa-f]{2})/g, byte), 'latin1');
}

function multipart(text: string, boundary: string): Fields {
  return text.split(`--${boundary}`).flatMap((part) => {
    const [head = '', ...body] = part.split('\r\n\r\n');
    const name = /^content-disposition:.*[; ]name="([^"]*)"/im.exec(head)?.[1];
    return name === undefined
      ? []
      : [[name, Buffer.from(body.join('\r\n\r\n').replace(/\r\n$/, ''), 'latin1')] as const];
  });
}

/** The elements that have text only. */
function xml(text: string): Fields {
  const elements = text.matchAll(
    /<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[([^\]]*)\]\]>\s*|([^<]*))<\//g,
  );
  return [...elements].map(([, name = '', cdata, plain = '']) => [
    name,
    Buffer.from(cdata ?? plain.replace(ENTITY, entity)),
  ]);
}

const ENTITY = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(lt|gt|amp|quot|apos));/gi;
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
