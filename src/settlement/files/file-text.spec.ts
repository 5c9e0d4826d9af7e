import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { FileText, type FileEncoding } from './file-text.js';

interface Read {
  text: string;
  /** The line that it comes to before the first byte that is not of the encoding. */
  badLine: number | undefined;
  digest: string;
}

function read(bytes: Buffer, encoding: FileEncoding, size = bytes.length || 1): Read {
  const file = new FileText(encoding);
  let text = '';
  for (let at = 0; at < bytes.length; at += size) text += file.push(bytes.subarray(at, at + size));
  file.end();
  const badLine = file.isBad ? text.split('\n').length : undefined;
  return { text, badLine, digest: file.digest() };
}

const BYTE_ORDER_MARK = '\ufeff';
const written = (text: string, encoding: FileEncoding): Buffer =>
  encoding === 'windows-1252'
    ? Buffer.from(text.replaceAll('€', '\x80'), 'latin1')
    : Buffer.from(text, encoding === 'utf-8' ? 'utf8' : 'utf16le');

describe('a text is the same', () => {
  test('in whatever pieces, encoding and line ends it comes, with a byte order mark and without the last line’s end', () => {
    const line = fc.string({ unit: fc.constantFrom('a', 'ü', '€', ',', '"'), maxLength: 5 });
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 5 }),
        fc.constantFrom<FileEncoding>('utf-8', 'utf-16le', 'windows-1252'),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.record({ mark: fc.boolean(), end: fc.boolean(), size: fc.integer({ min: 1, max: 7 }) }),
        (lines, encoding, lineEnd, { mark, end, size }) => {
          fc.pre(lines.at(-1) !== '');
          const plain = `${lines.join('\n')}\n`;
          const isMarked = mark && encoding !== 'windows-1252';
          const text = `${isMarked ? BYTE_ORDER_MARK : ''}${lines.join(lineEnd)}${end ? lineEnd : ''}`;
          const found = read(written(text, encoding), encoding, size);
          expect(found.badLine).toBeUndefined();
          expect(found.text).toBe(end ? plain : plain.slice(0, -1));
          expect(found.digest).toBe(read(written(plain, 'utf-8'), 'utf-8').digest);
        },
      ),
    );
  });

  test('but not with another blank line', () => {
    const digests = ['a\n', 'a\n\n', '\na\n', 'a b\n'].map((text) => read(Buffer.from(text), 'utf-8').digest);
    expect(new Set(digests).size).toBe(4);
  });
});

describe('what is not of its encoding is named by its line', () => {
  test.each<[string, FileEncoding, Buffer, number]>([
    ['a byte that begins nothing', 'utf-8', Buffer.from([0x61, 0x0a, 0x62, 0x0a, 0xff, 0x0a, 0x63]), 3],
    ['half a character', 'utf-8', Buffer.from([0x61, 0x0a, 0xc3, 0x0a]), 2],
    ['half a character at the end', 'utf-8', Buffer.from([0x61, 0x0a, 0xe2, 0x82]), 2],
    ['a surrogate', 'utf-8', Buffer.from([0x61, 0x0d, 0x0a, 0xed, 0xa0, 0x80, 0x0a]), 2],
    ['half a pair', 'utf-16le', Buffer.from('a\nb\n\ud83dc\n', 'utf16le'), 3],
    ['half a pair at the end', 'utf-16le', Buffer.from('a\n\ud83d', 'utf16le'), 2],
    ['an odd byte', 'utf-16le', Buffer.concat([Buffer.from('a\nb\n', 'utf16le'), Buffer.from('c')]), 3],
    ['a byte without a character', 'windows-1252', Buffer.from([0x61, 0x0a, 0x81, 0x0a]), 2],
  ])('%s', (_, encoding, bytes, line) => {
    for (const size of [1, 2, 3, bytes.length]) expect(read(bytes, encoding, size).badLine).toBe(line);
  });

  test('and every character of Windows is read', () => {
    const bytes = Buffer.from([0x80, 0x8c, 0x92, 0x9f, 0xe9, 0xff]);
    expect(read(bytes, 'windows-1252').text).toBe('€Œ’Ÿéÿ');
  });
});
