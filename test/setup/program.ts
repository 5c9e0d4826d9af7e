import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** What the documentation's examples need beside Node.js, with the Debian packages that bring it. */
const PACKAGES = {
  bash: ['bash'],
  curl: ['curl'],
  jq: ['jq'],
  php: ['php-cli', 'php-curl'],
  python3: ['python3'],
} as const;

export type Program = keyof typeof PACKAGES;

const works = (program: Program): boolean => {
  const probe = program === 'php' ? ['-r', 'exit(function_exists("curl_init") ? 0 : 1);'] : ['--version'];
  return spawnSync(program, probe, { timeout: 20_000 }).status === 0;
};

/**
 * Makes sure that a program is there: as root on Debian it is installed where it is missing, as it changes the machine not without
 * a word. Throws where that is not possible; a test without its program has shown nothing.
 */
export function needProgram(program: Program): void {
  if (works(program)) return;
  const packages = PACKAGES[program];
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get') && existsSync('/etc/debian_version')) {
    process.stderr.write(
      `Installing Debian's ${packages.join(' ')} for the documentation's examples (apt-get)\n`,
    );
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    const run = (...words: string[]): boolean =>
      spawnSync('apt-get', words, { env, stdio: 'ignore' }).status === 0;
    const install = ['install', '-y', '--no-install-recommends', ...packages];
    if (!run(...install) && run('update')) run(...install);
  }
  if (!works(program)) {
    throw new Error(
      `The documentation's examples need ${program}: install Debian's ${packages.join(' ')}, or the like.`,
    );
  }
}
