import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Built } from './build-stages.ts';

/** A real build of the Dockerfile, by buildah, on a base image made here of Debian and the Node.js that npm brings. */
export interface RealBuild {
  image: Built;
  /** The paths in each layer, from the first to the last. */
  layers: string[][];
  /** Removes everything that was made. */
  end(): void;
}

const BASE = 'localhost/tillfront-base:local';
const CERTIFICATES = '/etc/ssl/certs';

/** Why a real build is not possible here; undefined where it is. */
export function whyNoRealBuild(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'it needs Linux and root';
  const missing = ['buildah', 'debootstrap', 'unshare'].filter(
    (program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0,
  );
  return missing.length === 0 ? undefined : `${missing.join(' and ')} is not installed`;
}

/** This machine cannot make the base image, or reaches no packages from within it. Says nothing of the Dockerfile. */
export class NotOnThisMachine extends Error {}

/** Builds one stage. Throws with the log of what failed; `NotOnThisMachine` where the Dockerfile was not even begun. */
export function realBuild(
  stage: string,
  { context, into, say }: { context: string; into: string; say: (line: string) => void },
): RealBuild {
  const at = ['--root', join(into, 'storage'), '--runroot', join(into, 'run'), '--storage-driver', 'vfs'];
  const buildah = (...args: string[]): string => run('buildah', [...at, ...args]);
  say('a base image of Debian and Node.js');
  const npmrc = join(into, 'npmrc');
  writeFileSync(npmrc, `cafile=${CERTIFICATES}/ca-certificates.crt\nupdate-notifier=false\n`);
  const volumes = [
    ...['--volume', `${CERTIFICATES}:${CERTIFICATES}:ro`],
    ...['--volume', `${npmrc}:/root/.npmrc:ro`],
  ];
  try {
    makeBase(join(into, 'base'), buildah);
    const asking = buildah('from', '--pull-never', BASE).trim();
    const inside = ['run', '--isolation', 'chroot', '--network', 'host', ...volumes, asking];
    buildah(...inside, '--', 'npm', 'view', 'jose', 'version');
    buildah('rm', asking);
  } catch (error) {
    throw new NotOnThisMachine(error instanceof Error ? error.message : String(error));
  }
  say(`buildah bud --target ${stage}`);
  const tag = `localhost/tillfront-${stage}:try`;
  buildah(
    ...['bud', '--format', 'docker', '--isolation', 'chroot', '--network', 'host', '--pull-never'],
    ...volumes,
    ...['--build-arg', `NODE_IMAGE=${BASE}`, '--target', stage, '--tag', tag, context],
  );
  const container = buildah('from', '--pull-never', tag).trim();
  return {
    image: built(buildah('inspect', '--type', 'image', tag), buildah('mount', container).trim()),
    layers: layersOf(tag, join(into, 'pushed'), buildah),
    end: () => {
      spawnSync('buildah', [...at, 'rm', container]);
      spawnSync('buildah', [...at, 'rmi', '--all', '--force']);
    },
  };
}

/** As a registry would get them. */
function layersOf(tag: string, folder: string, buildah: (...args: string[]) => string): string[][] {
  buildah('push', '--quiet', '--disable-compression', tag, `dir:${folder}`);
  const { layers } = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')) as {
    layers: { digest: string }[];
  };
  const listings = layers.map(({ digest }) =>
    run('tar', ['--list', '--file', join(folder, digest.replace('sha256:', ''))]).split('\n'),
  );
  rmSync(folder, { recursive: true });
  return listings;
}

function makeBase(folder: string, buildah: (...args: string[]) => string): void {
  run('debootstrap', [
    ...['--variant=minbase', '--include=ca-certificates,libatomic1'],
    ...['bookworm', folder, 'http://deb.debian.org/debian'],
  ]);
  for (const cache of ['var/cache/apt/archives', 'var/lib/apt/lists']) {
    for (const name of readdirSync(join(folder, cache))) {
      rmSync(join(folder, cache, name), { recursive: true, force: true });
    }
  }
  const local = join(folder, 'usr/local');
  cpSync(process.execPath, join(local, 'bin/node'), { dereference: true });
  mkdirSync(join(local, 'lib/node_modules'), { recursive: true });
  // …/npm/bin/npm-cli.js
  const npm = dirname(dirname(realpathSync(run('sh', ['-c', 'command -v npm']).trim())));
  cpSync(npm, join(local, 'lib/node_modules/npm'), { recursive: true, dereference: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(local, 'bin/npm'));
  const container = buildah('from', 'scratch').trim();
  buildah('add', '--quiet', container, folder, '/');
  buildah('config', '--env', 'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', container);
  buildah('commit', '--quiet', container, BASE);
  buildah('rm', container);
  rmSync(folder, { recursive: true, force: true });
}

interface Inspected {
  Docker: {
    config: {
      Env?: string[];
      WorkingDir?: string;
      User?: string;
      Entrypoint?: string[];
      Healthcheck?: { Test?: string[] };
    };
  };
}

function built(inspected: string, root: string): Built {
  const { config } = (JSON.parse(inspected) as Inspected).Docker;
  const env = (config.Env ?? []).map((pair) => [
    pair.slice(0, pair.indexOf('=')),
    pair.slice(pair.indexOf('=') + 1),
  ]);
  return {
    root,
    env: Object.fromEntries(env) as Record<string, string>,
    workdir: config.WorkingDir ?? '/',
    user: config.User ?? '',
    entrypoint: config.Entrypoint ?? [],
    // The first word is CMD.
    healthcheck: (config.Healthcheck?.Test ?? []).slice(1),
  };
}

function run(program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status === 0) return stdout;
  const log = `${error?.message ?? ''}${stdout}${stderr}`;
  throw new Error(`${program} ${args.slice(0, 8).join(' ')} failed with ${status}:\n${log.slice(-4000)}`);
}
