import { readFileSync, writeFileSync } from 'node:fs';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';
import { WORKED_PROFILES, type WorkedProfile } from '../worked-profiles.js';

/** Beside the sources and beside the build alike. */
const FOLDER = new URL('../../../profiles/', import.meta.url);

/**
 * Writes a profile to begin with, and beside it what each of its places means: JSON has no comments, and a profile takes no
 * key that it does not know. A file that is there already is never touched.
 */
export function profileNew(
  { reporter }: CommandContext,
  { file, like }: { file: string; like: WorkedProfile | undefined },
): Promise<ExitCode> {
  if (like === undefined) {
    throw new CommandFailure(`--like is one of ${WORKED_PROFILES.join(', ')}.`, 'usage', EXIT.usage);
  }
  const notes = file.replace(/(\.json)?$/, '.md');
  const { $schema: _schema, ...profile } = JSON.parse(worked(`${like}.json`)) as Record<string, unknown>;
  write(file, `${JSON.stringify(profile, null, 2)}\n`);
  write(notes, worked(`${like}.md`).replaceAll(`${like}.exchanges.json`, 'its recorded exchanges'));
  reporter.report({
    text: [
      `Wrote ${file}, and what its places mean to ${notes}.`,
      `Nothing in it is confirmed: tillfront profile check ${file} says what to check.`,
    ],
    json: { profile: file, notes },
  });
  return Promise.resolve(EXIT.done);
}

function worked(name: string): string {
  return readFileSync(new URL(name, FOLDER), 'utf8');
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text, { flag: 'wx' });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new CommandFailure(
      `${path} ${code === 'EEXIST' ? 'already exists' : 'cannot be written'}.`,
      'profile',
    );
  }
}
