import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import chromiumPackage from '@sparticuz/chromium';

/** Where the tests find their browsers, and the message where there is none. */

function answersVersion(path: string): string | undefined {
  const result = spawnSync(path, ['--version'], { encoding: 'utf8', timeout: 20_000 });
  return result.status === 0 ? result.stdout.trim() : undefined;
}

/** Installs Debian's own package if permitted. Prints a message, because this changes the machine. */
function installWithApt(packages: readonly string[]): boolean {
  if (process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get') || !existsSync('/etc/debian_version'))
    return false;
  process.stderr.write(`Installing Debian's ${packages.join(' ')} for the browser tests (apt-get)\n`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const run = (...words: string[]): boolean =>
    spawnSync('apt-get', words, { env, stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  return run(...install) || (run('update') && run(...install));
}

/**
 * Finds a Chromium that starts: `CHROMIUM_PATH`, else the one in the npm package (which unpacks itself and needs the NSS
 * libraries): without the parts for a window it needs less than half the work of Debian's. Else Debian's. Otherwise, as root on
 * Debian, installs one now.
 */
export async function findChromium(): Promise<string> {
  const tried: string[] = [];
  const works = (path: string | undefined): path is string => {
    if (!path) return false;
    tried.push(path);
    return existsSync(path) && answersVersion(path) !== undefined;
  };
  const given = process.env['CHROMIUM_PATH'];
  if (works(given)) return given;
  const unpacked = await chromiumPackage.executablePath().catch(() => undefined);
  if (works(unpacked)) return unpacked;
  for (const path of ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']) {
    if (works(path)) return path;
  }
  if (unpacked && installWithApt(['libnss3']) && works(unpacked)) return unpacked;
  if (installWithApt(['chromium']) && works('/usr/bin/chromium')) return '/usr/bin/chromium';
  throw new Error(
    `No Chromium that starts (tried ${tried.join(', ')}). Set CHROMIUM_PATH, or install Debian's package ` +
      '"chromium", or its "libnss3" for the Chromium that npm brings.',
  );
}

/** Debian's Firefox, or the one in `FIREFOX_PATH`. As root on Debian it is installed if it is missing. */
export function findFirefox(): string {
  const given = process.env['FIREFOX_PATH'];
  if (given && existsSync(given)) return given;
  for (const path of ['/usr/bin/firefox-esr', '/usr/bin/firefox']) if (existsSync(path)) return path;
  if (installWithApt(['firefox-esr']) && existsSync('/usr/bin/firefox-esr')) return '/usr/bin/firefox-esr';
  throw new Error('No Firefox. Set FIREFOX_PATH, or install Debian\'s package "firefox-esr".');
}
