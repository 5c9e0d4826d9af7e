/**
 * The way of imports: each room of src may import those of the rows above it, never its own row's others and never a
 * row below. A newcomer reads the service from the top of this list to its end. An entry is a path below src, as a regular expression.
 */
const rows = [
  ['money', 'calendar', 'card-numbers'],
  ['secrets'],
  ['config'],
  ['telemetry'],
  ['gateway'],
  ['http'],
  ['payments/core'],
  ['store'],
  // The guard audits refused keys, and what is audited names its caller: one room in two folders.
  ['(auth|audit)/(?!audit[.](controller|dto|module))'],
  ['payments'],
  ['audit', 'sessions'],
  ['checkout', 'methods', 'approvals', 'notifications', 'webhooks', 'accounting'],
  ['ops'],
  ['pages', 'openapi'],
];
const folders = rows.flat();
/** A row's entry as a regular expression: a folder with all that is in it, or an expression of its own. */
const inFolder = (folder) => (folder.includes('(') ? folder : `${folder}/`);
const anyOf = (list) => list.map(inFolder).join('|');
const strange = `^src/(?!(${anyOf([...folders, 'cli'])}))[^/]+/`;
const specs = '[.]spec[.]ts$';

const downwards = rows.flatMap((row, index) =>
  row.map((folder) => ({
    name: `${folder.replace(/\W+/g, '-')}-imports-only-what-is-above-it`,
    comment: `src/${folder} may import: ${rows.slice(0, index).flat().join(', ') || 'nothing of src'}.`,
    severity: 'error',
    from: { path: `^src/(${inFolder(folder)})` },
    to: {
      path: '^src/',
      pathNot: `^src/(${anyOf([...rows.slice(0, index).flat(), folder, ...typesOf(folder)])})`,
    },
  })),
);

/** The core names the store's documents, and the store the core's records: types only, and of the core one way is checked below. */
function typesOf(folder) {
  return folder === 'payments/core' ? ['store'] : [];
}

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...downwards,
    ...[
      { from: { path: strange }, to: {} },
      { from: {}, to: { path: strange } },
    ].map((rule) => ({
      name: 'a-folder-has-a-place-in-the-list',
      comment: 'A new folder of src belongs into the rows at the top of .dependency-cruiser.cjs.',
      severity: 'error',
      ...rule,
    })),
    {
      name: 'the-core-takes-only-types-of-the-store',
      severity: 'error',
      from: { path: '^src/payments/core/', pathNot: specs },
      to: { path: '^src/store/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'nobody-imports-the-commands',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: '^src/cli/' },
    },
    { name: 'no-cycles', severity: 'error', from: { pathNot: '^test/' }, to: { circular: true } },
    {
      name: 'no-cycles-in-tests',
      comment: 'The simulation’s parts name each other’s types.',
      severity: 'error',
      from: { path: '^test/' },
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'only-the-gateway-folder-knows-axios',
      comment: 'Its errors carry card numbers and keys; they are cleaned where it is called.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/gateway/' },
      to: { path: '(^|/)node_modules/axios/' },
    },
    {
      name: 'the-sandbox-stands-alone',
      comment: "It is a second reading of the gateway's words, so it shares no code with the service.",
      severity: 'error',
      from: { path: '^sandbox/' },
      to: { path: '^(src|test|browser|demo)/' },
    },
    {
      name: 'the-browser-kit-stands-alone',
      severity: 'error',
      from: { path: '^browser/', pathNot: specs },
      to: { path: '^(src|test|sandbox|demo)/' },
    },
    {
      name: 'packages-for-shops-stand-alone',
      comment: 'A shop gets nothing of the service, and no package of anybody else.',
      severity: 'error',
      from: { path: '^packages/' },
      to: { pathNot: '^packages/', dependencyTypesNot: ['core'] },
    },
    {
      name: 'the-service-stands-alone',
      comment: "Specs may use the tests' databases and harness.",
      severity: 'error',
      from: { path: '^src/', pathNot: specs },
      to: { path: '^(test|sandbox|browser|demo)/' },
    },
    {
      name: 'the-service-runs-without-development-packages',
      severity: 'error',
      from: { path: '^src/', pathNot: specs },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'packages-are-declared',
      severity: 'error',
      from: { path: '^(src|sandbox|demo|test|browser)/' },
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'imports-resolve',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true },
    },
    { name: 'no-specs-imported', severity: 'error', from: {}, to: { path: specs } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|data|artifacts|coverage)/' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    tsConfig: { fileName: 'tsconfig.test.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.mjs', '.cjs', '.json', '.d.ts'],
    },
  },
};
