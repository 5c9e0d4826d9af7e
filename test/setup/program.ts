import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** The programs that the documentation's examples need besides Node.js, with their Debian packages. */
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
 * Makes sure that a program is installed. As root on Debian it installs a missing one and prints a message, because this
 * changes the machine. Throws where that is not possible, because a test without its program proves nothing.
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
