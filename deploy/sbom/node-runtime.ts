/** A component of a CycloneDX 1.5 inventory, as far as it is used here. */
export interface Component {
  'bom-ref': string;
  type: 'platform' | 'library' | 'data';
  name: string;
  version: string;
  description?: string;
  cpe?: string;
  purl: string;
  licenses?: { license: { id: string } | { name: string } }[];
  components?: Component[];
}

/** What is known of a part that Node.js brings along, by its name in `process.versions`. */
interface Part {
  name: string;
  /** The package's address up to its version, and what stands between the two: tags of many repositories begin with a `v`. */
  purl: string;
  /** SPDX, as Node's own LICENSE has it; `public domain` is the one that SPDX has no name for. */
  license: string;
  /** Vendor and product, by which the vulnerability database lists it. */
  cpe?: string;
  type?: 'data';
}

const NODE_LICENSE = 'MIT';
const PUBLIC_DOMAIN = 'public domain';

const PARTS: Readonly<Record<string, Part>> = {
  acorn: { name: 'acorn', purl: 'pkg:npm/acorn@', license: 'MIT' },
  ada: { name: 'ada', purl: 'pkg:github/ada-url/ada@v', license: 'MIT' },
  amaro: { name: 'amaro', purl: 'pkg:npm/amaro@', license: 'MIT' },
  ares: { name: 'c-ares', purl: 'pkg:github/c-ares/c-ares@v', license: 'MIT', cpe: 'c-ares:c-ares' },
  brotli: { name: 'brotli', purl: 'pkg:github/google/brotli@v', license: 'MIT', cpe: 'google:brotli' },
  cjs_module_lexer: { name: 'cjs-module-lexer', purl: 'pkg:npm/cjs-module-lexer@', license: 'MIT' },
  cldr: { name: 'cldr', purl: 'pkg:generic/cldr@', license: 'Unicode-3.0', type: 'data' },
  icu: {
    ...{ name: 'icu', purl: 'pkg:github/unicode-org/icu@release-', license: 'Unicode-3.0' },
    cpe: 'icu-project:international_components_for_unicode',
  },
  libffi: { name: 'libffi', purl: 'pkg:github/libffi/libffi@v', license: 'MIT' },
  lief: { name: 'LIEF', purl: 'pkg:github/lief-project/lief@', license: 'Apache-2.0' },
  llhttp: { name: 'llhttp', purl: 'pkg:github/nodejs/llhttp@v', license: 'MIT', cpe: 'llhttp:llhttp' },
  merve: { name: 'merve', purl: 'pkg:generic/merve@', license: 'MIT' },
  nbytes: { name: 'nbytes', purl: 'pkg:github/nodejs/nbytes@v', license: 'MIT' },
  ncrypto: { name: 'ncrypto', purl: 'pkg:github/nodejs/ncrypto@v', license: 'MIT' },
  nghttp2: {
    ...{ name: 'nghttp2', purl: 'pkg:github/nghttp2/nghttp2@v', license: 'MIT' },
    cpe: 'nghttp2:nghttp2',
  },
  nghttp3: { name: 'nghttp3', purl: 'pkg:github/ngtcp2/nghttp3@v', license: 'MIT' },
  ngtcp2: { name: 'ngtcp2', purl: 'pkg:github/ngtcp2/ngtcp2@v', license: 'MIT' },
  openssl: {
    ...{ name: 'openssl', purl: 'pkg:github/openssl/openssl@openssl-', license: 'Apache-2.0' },
    cpe: 'openssl:openssl',
  },
  simdjson: { name: 'simdjson', purl: 'pkg:github/simdjson/simdjson@v', license: 'Apache-2.0' },
  simdutf: { name: 'simdutf', purl: 'pkg:github/simdutf/simdutf@v', license: 'MIT' },
  sqlite: { name: 'sqlite', purl: 'pkg:generic/sqlite@', license: 'blessing', cpe: 'sqlite:sqlite' },
  tz: { name: 'tzdata', purl: 'pkg:generic/tzdata@', license: PUBLIC_DOMAIN, type: 'data' },
  undici: { name: 'undici', purl: 'pkg:npm/undici@', license: 'MIT', cpe: 'nodejs:undici' },
  uv: { name: 'libuv', purl: 'pkg:github/libuv/libuv@v', license: 'MIT', cpe: 'libuv:libuv' },
  uvwasi: { name: 'uvwasi', purl: 'pkg:github/nodejs/uvwasi@v', license: 'MIT' },
  v8: { name: 'v8', purl: 'pkg:github/v8/v8@', license: 'BSD-3-Clause', cpe: 'google:v8' },
  zlib: { name: 'zlib', purl: 'pkg:generic/zlib@', license: 'Zlib', cpe: 'zlib:zlib' },
  zstd: {
    name: 'zstd',
    purl: 'pkg:github/facebook/zstd@v',
    license: 'BSD-3-Clause',
    cpe: 'facebook:zstandard',
  },
};

/** Numbers of interfaces and standards, which are no parts. */
const NO_PARTS = new Set(['node', 'modules', 'napi', 'unicode']);

/**
 * Node.js as it runs, with the parts that it says it was built from. A part that nobody here knows is listed by its name, without a
 * licence; one without a version is not in this build.
 */
export function nodeRuntime(versions: Readonly<Record<string, string | undefined>>): Component {
  const { node: version = '' } = versions;
  const parts = Object.entries(versions).filter(([key, its]) => !NO_PARTS.has(key) && its);
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    description: 'Node.js, which runs the service',
    licenses: licensed(NODE_LICENSE),
    cpe: cpeOf('nodejs:node.js', version),
    purl: `pkg:github/nodejs/node@v${version}`,
    components: parts.map(([key, its = '']) => componentOf(PARTS[key] ?? unknownPart(key), its, version)),
  };
}

function componentOf(part: Part, version: string, node: string): Component {
  // V8 and zlib say after a dash or dot what Node has changed in them; advisories know the number before it.
  const [plain = version] = version.split('-');
  return {
    'bom-ref': `node@${node}/${part.name}@${version}`,
    type: part.type ?? 'library',
    name: part.name,
    version,
    ...(part.license && { licenses: licensed(part.license) }),
    ...(part.cpe !== undefined && { cpe: cpeOf(part.cpe, plain) }),
    purl: part.purl + encodeURIComponent(version),
  };
}

const unknownPart = (name: string): Part => ({ name, purl: `pkg:generic/${name}@`, license: '' });

const licensed = (license: string): NonNullable<Component['licenses']> => [
  { license: license === PUBLIC_DOMAIN ? { name: license } : { id: license } },
];

const cpeOf = (product: string, version: string): string => `cpe:2.3:a:${product}:${version}:*:*:*:*:*:*:*`;
