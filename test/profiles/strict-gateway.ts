import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Writes a profile to a file of its own. */
export function profileFile(profile: object): string {
  const path = join(mkdtempSync(join(tmpdir(), 'profile-')), 'profile.json');
  writeFileSync(path, JSON.stringify(profile));
  return path;
}
