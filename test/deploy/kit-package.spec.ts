import { expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The npm package of the browser kit, which is packed by hand. */

test('it is not packed without what makes it up', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-test-kit-'));
  const pack = () => {
    const { status, stderr } = spawnSync('npm', ['pack', '--dry-run'], { cwd: folder, encoding: 'utf8' });
    return { status, stderr };
  };
  try {
    for (const name of ['package.json', 'README.md', 'assert-built.js'])
      cpSync(join('browser', name), join(folder, name));
    const bare = pack();
    expect(bare.status).not.toBe(0);
    expect(bare.stderr).toMatch(/tillfront-kit \S+ is not built.*run "npm ci && npm run build"/);
    mkdirSync(join(folder, 'dist'));
    for (const end of ['js', 'd.ts']) writeFileSync(join(folder, 'dist', `tillfront.${end}`), '');
    expect(pack().status).toBe(0);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('nobody is sent to a registry for it, and it cannot be published by mistake', () => {
  expect(JSON.parse(readFileSync('browser/package.json', 'utf8'))).toMatchObject({ private: true });
  for (const path of ['browser/README.md', 'docs/kit.md'])
    expect(readFileSync(path, 'utf8')).not.toMatch(/npmjs\.com|npm install (?:--save )?tillfront-kit/);
});
