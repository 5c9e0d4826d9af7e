import js from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import security from 'eslint-plugin-security';
import { defineConfig, globalIgnores } from 'eslint/config';
import tseslint from 'typescript-eslint';

/** What plain scripts use of Node's globals; TypeScript knows them by itself. */
const nodeGlobals = ['Buffer', 'URL', 'clearTimeout', 'console', 'fetch', 'module', 'process', 'setTimeout'];

const wallClock = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message:
      "The wall clock decides nothing: take the store's clock, or performance.now() for a span of time.",
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: "The wall clock decides nothing: take the store's clock.",
  },
];

export default defineConfig(
  globalIgnores([
    'dist/',
    'data/',
    'coverage/',
    'artifacts/',
    'browser/dist/',
    '**/generated/',
    'demo/dist/',
    'packages/*/dist/',
  ]),
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', ignoreRestSiblings: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'error',
      '@typescript-eslint/consistent-type-imports': 'off',
      '@typescript-eslint/return-await': ['error', 'in-try-catch'],
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-constructor-return': 'error',
      'max-lines': ['error', { max: 300, skipBlankLines: true, skipComments: true }],
    },
  },
  {
    files: ['src/**/*.ts'],
    plugins: { security },
    rules: {
      // The rules of this plugin that tell a fault from usual code. Left out: non-literal files and expressions (paths come from the
      // configuration, expressions from constants), object injection (it takes every index for one), and unsafe expressions (it
      // counts repetitions; a test tries those that meet hostile texts for their time).
      'security/detect-bidi-characters': 'error',
      'security/detect-buffer-noassert': 'error',
      'security/detect-child-process': 'error',
      'security/detect-disable-mustache-escape': 'error',
      'security/detect-eval-with-expression': 'error',
      'security/detect-new-buffer': 'error',
      'security/detect-no-csrf-before-method-override': 'error',
      'security/detect-non-literal-require': 'error',
      'security/detect-pseudoRandomBytes': 'error',
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only src/config reads the environment.' },
      ],
      'no-restricted-syntax': ['error', ...wallClock],
    },
  },
  {
    // What is shown to, or checked against, the world outside: a card's month and `iat`, the time in a signed request and the end
    // of a token, and what a person reads on a terminal.
    files: [
      'src/gateway/gateway.ts',
      'src/gateway/profile/rehearsal.ts',
      'src/methods/cards/card-encryption.ts',
      'src/methods/cards/cards.service.ts',
      'src/cli/**/*.ts',
    ],
    rules: { 'no-restricted-syntax': 'off' },
  },
  {
    // Every expression that may meet outside text takes time by the length of the text, not by its square.
    files: ['src/**/*.ts', 'browser/**/*.ts', 'browser/**/*.tsx', 'packages/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential', ignoreSticky: true }],
      'regexp/no-dupe-disjunctions': 'error',
      'regexp/no-invalid-regexp': 'error',
    },
  },
  { files: ['src/config/**/*.ts'], rules: { 'no-restricted-properties': 'off' } },
  { files: ['src/cli/**/*.ts'], rules: { 'no-console': 'off' } },
  {
    files: ['**/*.spec.ts', 'test/**/*.ts'],
    rules: {
      'max-lines': ['error', { max: 600, skipBlankLines: true, skipComments: true }],
      '@typescript-eslint/explicit-module-boundary-types': 'off',
      'no-restricted-properties': 'off',
      'no-restricted-syntax': [
        'error',
        {
          selector:
            'MemberExpression[object.name=/^(test|it|describe)$/][property.name=/^(skip|only|todo|failing)$/]',
          message: 'A test that does not run proves nothing.',
        },
        {
          selector: 'CallExpression[callee.name=/^(xit|xtest|xdescribe|fit|fdescribe)$/]',
          message: 'A test that does not run proves nothing.',
        },
      ],
    },
  },
  {
    files: ['**/*.js', '**/*.cjs', '**/*.mjs'],
    languageOptions: {
      globals: Object.fromEntries(nodeGlobals.map((name) => [name, 'readonly'])),
    },
  },
);
