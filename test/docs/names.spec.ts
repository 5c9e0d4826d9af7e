import { expect, test } from '@jest/globals';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { VARIABLES } from '../../sandbox/environment.ts';
import { VARIABLE_NAMES } from '../../src/config/env.js';
import { ATTENTION_REASONS } from '../../src/payments/core/payment.js';
import { documents } from './markdown.js';

/** What documents name in passing, outside of the blocks that are run: it must be there, under that name. */

const texts = [
  ...documents().map((path) => join('docs', path)),
  ...['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md'],
].map((path) => ({ path, text: readFileSync(path, 'utf8') }));

const { scripts } = JSON.parse(readFileSync('package.json', 'utf8')) as { scripts: Record<string, string> };
/** The commands of `docs/cli.md`, which another test holds to those that there are. */
const commands = [...readFileSync('docs/cli.md', 'utf8').matchAll(/^## `tillfront ([a-z -]+)`/gm)].map(
  ([, command = '']) => command,
);

test.each(texts)('$path names npm scripts that there are', ({ text }) => {
  for (const [, script = ''] of text.matchAll(/npm run ([a-z][\w:-]*)/g))
    expect(scripts).toHaveProperty([script]);
});

test.each(texts)('$path names commands that there are', ({ text }) => {
  for (const [said, words = ''] of text.matchAll(/`(?:npx )?tillfront ([a-z][a-z-]*(?: [a-z-]+)?)/g)) {
    const known = commands.some((command) => command === words || `${words} `.startsWith(`${command} `));
    expect({ said, known }).toEqual({ said, known: true });
  }
});

/** Names in capitals that are no variables of the service or the sandbox. */
const OTHERS = new Set([
  // Of commands, the examples' shop, the platform and the image; codes of failures; words of a gateway.
  ...[
    'TILLFRONT_URL',
    'TILLFRONT_API_KEY',
    'WEBHOOK_SECRET',
    'CLIENT_TOKEN',
    'NODE_EXTRA_CA_CERTS',
    'NODE_IMAGE',
    'NAME_FILE',
  ],
  ...[
    'CERT_HAS_EXPIRED',
    'SQLITE_FULL',
    'GATEWAY_BASEURL',
    'CHROMIUM_PATH',
    'FIREFOX_PATH',
    'MALLOC_ARENA_MAX',
    'OTP_REQUIRED',
    'PARTNER_PAY',
    'SOMETHING_NEW',
  ],
  // Codes of failures, and what must never be set.
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'SELF_SIGNED_CERT_IN_CHAIN', 'EAI_AGAIN'],
  ...['ERR_TLS_CERT_ALTNAME_INVALID', 'NODE_TLS_REJECT_UNAUTHORIZED'],
]);

/** The assumptions quote a gateway's words, which look the same. */
const withVariables = texts.filter(({ path }) => path !== 'docs/assumptions.md');

test.each(withVariables)('$path names variables that there are', ({ text }) => {
  for (const [, name = ''] of text.matchAll(/`([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?:=[^`]*)?`/g)) {
    const variable = name.replace(/_FILE$/, '');
    const known =
      [name, variable].some(
        (one) => VARIABLE_NAMES.includes(one) || VARIABLES.includes(one) || OTHERS.has(one),
      ) || /^(?:OTEL|TEST|PROPERTY)_/.test(name);
    expect({ name, known }).toEqual({ name, known: true });
  }
});

test.each(texts)('$path names files of the checkout that there are', ({ text }) => {
  const named = text.matchAll(/`((?:src|test|deploy|docs|sandbox|browser|demo)\/[\w./-]+)`/g);
  for (const [, path = ''] of named)
    // What deploy/make-secrets.sh makes is not in the checkout.
    if (!path.startsWith('deploy/secrets/')) expect([path, existsSync(path)]).toEqual([path, true]);
});

test.each(ATTENTION_REASONS)('the runbook says what to do about %s', (reason) => {
  expect(readFileSync('docs/runbook.md', 'utf8')).toContain(`\`${reason}\``);
});
