import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { service } from '../setup/service.js';

/** The commands of a checkout before it is built, half built, and run by a Node.js that is too old. */

const { bin, scripts, version } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  bin: { tillfront: string };
  scripts: Record<string, string>;
  version: string;
};

let folder: string;
let build: string;
beforeAll(async () => {
  build = await service('build');
  folder = mkdtempSync(join(tmpdir(), 'tillfront-test-checkout-'));
  cpSync('bin', join(folder, 'bin'), { recursive: true });
  cpSync('package.json', join(folder, 'package.json'));
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(...words: string[]): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

const NOTHING = 'Nothing is built yet, or a build was interrupted: run "npm run build".\n';

test('the command’s file is there before a build, and everybody may run it', () => {
  expect(statSync(bin.tillfront).mode & 0o111).toBe(0o111);
});

test('nothing built: the command and the start say what to do', () => {
  expect(run(bin.tillfront, '--version')).toEqual({ status: 4, output: NOTHING });
  const [node, ...words] = (scripts['prestart:prod'] ?? '').split(' ');
  expect(node).toBe('node');
  expect(run(...words)).toEqual({ status: 4, output: NOTHING });
});

test('a build that was interrupted: the same', () => {
  mkdirSync(join(folder, 'dist/cli'), { recursive: true });
  writeFileSync(join(folder, 'dist/main.js'), '');
  writeFileSync(join(folder, 'dist/cli/main.js'), '');
  expect(run(bin.tillfront, '--version')).toEqual({ status: 4, output: NOTHING });
  rmSync(join(folder, 'dist'), { recursive: true });
});

test('built: the command runs, by a link to its file too, which is how npx starts it', () => {
  symlinkSync(build, join(folder, 'dist'));
  symlinkSync(join(folder, bin.tillfront), join(folder, 'tillfront'));
  expect(run('tillfront', '--version')).toEqual({ status: 0, output: `${version}\n` });
});

test('a Node.js that is too old is named, with what to do, before anything else', () => {
  const older = "Object.defineProperty(process.versions, 'node', { value: '20.20.2' })";
  expect(
    run('--import', `data:text/javascript,${encodeURIComponent(older)}`, join(build, 'main.js')),
  ).toEqual({
    status: 1,
    output:
      'Node.js 20.20.2 is older than 24.9. Run it through npm, which brings the right one, or install a newer Node.js.\n',
  });
});
