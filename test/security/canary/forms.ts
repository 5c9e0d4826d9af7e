import { createHash } from 'node:crypto';

/** One way in which a secret may be written down. */
export interface Form {
  readonly name: string;
  readonly bytes: Buffer;
}

/** Shorter needles would be found by chance in identifiers and compressed data. */
const SHORTEST_NEEDLE = 6;

const grouped = (text: string, by: string): string => text.match(/.{1,4}/g)?.join(by) ?? text;

const percentEncoded = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('');

const unicodeEscaped = (text: string): string =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

/** What base64 makes of the text when it begins at this place of a group of three; the signs that depend on neighbours are cut. */
function base64At(text: string, offset: 0 | 1 | 2): string {
  const length = Buffer.byteLength(text);
  const encoded = Buffer.concat([Buffer.alloc(offset), Buffer.from(text)]).toString('base64');
  const first = Math.ceil((offset * 8) / 6);
  return encoded.slice(first, Math.floor(((offset + length) * 8) / 6));
}

/** A secret plain, spaced, dashed, hex, base64 at three offsets, URL-encoded, reversed, UTF-16, and as unsalted SHA-256. */
export function formsOf(secret: string): Form[] {
  const digest = createHash('sha256').update(secret).digest();
  const texts: Record<string, string> = {
    plain: secret,
    spaced: grouped(secret, ' '),
    dashed: grouped(secret, '-'),
    reversed: [...secret].reverse().join(''),
    hex: Buffer.from(secret).toString('hex'),
    'upper hex': Buffer.from(secret).toString('hex').toUpperCase(),
    'URL-encoded': encodeURIComponent(secret),
    'percent-encoded': percentEncoded(secret),
    'unicode escapes': unicodeEscaped(secret),
    'base64 at 0': base64At(secret, 0),
    'base64 at 1': base64At(secret, 1),
    'base64 at 2': base64At(secret, 2),
    'sha256 hex': digest.toString('hex'),
    'sha256 base64': digest.toString('base64').replace(/=+$/, ''),
    'sha256 base64url': digest.toString('base64url'),
  };
  for (const [name, text] of Object.entries(texts)) {
    if (!name.startsWith('base64')) continue;
    texts[`${name} (URL)`] = text.replaceAll('+', '-').replaceAll('/', '_');
  }
  const utf16 = Buffer.from(secret, 'utf16le');
  const forms = Object.entries(texts).map(([name, text]) => ({ name, bytes: Buffer.from(text) }));
  forms.push({ name: 'UTF-16LE', bytes: utf16 }, { name: 'UTF-16BE', bytes: Buffer.from(utf16).swap16() });
  const known = new Set<string>();
  return forms.filter(({ bytes }) => {
    const key = bytes.toString('latin1');
    const usable = bytes.length >= SHORTEST_NEEDLE && !known.has(key);
    known.add(key);
    return usable;
  });
}

/** A short secret (cvv, PIN) as programs write it down: quoted, or behind its own name. Alone, few digits stand everywhere. */
export function shortFormsOf(secret: string): Form[] {
  const digest = createHash('sha256').update(secret).digest();
  const quoted = ['"', "'", '\\"', '%22'].map((quote) => ({
    name: `in ${quote}`,
    bytes: Buffer.from(quote + secret + quote),
  }));
  const named = ['cvv', 'cvc', 'pin', 'card_pin', 'otp'].flatMap((name) =>
    ['=', ':', ': ', '%3D', ' '].map((between) => ({
      name: `as ${name}`,
      bytes: Buffer.from(name + between + secret),
    })),
  );
  return [
    ...quoted,
    ...named,
    { name: 'sha256 hex', bytes: Buffer.from(digest.toString('hex')) },
    { name: 'sha256 base64', bytes: Buffer.from(digest.toString('base64').replace(/=+$/, '')) },
    { name: 'quoted hex', bytes: Buffer.from(Buffer.from(`"${secret}"`).toString('hex')) },
    ...([0, 1, 2] as const).map((offset) => ({
      name: `quoted, base64 at ${offset}`,
      bytes: Buffer.from(base64At(`"${secret}"`, offset)),
    })),
  ];
}
