import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { contextFiles, ignoreLines } from '../../deploy/try-image/context.ts';
import { parseDockerfile } from '../../deploy/try-image/dockerfile.ts';
import { inspectConfiguration } from '../../src/cli/configuration.js';
import { VARIABLES } from '../../sandbox/environment.ts';
import { IN_CONTAINER } from '../harness/in-container.ts';

const { stages } = parseDockerfile(readFileSync('Dockerfile', 'utf8'));
const stage = (name: string) => {
  const found = stages.find((one) => one.name === name);
  if (!found) throw new Error(`no stage ${name}`);
  return found;
};
const said = (name: string, instruction: string) =>
  stage(name).instructions.filter((one) => one.name === instruction);

describe('the image', () => {
  test.each(['service', 'sandbox'])('%s runs as nobody in particular, without a shell', (name) => {
    const [user] = said(name, 'USER');
    expect(user?.text).toBe('1000:1000');
    // an array is run as it is; a text by a shell
    for (const instruction of ['ENTRYPOINT', 'HEALTHCHECK']) {
      const [{ text = '' } = {}] = said(name, instruction);
      expect(JSON.parse(text.slice(text.indexOf('[')))).toEqual(expect.arrayContaining(['node']));
    }
    expect(said(name, 'RUN')).toEqual([]);
    expect(stage(name).from).toBe('bare');
  });

  test('begins with nothing but Node.js and what that needs, taken from an image of a digest', () => {
    expect(stage('bare').from).toBe('scratch');
    expect(stage('bare').instructions.map(({ name, text }) => `${name} ${text}`)).toEqual([
      'COPY /runtime /',
      'ENV PATH=/app/bin:/usr/local/bin',
    ]);
    expect(stage('runtime').from).toMatch(/^node:\d+\.\d+\.\d+-bookworm-slim@sha256:[0-9a-f]{64}$/);
    const added = said('runtime', 'RUN').map(({ text }) => text);
    expect(added.join('\n')).not.toMatch(/\bnpm\b|\/bin\/(?:ba)?sh|apt/);
  });

  test('has the command by a name that needs no /usr/bin/env', () => {
    const made = said('dependencies', 'RUN').map(({ text }) => text);
    expect(made.join('\n')).toContain("'#!/usr/local/bin/node --disable-sigusr1'");
    expect(said('dependencies', 'WORKDIR')[0]?.text).toBe('/app');
    expect(statSync('src/cli/main.ts').isFile()).toBe(true);
  });

  test.each(['ENTRYPOINT', 'HEALTHCHECK'])(
    '%s of the service names a file that its source makes',
    (instruction) => {
      const [{ text = '' } = {}] = said('service', instruction);
      const words = JSON.parse(text.slice(text.indexOf('['))) as string[];
      const program = words.find((word) => word.startsWith('/app/dist/')) ?? '';
      const source = program.replace('/app/dist/', 'src/').replace(/\.js$/, '.ts');
      expect(statSync(source).isFile()).toBe(true);
    },
  );

  test('is started as the soak starts it, whose memory is written down', () => {
    const [{ text = '' } = {}] = said('service', 'ENTRYPOINT');
    expect(JSON.parse(text)).toEqual(['node', ...IN_CONTAINER.nodeArguments, '/app/dist/main.js']);
    const environment = Object.entries(IN_CONTAINER.environment).map(([name, value]) => `${name}=${value}`);
    expect(said('service', 'ENV')[0]?.text.split(' ')).toEqual(expect.arrayContaining(environment));
  });

  test('has no development packages, and no secret is ever part of a layer', () => {
    expect(said('dependencies', 'RUN')[0]?.text).toMatch(
      /npm ci --omit=dev --omit=optional --ignore-scripts/,
    );
    // What a package would run at its installation could change what is built.
    const installs = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, text }) => name === 'RUN' && /\bnpm (?:ci|i|install)\b/.test(text));
    expect(installs).toHaveLength(2);
    for (const { text } of installs) expect(text).toContain(' --ignore-scripts');
    const text = readFileSync('Dockerfile', 'utf8');
    expect(text).not.toMatch(/API_KEY|TOKEN|PASSWORD|SECRET_KEY/);
  });

  test('gets from the checkout what it copies, and nothing else', () => {
    const files = contextFiles('.', ignoreLines(readFileSync('.dockerignore', 'utf8')));
    const copied = stages
      .flatMap(({ instructions }) => instructions)
      .filter(({ name, flags }) => name === 'COPY' && flags['from'] === undefined)
      .flatMap(({ text }) => text.split(/\s+/).slice(0, -1));
    for (const source of copied) {
      expect([source, files.some((file) => file === source || file.startsWith(`${source}/`))]).toEqual([
        source,
        true,
      ]);
    }
    for (const file of files) {
      expect([file, copied.some((source) => file === source || file.startsWith(`${source}/`))]).toEqual([
        file,
        true,
      ]);
      expect(file).not.toMatch(/\.spec\.ts$|(?:^|\/)\.env|^data\/|^test\/|^\.git\/|^deploy\//);
    }
  });
});

interface Compose {
  services: Record<
    string,
    {
      build?: { target: string };
      read_only?: boolean;
      cap_drop?: string[];
      environment?: Record<string, string>;
      secrets?: string[];
      depends_on?: Record<string, object>;
      entrypoint?: string[];
      ports?: string[];
      volumes?: string[];
    }
  >;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
}

describe('deploy/compose.yaml', () => {
  const compose = parse(readFileSync('deploy/compose.yaml', 'utf8'), { merge: true }) as Compose;

  /** The Compose specification's own schema, which a linter of npm brings. No package of Debian or npm brings `docker compose`. */
  const schema = JSON.parse(
    readFileSync('node_modules/dclint/schemas/compose.schema.json', 'utf8').replace(/"\$schema":[^,]*,/, ''),
  ) as object;
  const isCompose = new Ajv({ strict: false, validateFormats: false }).compile(schema);

  test('is what the Compose specification allows, and names nothing that it lacks', () => {
    isCompose(compose);
    expect(isCompose.errors ?? []).toEqual([]);
    const has = (things: object, names: readonly string[]) =>
      expect(Object.keys(things)).toEqual(expect.arrayContaining([...names]));
    for (const { secrets = [], volumes = [], depends_on: before = {} } of Object.values(compose.services)) {
      has(compose.secrets, secrets);
      has(
        compose.volumes,
        volumes.map((volume) => volume.split(':')[0] ?? ''),
      );
      has(compose.services, Object.keys(before));
    }
  });

  test.each([
    ['a word that is misspelt', { readonly: true }],
    ['a condition that there is not', { depends_on: { postgres: { condition: 'service_ready' } } }],
    ['a health check by a number', { healthcheck: { test: 7 } }],
  ])('%s would be found', (_what, wrong) => {
    const services = { ...compose.services, migrate: { ...compose.services['migrate'], ...wrong } };
    expect(isCompose({ ...compose, services })).toBe(false);
  });

  test('builds stages of the Dockerfile, read-only and without privileges', () => {
    for (const [name, service] of Object.entries(compose.services)) {
      if (!service.build) continue;
      expect([name, stages.map((one) => one.name)]).toEqual([
        name,
        expect.arrayContaining([service.build.target]),
      ]);
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']]);
    }
  });

  test('starts in order, and is reached from this machine only', () => {
    expect(compose.services['tillfront']?.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      sandbox: { condition: 'service_healthy' },
    });
    expect(compose.services['migrate']?.entrypoint).toEqual([
      ...['node', '--disable-sigusr1', '/app/dist/cli/main.js', 'migrate'],
    ]);
    for (const { ports = [] } of Object.values(compose.services)) {
      for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:/);
    }
  });

  test('gives the sandbox variables that it has', () => {
    for (const name of Object.keys(compose.services['sandbox']?.environment ?? {}))
      expect(VARIABLES).toContain(name);
  });

  test('with deploy/make-secrets.sh is a configuration that the service starts with', () => {
    const folder = mkdtempSync(join(tmpdir(), 'compose-secrets-'));
    try {
      execFileSync('deploy/make-secrets.sh', [folder]);
      const made = Object.values(compose.secrets).map(({ file }) => file.replace('secrets/', ''));
      const before = made.map((name) => readFileSync(join(folder, name), 'utf8'));
      expect(new Set(before.filter((text) => text.length > 30)).size).toBe(made.length);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      execFileSync('deploy/make-secrets.sh', [folder]);
      expect(made.map((name) => readFileSync(join(folder, name), 'utf8'))).toEqual(before);

      for (const name of ['tillfront', 'migrate']) {
        const { environment = {}, secrets = [] } = compose.services[name] ?? {};
        const env = Object.fromEntries(
          Object.entries(environment).map(([variable, value]) => [
            variable,
            value.replace('/run/secrets', folder),
          ]),
        );
        const used = Object.values(environment).filter((value) => value.startsWith('/run/secrets/'));
        expect(used.map((path) => path.replace('/run/secrets/', '')).sort()).toEqual([...secrets].sort());
        const config = inspectConfiguration(env);
        expect(config.store.kind).toBe('postgres');
        expect(config.sources.DATABASE_URL?.current()).toMatch(
          /^postgres:\/\/tillfront:[0-9a-f]{48}@postgres:5432\/tillfront$/,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test.each([
  ['FROM a AS b\nADD x y', /ADD is not known/],
  ['FROM a', /AS a name/],
  ['RUN x', /before the first FROM/],
])('a Dockerfile with something unknown is not passed over: %j', (text, message) => {
  expect(() => parseDockerfile(text)).toThrow(message);
});
