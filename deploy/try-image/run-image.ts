import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { chownSync, copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Built } from './build-stages.ts';

/** How a stage's directory is run as the image would be. */
export interface Runner {
  /** What was found possible on this machine, for the record. */
  readonly way: string;
  start(args: readonly string[], env: Record<string, string>): ChildProcess;
  run(args: readonly string[], env: Record<string, string>): { code: number | null; output: string };
}

/** Mounts $1 read-only, goes to $2 in it, and becomes user $3 of group $4. */
const READ_ONLY = `mount --bind "$1" "$1"
mount -o remount,bind,ro "$1"
cd "$2"
exec setpriv --reuid="$3" --regid="$4" --clear-groups -- "\${@:5}"`;

const asRoot = process.getuid?.() === 0;

/** Runs programs from the directory: as the image's user where we are root, and on a read-only mount where this machine lets us make one. */
export function runnerOf(image: Built, into: string): Runner {
  // The checkout's own may lie where another user cannot look.
  const node = join(into, 'node');
  copyFileSync(process.execPath, node);
  const [uid = 0, gid = 0] = image.user.split(':').map(Number);
  if (uid === 0) throw new Error(`the image's user is ${image.user}: it must be a number above 0`);
  spawnSync('chmod', ['-R', 'a-w', image.root]);
  const mounts = asRoot && spawnSync('unshare', ['--mount', 'true']).status === 0;
  const words = (args: readonly string[]): [string, string[]] => {
    const program = args.map((word, index) => (index === 0 && word === 'node' ? node : inImage(image, word)));
    if (!mounts) return [program[0] ?? '', program.slice(1)];
    const at = [image.root, join(image.root, image.workdir), String(uid), String(gid)];
    return ['unshare', ['--mount', 'bash', '-ec', READ_ONLY, 'bash', ...at, ...program]];
  };
  const options = (env: Record<string, string>) => ({
    cwd: join(image.root, image.workdir),
    env: { ...image.env, PATH: `${into}:${image.env['PATH'] ?? ''}`, ...env },
    ...(asRoot && !mounts && { uid, gid }),
  });
  return {
    way: [
      asRoot ? `as user ${uid}` : 'as this user, who is not root',
      mounts ? 'on a read-only mount' : 'from a directory without write permission',
    ].join(', '),
    start: (args, env) => {
      const [program, rest] = words(args);
      return spawn(program, rest, { ...options(env), stdio: ['ignore', 'pipe', 'pipe'] });
    },
    run: (args, env) => {
      const [program, rest] = words(args);
      const { status, stdout, stderr } = spawnSync(program, rest, {
        ...options(env),
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { code: status, output: `${stdout}${stderr}` };
    },
  };
}

/**
 * Binds $1 read-only with the volume $4 at /data, and becomes user $2:$3 in folder $5 of it, where only the image's own files are: what is
 * started is looked up there, by the image's PATH.
 */
const CONFINED = `mount --bind "$1" "$1"
if [ -d "$1/data" ]; then mount --bind "$4" "$1/data"; fi
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount -o remount,bind,ro "$1"
export PATH="$6"
exec /usr/bin/unshare --root="$1" --wd="$5" --setgid="$3" --setuid="$2" -- "\${@:7}"`;

/** Runs programs inside a really built image: its own Node.js and libraries, its user, a root that cannot be written. */
export function confinedRunnerOf(image: Built, volume: string): Runner {
  const [uid = '', gid = ''] = image.user.split(':');
  if (!(Number(uid) > 0)) throw new Error(`the image's user is ${image.user}: it must be a number above 0`);
  const words = (args: readonly string[]): string[] => {
    const at = [image.root, uid, gid, volume, image.workdir, image.env['PATH'] ?? ''];
    return ['--mount', 'bash', '--norc', '-ec', CONFINED, 'bash', ...at, ...args];
  };
  // For the programs that lead into it.
  const PATH = process.env['PATH'] ?? '';
  return {
    way: `as user ${uid} inside the built image, read-only but for the volume`,
    start: (args, env) =>
      spawn('unshare', words(args), {
        env: { ...image.env, ...env, PATH },
        stdio: ['ignore', 'pipe', 'pipe'],
      }),
    run: (args, env) => {
      const { status, stdout, stderr } = spawnSync('unshare', words(args), {
        env: { ...image.env, ...env, PATH },
        encoding: 'utf8',
        timeout: 60_000,
      });
      return { code: status, output: `${stdout}${stderr}` };
    },
  };
}

/** A word of the image's own command line on this machine: absolute paths are below the directory. */
function inImage({ root }: Built, word: string): string {
  return word.startsWith('/app/') ? join(root, word) : word;
}

/** A folder that the image's user may write, as a volume would be. */
export function volumeFor({ user }: Built, path: string): string {
  mkdirSync(path, { recursive: true });
  const [uid = 0, gid = 0] = user.split(':').map(Number);
  if (asRoot) chownSync(path, uid, gid);
  return path;
}
