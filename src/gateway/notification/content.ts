import jsonc, { type Node } from 'jsonc-parser';
import { parseAnswer } from '../answer/values.js';
import { readPointer, type Pointer } from '../profile/pointer.js';
import { decode } from '../transport/transport.js';

/** A notification as it came. */
export interface RawNotification {
  /** By lower-case name, as Node gives them. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The raw body. */
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
  const type = headers['content-type'];
  const contentType = typeof type === 'string' ? type : '';
  const bytes =
    body.length > 0 ? Buffer.from(body.buffer, body.byteOffset, body.byteLength) : Buffer.from(query);
  const text = decode(bytes, contentType);
  const document = parseAnswer(text);
  if (typeof document === 'object' && document !== null) return new JsonContent(document, text, []);
  const boundary = /boundary="?([^";]+)/i.exec(contentType)?.[1];
  if (boundary !== undefined && bytes.includes(`--${boundary}`))
    return fields(multipart(bytes.toString('latin1'), boundary));
  if (/^\s*</.test(text)) return xml(text);
  return /^[^\s{}[\]"<>]*=/.test(text) ? fields(form(bytes.toString('latin1').trim())) : undefined;
}

class JsonContent implements Content {
  constructor(
    private readonly document: unknown,
    private readonly text: string,
    /** Where an entry of a list stands in the text. */
    private readonly base: Pointer,
  ) {}

  at(pointer: Pointer): unknown {
    return readPointer(this.document, pointer);
  }

  bytesAt(pointer: Pointer): Uint8Array | undefined {
    const value = this.at(pointer);
    if (typeof value === 'string' || typeof value === 'boolean') return Buffer.from(String(value));
    if (value === undefined) return undefined;
    const tree = jsonc.parseTree(this.text);
    const node = tree && nodeAt(tree, [...this.base, ...pointer]);
    return node && Buffer.from(this.text.slice(node.offset, node.offset + node.length));
  }

  entriesAt(pointer: Pointer): Content[] {
    const list = this.at(pointer);
    if (!Array.isArray(list)) return [];
    return list.map(
      (entry, index) => new JsonContent(entry, this.text, [...this.base, ...pointer, String(index)]),
    );
  }
}

/** Of a key that stands twice the last counts, as in the parsed document. */
function nodeAt(tree: Node, pointer: Pointer): Node | undefined {
  let node: Node | undefined = tree;
  for (const step of pointer) {
    const children: readonly Node[] = node?.children ?? [];
    node =
      node?.type === 'array'
        ? children[Number(step)]
        : children.findLast((member) => member.children?.[0]?.value === step)?.children?.[1];
  }
  return node;
}

/** Fields by name, in bytes. The first one of a name counts. */
function fields(named: ReadonlyMap<string, Buffer>): Content {
  const field = ([name, ...rest]: Pointer): Buffer | undefined =>
    name === undefined || rest.length > 0 ? undefined : named.get(name);
  return {
    at: (pointer) => {
      const bytes = field(pointer);
      if (bytes) return fieldText(bytes);
      // A field may hold JSON, into which the pointer goes on.
      const [name, ...rest] = pointer;
      const outer = name === undefined || rest.length === 0 ? undefined : named.get(name);
      return outer && readPointer(fieldText(outer), rest);
    },
    bytesAt: field,
    entriesAt: () => [],
  };
}

function fieldText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  return text.includes('\uFFFD') ? new TextDecoder('windows-1252').decode(bytes) : text;
}

/** `text` is Latin-1: one sign a byte. */
function form(text: string): ReadonlyMap<string, Buffer> {
  const named = new Map<string, Buffer>();
  for (const pair of text.split('&')) {
    const at = pair.indexOf('=');
    if (at < 0) continue;
    const name = fieldText(unescaped(pair.slice(0, at)));
    if (!named.has(name)) named.set(name, unescaped(pair.slice(at + 1)));
  }
  return named;
}

function unescaped(text: string): Buffer {
  const plain = text
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(plain, 'latin1');
}

function multipart(text: string, boundary: string): ReadonlyMap<string, Buffer> {
  const named = new Map<string, Buffer>();
  for (const part of text.split(`--${boundary}`).slice(1)) {
    const end = part.indexOf('\r\n\r\n');
    const name = /^content-disposition:.*[; ]name="([^"]*)"/im.exec(part.slice(0, Math.max(end, 0)))?.[1];
    if (name !== undefined && !named.has(name))
      named.set(name, Buffer.from(part.slice(end + 4).replace(/\r\n$/, ''), 'latin1'));
  }
  return named;
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The first element of each name that has text only. */
function xml(text: string): Content {
  const named = new Map<string, Buffer>();
  for (const [, name = '', cdata, plain = ''] of text.matchAll(
    /<(?:[\w.-]+:)?([\w.-]+)(?:\s[^<>]*)?>(?:\s*<!\[CDATA\[([^\]]*)\]\]>\s*|([^<]*))<\//g,
  )) {
    const value = cdata ?? plain.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{1,8}));/gi, entity);
    if (!named.has(name)) named.set(name, Buffer.from(value));
  }
  return fields(named);
}

function entity(whole: string, decimal?: string, hex?: string, name?: string): string {
  if (name !== undefined) return ENTITIES[name.toLowerCase()] ?? whole;
  const code = decimal === undefined ? parseInt(hex ?? '', 16) : Number(decimal);
  return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
}
