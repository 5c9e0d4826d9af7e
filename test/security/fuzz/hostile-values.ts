import fc from 'fast-check';

/** Stands in hostile values: where a refusal holds it, it repeats what the caller sent. With a digit no name of a field looks like it. */
export const MARK = 'zq7MARK7qz';

const deep = (levels: number): unknown => (levels === 0 ? MARK : { a: deep(levels - 1) });

const texts = [
  '',
  ' ',
  '\t',
  MARK,
  `${MARK}\u0000`,
  `${MARK}\r\nset-cookie: x=1`,
  `\u202e${MARK}`,
  `\ud800${MARK}`,
  `\udc00`,
  '\ufeff',
  '\u2028',
  '١٢٣٤٥٦',
  '１２３４',
  '४२',
  '²',
  '1e3',
  '1E400',
  '-0',
  '+1',
  '0x10',
  '1_000',
  '1,000.00',
  '00',
  '1.',
  '.5',
  '1.000000001',
  '9'.repeat(400),
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[object Object]',
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  `' OR 1=1 -- ${MARK}`,
  `"; DROP TABLE payments; ${MARK}`,
  `\${7*7}${MARK}`,
  `{{${MARK}}}`,
  `<script>${MARK}</script>`,
  `%00${MARK}`,
  `../../${MARK}`,
  `javascript:${MARK}`,
  `https://evil.example/${MARK}`,
  `file:///etc/${MARK}`,
  'x'.repeat(10_000),
  '😀'.repeat(300),
  'ﷺ',
  'İ',
  'ß',
  'ﬀ',
  'a\u0301',
  '5060990580000217499',
  '2026-02-30T25:61:00Z',
  '1970-01-01',
  'NGN',
  'ngn',
  'XXX',
  'NGA',
  'cs_0',
  'pay_0',
  '😀@example.com',
  `${MARK}@example.com`,
];

/** What no field expects: other types, other scripts, extremes, and what has broken parsers, databases and pages before. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom<unknown>(...texts) },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -1,
      1.5,
      1e21,
      5e-324,
      Number.MAX_SAFE_INTEGER + 2,
      [],
      {},
      [MARK],
      [[[]]],
      { [MARK]: MARK },
      { toString: MARK },
      { length: 1e9 },
      deep(19),
      deep(25),
    ),
  },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.integer() },
  { weight: 1, arbitrary: fc.bigInt().map(String) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);

/** A body with one to three of its members, at any depth, replaced, removed, added or renamed. */
export function mutated(body: unknown): fc.Arbitrary<unknown> {
  return fc
    .array(fc.record({ at: fc.nat(), how: fc.nat(5), value: hostileValue }), { minLength: 0, maxLength: 3 })
    .map((changes) =>
      changes.reduce<unknown>(
        (current, change) => changeAt(current, structuredClone(change)),
        structuredClone(body),
      ),
    );
}

function changeAt(body: unknown, { at, how, value }: { at: number; how: number; value: unknown }): unknown {
  const places = placesOf(body);
  const place = places[at % Math.max(1, places.length)];
  if (!place) return value;
  const { owner, name } = place;
  if (how === 0) delete owner[name];
  else if (how === 1) owner[typeof value === 'string' ? value : MARK] = owner[name];
  else if (how === 2) owner[name] = [owner[name]];
  else owner[name] = value;
  return body;
}

interface Place {
  owner: Record<string, unknown>;
  name: string;
}

function placesOf(value: unknown): Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const owner = value as Record<string, unknown>;
  return Object.keys(owner).flatMap((name) => [{ owner, name }, ...placesOf(owner[name])]);
}

/** The bytes of a body, mostly as they should be; else cut, disturbed, in another coding, or with a key twice. */
export function written(body: unknown): fc.Arbitrary<Buffer> {
  const text = JSON.stringify(body) ?? '';
  const bytes = Buffer.from(text);
  const disturbed = fc
    .record({ at: fc.nat(), byte: fc.nat(255), how: fc.nat(7) })
    .map(({ at, byte, how }) => {
      const place = at % Math.max(1, bytes.length);
      switch (how) {
        case 0:
          return bytes.subarray(0, place);
        case 1:
          return Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place)]);
        case 2:
          return Buffer.concat([bytes.subarray(0, place), Buffer.from([byte]), bytes.subarray(place + 1)]);
        case 3:
          return Buffer.from(text, 'utf16le');
        case 4:
          return Buffer.from(`\ufeff${text}`);
        case 5:
          return Buffer.from(text.replace('{', `{"__proto__":{"${MARK}":1},`));
        case 6:
          return Buffer.from(text.replace('{', `{"reference":"${MARK}","card":1,"otp":1,`));
        default:
          return Buffer.concat([bytes, bytes]);
      }
    });
  return fc.oneof({ weight: 5, arbitrary: fc.constant(bytes) }, { weight: 2, arbitrary: disturbed });
}
