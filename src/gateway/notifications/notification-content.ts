import jsonc, { type Node } from 'jsonc-parser';
import { parseAnswer } from '../answers/answer-json.js';
import { parsePointer, readPointer, type Pointer } from '../profile/pointer.js';

/** How a form begins: a name and an equals sign, without the characters that begin JSON or XML. */
const FORM = /^[^\s{}[\]"<>]*=/;

/**
 * The content of a notification: a JSON body, a form, or the query of a GET, which reads like a form. The media type is
 * ignored, because gateways get it wrong.
 */
export class NotificationContent {
  readonly #text: string;
  readonly #document: unknown;
  readonly #form: URLSearchParams | undefined;
  #tree: Node | undefined;

  constructor(body: Uint8Array) {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    this.#text = text.replace(/^\uFEFF/, '');
    this.#document = parseJson(this.#text);
    this.#form = this.#document === undefined && FORM.test(text) ? new URLSearchParams(text) : undefined;
  }

  /** Whether anything can be read in it. */
  get isReadable(): boolean {
    return this.#document !== undefined || this.#form !== undefined;
  }

  /** The value at a pointer, or of the form's field that a pointer of one step names. */
  at(pointer: Pointer): unknown {
    if (!this.#form) return readPointer(this.#document, pointer);
    const [field, ...rest] = pointer;
    return field === undefined || rest.length > 0 ? undefined : (this.#form.get(field) ?? undefined);
  }

  /** The value of a name as the profile writes it: a pointer, or the field of a form. */
  named(name: string): unknown {
    if (name.startsWith('/')) {
      const pointer = parsePointer(name);
      return pointer && this.at(pointer);
    }
    return this.#form?.get(name) ?? undefined;
  }

  /**
   * The same as it came: a number in its own digits, an object with its own blanks. A text is its value. Undefined where
   * the content says one thing twice, so that nobody can sign one of them and mean the other.
   */
  asItCame(pointer: Pointer): unknown {
    if (this.#form) return this.at(pointer);
    const value = this.at(pointer);
    if (typeof value === 'string' || typeof value === 'boolean' || value === undefined) return value;
    if (!this.#tree) {
      if (!parseAnswer(this.#text).ok) return undefined;
      this.#tree = jsonc.parseTree(this.#text);
    }
    const node = this.#tree && nodeAt(this.#tree, pointer);
    return node && this.#text.slice(node.offset, node.offset + node.length);
  }
}

function nodeAt(tree: Node, pointer: Pointer): Node | undefined {
  let node: Node | undefined = tree;
  for (const step of pointer) {
    if (node?.type === 'array') node = node.children?.[Number(step)];
    else {
      const member: Node | undefined = node?.children?.find(({ children }) => children?.[0]?.value === step);
      node = member?.children?.[1];
    }
  }
  return node;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
