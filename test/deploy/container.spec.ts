import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/read-config.js';
import { VARIABLES } from '../../sandbox/environment.ts';

/** The names of the Dockerfile's stages. */
const stages = [...readFileSync('Dockerfile', 'utf8').matchAll(/^FROM .* AS (\S+)$/gm)].map(
  ([, name]) => name,
);

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
      expect(stages).toContain(service.build.target);
      expect([name, service.read_only, service.cap_drop]).toEqual([name, true, ['ALL']]);
    }
  });

  test('starts in order, and is reached from this machine only', () => {
    expect(compose.services['tillfront']?.depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
      sandbox: { condition: 'service_healthy' },
    });
    expect(compose.services['migrate']?.entrypoint).toEqual([
      ...['node', '--disable-sigusr1', '/app/dist/cli/main.js', 'store', 'migrate'],
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
        const config = readConfig(env).draft();
        expect(config.store.kind === 'postgres' && config.store.currentUrl()).toMatch(
          /^postgres:\/\/tillfront:[0-9a-f]{48}@postgres:5432\/tillfront$/,
        );
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
