import { readFileSync, writeFileSync } from 'node:fs';
import jsonc from 'jsonc-parser';
import { CONFIRMABLE_PARTS, OPERATION_KEYS } from '../../gateway/profile/format.js';
import { parseProfile, ProfileError, type Profile } from '../../gateway/profile/load.js';
import { perhaps } from '../../gateway/profile/nearest.js';
import type { CommandContext } from '../command-context.js';
import { CommandFailure } from '../command-failure.js';
import { EXIT, type ExitCode } from '../exit-codes.js';

const NAMES: readonly string[] = [...OPERATION_KEYS, ...CONFIRMABLE_PARTS];

/** Adds names to what a profile lists as confirmed, and changes nothing else in its file. */
export function profileConfirm(
  { reporter }: CommandContext,
  { file, names }: { file: string; names: readonly string[] },
): Promise<ExitCode> {
  const strange = names.find((name) => !NAMES.includes(name));
  if (strange !== undefined) {
    const hint = perhaps(strange, NAMES);
    throw new CommandFailure(
      `${strange} cannot be confirmed${hint}. Possible are ${NAMES.join(', ')}.`,
      'usage',
      EXIT.usage,
    );
  }
  const text = read(file);
  const { confirmed } = parsed(text);
  const added = [...new Set(names)].filter((name) => !confirmed.includes(name));
  if (added.length > 0) writeFileSync(file, withConfirmed(text, added));
  reporter.report({
    text: [added.length === 0 ? 'All of them were already confirmed.' : `Confirmed: ${added.join(', ')}`],
    json: { added },
  });
  return Promise.resolve(EXIT.done);
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandFailure(`${file} cannot be read.`, 'profile');
  }
}

function parsed(text: string): Profile {
  try {
    return parseProfile(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    if (error instanceof ProfileError) throw new CommandFailure(error.message, 'profile', EXIT.found);
    throw error;
  }
}

/** The text with the names added. Everything that stood there stands there still, byte for byte. */
function withConfirmed(text: string, added: readonly string[]): string {
  const mark = text.startsWith('\uFEFF') ? 1 : 0;
  const root = jsonc.parseTree(text.slice(mark));
  const list = root && jsonc.findNodeAtLocation(root, ['confirmed']);
  const names = added.map((name) => JSON.stringify(name));
  const written = list
    ? insertion(text.slice(mark), list, names)
    : insertion(text.slice(mark), root, [`"confirmed": [${names.join(', ')}]`]);
  return text.slice(0, mark + written.at) + written.text + text.slice(mark + written.at);
}

/** Puts members behind the last one of a list or an object, each on a line of its own where the others are. */
function insertion(
  text: string,
  into: jsonc.Node | undefined,
  members: readonly string[],
): { at: number; text: string } {
  const last = into?.children?.at(-1);
  if (!into || !last) return { at: (into?.offset ?? 0) + 1, text: members.join(', ') };
  const before = text.slice(0, last.offset);
  const blanks = before.slice(before.trimEnd().length);
  const between = blanks.includes('\n') ? blanks : ' ';
  return { at: last.offset + last.length, text: members.map((member) => `,${between}${member}`).join('') };
}
