import { spawnSync } from 'node:child_process';
import type { RealBuild } from './buildah.ts';

/** The one program that is not ours. Whoever gets into the process finds no other to start. */
const PROGRAM = '/usr/local/bin/node';
/** Where our files are; programs of packages lie there too, and none of them can be started without what the image lacks. */
const OURS = /^\/(?:app|data)\//;
const LIBRARY = /\.so(?:\.\d+)*$/;
/** Neither secrets nor stores, from whatever checkout the image was built. */
const SECRET = /(?:^|\/)(?:\.env[^/]*|\.npmrc|[^/]*\.(?:pem|key|p12|pfx|db|db-wal))$/;
/** A few of those that are installed for development alone, or come with Node.js. */
const PACKAGES = ['esbuild', 'eslint', 'jest', 'npm', 'playwright-core', 'typescript', 'yarn'];
const PACKAGE = new RegExp(`(?:^|/)node_modules/(?:${PACKAGES.join('|')})(?:/|$)`);
/** What the image tells each process; a secret would stand here for everybody who can pull it. */
const VARIABLES = ['DATA_DIR', 'MALLOC_ARENA_MAX', 'NODE_ENV', 'PATH'];

/** What an image must not have that is shipped, each as one sentence. */
export function faultsOfContents({ image, layers }: RealBuild): string[] {
  const files = (...test: string[]): string[] => find(image.root, '-type', 'f', ...test);
  const programs = files('-perm', '/111').filter((path) => !OURS.test(path) && !LIBRARY.test(path));
  const shipped = layers.flat().filter((path) => SECRET.test(path) || PACKAGE.test(path));
  return [
    ...programs.filter((path) => path !== PROGRAM).map((path) => `${path} is a program`),
    ...(programs.includes(PROGRAM) ? [] : [`${PROGRAM} is missing`]),
    ...files('-perm', '/6000').map((path) => `${path} runs with another user's rights`),
    ...files('-perm', '/002').map((path) => `${path} can be written by everybody`),
    ...[...new Set(shipped)].map((path) => `${path} is in a layer`),
    ...Object.keys(image.env)
      .filter((name) => !VARIABLES.includes(name))
      .map((name) => `the variable ${name} is set`),
  ];
}

/** What a scanner finds: the packages of Debian that the image says it has. */
export function debianPackages({ image }: RealBuild): string[] {
  return find(image.root, '-path', '*/var/lib/dpkg/status.d/*').map((path) => path.split('/').at(-1) ?? '');
}

function find(root: string, ...test: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('find', [root, '-xdev', ...test], {
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (status !== 0) throw new Error(`find ${root} failed: ${stderr}`);
  return stdout
    .split('\n')
    .filter((path) => path !== '')
    .map((path) => path.slice(root.length))
    .sort();
}
