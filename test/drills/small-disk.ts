import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { needProgram } from '../setup/program.ts';
import type { Bench } from './bench.ts';

/** A file system of its own on a loop device, small enough to be filled. */
export interface SmallDisk {
  folder: string;
  /** Takes what room there is. */
  fill(): void;
  /** Gives it back. */
  free(): void;
  /** From now on everything there fails with EIO, as on a disk that is gone. */
  fail(): void;
  /** Mounts it again, when nobody uses it any longer. */
  mountAgain(): void;
}

/** FS_IOC_SHUTDOWN without a flush: the kernel's own way to a dead file system, without device mapper. */
const SHUT_DOWN =
  'import fcntl, os, struct, sys; fcntl.ioctl(os.open(sys.argv[1], 0), 0x8004587D, struct.pack("I", 2))';

export function mountSmallDisk(bench: Bench, megabytes: number): SmallDisk {
  needProgram('mkfs.ext4');
  needProgram('python3');
  const [image, folder] = [join(bench.folder, 'disk.image'), join(bench.folder, 'disk')];
  mkdirSync(folder);
  run('truncate', '-s', `${megabytes}m`, image);
  run('mkfs.ext4', '-q', '-m', '0', image);
  const mount = (): void => run('mount', '-o', 'loop', image, folder);
  mount();
  bench.finally(() => run('umount', '-l', folder));
  const filler = join(folder, 'filler');
  return {
    folder,
    fill: () => take(filler),
    free: () => rmSync(filler),
    fail: () => run('python3', '-c', SHUT_DOWN, folder),
    mountAgain: () => {
      run('umount', folder);
      mount();
    },
  };
}

function run(program: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync(program, args, { encoding: 'utf8' });
  if (status === 0) return;
  const why = error?.message ?? stderr.trim();
  throw new Error(`This drill mounts a file system, which takes root and not every container allows: ${why}`);
}

/** Writes until there is no room, in ever smaller pieces. */
function take(file: string): void {
  const handle = openSync(file, 'w');
  for (let size = 1 << 20; size >= 512; size >>= 1) {
    const piece = Buffer.alloc(size, 1);
    while (written(handle, piece));
  }
  closeSync(handle);
}

function written(handle: number, piece: Buffer): boolean {
  try {
    return writeSync(handle, piece) > 0;
  } catch {
    return false;
  }
}
