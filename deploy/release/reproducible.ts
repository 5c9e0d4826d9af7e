import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { list, type Listing } from './listing.ts';

/** What a build makes: the service with its pages, and the browser's package. */
const MADE = ['dist', join('browser', 'dist')];

/**
 * Builds the commit twice, from clean folders of different names and depths, in different time zones and languages, with the
 * installed packages. Files that come out differently hold something of the machine, and nobody could check them.
 */
export function buildTwice(root: string): [Listing, Listing] {
  const into = mkdtempSync(join(tmpdir(), 'tillfront-release-'));
  try {
    return [
      build(root, join(into, 'one'), { TZ: 'UTC', LC_ALL: 'C' }),
      build(root, join(into, 'another', 'with a longer path'), { TZ: 'Pacific/Auckland', LC_ALL: 'C.UTF-8' }),
    ];
  } finally {
    rmSync(into, { recursive: true, force: true });
  }
}

function build(root: string, folder: string, surroundings: Readonly<Record<string, string>>): Listing {
  mkdirSync(folder, { recursive: true });
  const archive = execFileSync('git', ['archive', '--format=tar', 'HEAD'], {
    ...{ cwd: root, maxBuffer: 512 * 1024 * 1024 },
  });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
  execFileSync('npm', ['run', '--silent', 'build'], {
    ...{ cwd: folder, env: { ...process.env, ...surroundings } },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return list(folder, MADE);
}
