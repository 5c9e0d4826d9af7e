import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** The programs that the documentation's examples need besides Node.js, with their Debian packages. */
const PACKAGES = {
  bash: ['bash'],
  curl: ['curl'],
  jq: ['jq'],
  php: ['php-cli', 'php-curl'],
  promtool: ['prometheus'],
  openssl: ['openssl'],
  pgbouncer: ['pgbouncer'],
} as const;

export type Program = keyof typeof PACKAGES;

/** Debian's accounts may lack the folders where it keeps servers. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/sbin`;

/** What a program that is more than a file is asked with. */
const PROBES: Partial<Record<Program, [string, ...string[]]>> = {
  php: ['php', '-r', 'exit(function_exists("curl_init") ? 0 : 1);'],
};

function works(program: Program): boolean {
  const [command, ...words] = PROBES[program] ?? [];
  return command !== undefined
    ? spawnSync(command, words, { timeout: 20_000, stdio: 'ignore' }).status === 0
    : PATH.split(':').some((folder) => existsSync(join(folder, program)));
}

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
    // A package of a server does not start it in this runlevel.
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
    const run = (...words: string[]): boolean =>
      spawnSync('apt-get', words, { env, stdio: 'ignore' }).status === 0;
    const install = ['install', '-y', '--no-install-recommends', ...packages];
    if (!run(...install) && run('update')) run(...install);
  }
  if (!works(program)) {
    throw new Error(
      `This needs the program ${program}: install Debian's ${packages.join(' ')}, or the like.`,
    );
  }
}
