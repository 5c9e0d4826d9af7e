import { execFileSync } from 'node:child_process';
import { copyFileSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** What a production install takes, in megabytes: the bytes of its files, and the blocks that a file system gives them. */
export interface Install {
  filesMb: number;
  blocksMb: number;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const BLOCK = 512;

/** Installs as for production into a folder of its own and adds up what is there. */
export function measureInstall(): Install {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-install-'));
  try {
    for (const file of ['package.json', 'package-lock.json'])
      copyFileSync(join(root, file), join(folder, file));
    execFileSync('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts'], { cwd: folder });
    let bytes = 0;
    let blocks = 0;
    for (const path of readdirSync(join(folder, 'node_modules'), { recursive: true, encoding: 'utf8' })) {
      const stats = lstatSync(join(folder, 'node_modules', path));
      blocks += stats.blocks;
      if (stats.isFile()) bytes += stats.size;
    }
    return { filesMb: bytes / 1e6, blocksMb: (blocks * BLOCK) / 1e6 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
