import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Inventory } from '../sbom/inventory.ts';
import { assignments, parseDockerfile } from '../try-image/dockerfile.ts';
import type { ReleaseFacts } from './faults.ts';

interface Project {
  version: string;
  license: string;
  dependencies: Record<string, string>;
}

/** Reads from a checkout what `faultsOf` judges. `tagged`: whether the tag must be there, or must not be yet. */
export function factsOf(root: string, inventory: string, { tagged }: { tagged: boolean }): ReleaseFacts {
  const read = (path: string): string => readFileSync(join(root, path), 'utf8');
  const json = <T>(path: string): T => JSON.parse(read(path)) as T;
  const { version, license, dependencies } = json<Project>('package.json');
  const lockfile = json<{ version: string; packages: Record<string, { version: string }> }>(
    'package-lock.json',
  );
  const chart = parse(read('deploy/helm/tillfront/Chart.yaml')) as Record<string, string | undefined>;
  const dockerfile = parseDockerfile(read('Dockerfile'));
  const labels = labelsOf(dockerfile);
  const label = (name: string, wanted: string) => {
    const full = `org.opencontainers.image.${name}`;
    return { [full]: { wanted, found: labels[full] } };
  };
  const name = `v${version}`;
  return {
    version,
    versions: {
      'package-lock.json': lockfile.version,
      'package-lock.json, its root': lockfile.packages['']?.version,
      'browser/package.json': json<Project>('browser/package.json').version,
      'packages/tillfront-node/package.json': json<Project>('packages/tillfront-node/package.json').version,
      'packages/tillfront-react/package.json': json<Project>('packages/tillfront-react/package.json').version,
      'packages/tillfront-php/composer.json': json<Project>('packages/tillfront-php/composer.json').version,
      'packages/tillfront-python/pyproject.toml': /^version = "(.*)"$/m.exec(
        read('packages/tillfront-python/pyproject.toml'),
      )?.[1],
      'Chart.yaml, version': chart['version'],
      'Chart.yaml, appVersion': chart['appVersion'],
      'docs/container.md': /^ {2}tag: '(.*)'$/m.exec(read('docs/container.md'))?.[1],
      'docs/openapi.json': json<{ info: { version: string } }>('docs/openapi.json').info.version,
    },
    changelog: read('CHANGELOG.md'),
    tag: {
      name,
      commit: gitIn(root, 'rev-parse', '--verify', '--quiet', `refs/tags/${name}^{commit}`),
      annotated: gitIn(root, 'cat-file', '-t', `refs/tags/${name}`) === 'tag',
      head: gitIn(root, 'rev-parse', 'HEAD') ?? '',
      expected: tagged,
    },
    changed: (gitIn(root, 'status', '--porcelain') ?? '').split('\n').filter((line) => line !== ''),
    labels: {
      ...label('title', 'Tillfront'),
      ...label('description', chart['description'] ?? ''),
      ...label('licenses', license),
      ...label('version', version),
    },
    inventory: JSON.parse(inventory) as Inventory,
    dependencies,
    node: /^node:([\d.]+)-/.exec(dockerfile.args['NODE_IMAGE'] ?? '')?.[1],
  };
}

function labelsOf({ stages }: ReturnType<typeof parseDockerfile>): Record<string, string> {
  const service = stages.find(({ name }) => name === 'service');
  return assignments(
    (service?.instructions ?? [])
      .filter(({ name }) => name === 'LABEL')
      .map(({ text }) => text)
      .join(' '),
  );
}

/** What git prints, without the line's end. Undefined where it fails. */
export function gitIn(root: string, ...args: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', args, {
    ...{ cwd: root, encoding: 'utf8' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return status === 0 ? stdout.trimEnd() : undefined;
}
