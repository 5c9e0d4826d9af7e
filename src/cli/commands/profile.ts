import { readFileSync, writeFileSync } from 'node:fs';
import jsonc from 'jsonc-parser';
import { PAYMENT_METHODS, type PaymentMethod } from '../../config/payment-method.js';
import { NOT_SHOWN } from '../../gateway/profile/credential-names.js';
import { loadProfile, ProfileError, parseProfile, type Profile } from '../../gateway/profile/load.js';
import type { MethodFields } from '../../methods/method-fields.js';
import { reportProfile, type ProfileReport } from '../../methods/profile-report.js';
import { CONFIRMABLE_PARTS, OPERATION_KEYS } from '../../gateway/profile/format.js';
import { perhaps } from '../../gateway/profile/nearest.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { WORKED_PROFILES, type WorkedProfile } from '../choices.js';

export interface ProfileCheckOptions {
  file: string;
  methods: string;
  live: boolean;
}

/** Says whether a profile can be used, what it changes and what is unconfirmed. */
export function profileCheck({ reporter }: CommandContext, options: ProfileCheckOptions): ExitCode {
  const methods = readMethods(options.methods);
  try {
    const report = reportProfile(loadProfile(options.file), methods);
    reporter.report({ text: describe(report, methods), json: { usable: true, methods, ...report } });
    const fails = options.live && report.unconfirmed.length > 0;
    return fails ? EXIT.unconfirmed : EXIT.done;
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    reporter.report({ text: [error.message], json: { usable: false, problems: error.problems } });
    return EXIT.found;
  }
}

function readMethods(text: string): PaymentMethod[] {
  const names = text.split(',').map((name) => name.trim());
  const methods = PAYMENT_METHODS.filter((method) => names.includes(method));
  if (methods.length === names.length) return methods;
  throw new CommandFailure(`--methods may contain only ${PAYMENT_METHODS.join(', ')}.`, 'usage', EXIT.usage);
}

function describe(report: ProfileReport, methods: readonly PaymentMethod[]): string[] {
  const { changes, confirmed, unconfirmed, notes, asked } = report;
  return [
    'The profile can be used.',
    '',
    changes.length === 0
      ? 'It changes nothing in the built-in profile.'
      : 'It changes this in the built-in profile:',
    ...changes.map(({ place, builtIn, here }) => `  ${place}: ${shown(builtIn)} -> ${shown(here)}`),
    ...(notes.length === 0 ? [] : ['', 'Worth a second look:']),
    ...notes.map(({ place, message }) => `  ${place}: ${message}`),
    '',
    'What payers are asked for, as far as the session does not bring it:',
    ...methods.map((method) => `  ${method}: ${askedBy(asked[method])}`),
    '',
    `Confirmed: ${confirmed.length === 0 ? 'nothing' : confirmed.join(', ')}`,
    unconfirmed.length === 0
      ? `Everything that ${methods.join(', ')} use is confirmed.`
      : `Not confirmed, and used by ${methods.join(', ')}: ${unconfirmed.join(', ')}`,
    ...(unconfirmed.length === 0 ? [] : ['docs/assumptions.md says what to check for each.']),
  ];
}

/** What the browser says of itself is not asked for. */
function askedBy(fields: MethodFields | undefined): string {
  const { card = [], payer = [], billing = [] } = fields ?? {};
  const names = [...card.map((member) => `card.${member}`), ...payer, ...billing.map(withCountry)];
  return names.length === 0 ? 'nothing' : names.join(', ');
}

function withCountry(member: string): string {
  const isRegional = member === 'stateProvince' || member === 'postCode';
  return isRegional ? `${member} (where the country requires it)` : member;
}

function shown(value: unknown): string {
  if (value === NOT_SHOWN) return NOT_SHOWN;
  return value === undefined ? '(nothing)' : JSON.stringify(value);
}

/** Beside the sources and beside the build alike. */
const FOLDER = new URL('../../../profiles/', import.meta.url);

/**
 * Writes a profile to begin with, and beside it what each of its places means: JSON has no comments, and a profile takes no
 * key that it does not know. A file that is there already is never touched.
 */
export function profileNew(
  { reporter }: CommandContext,
  { file, like }: { file: string; like: WorkedProfile | undefined },
): ExitCode {
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
  return EXIT.done;
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

const NAMES: readonly string[] = [...OPERATION_KEYS, ...CONFIRMABLE_PARTS];

/** Adds names to what a profile lists as confirmed, and changes nothing else in its file. */
export function profileConfirm(
  { reporter }: CommandContext,
  { file, names }: { file: string; names: readonly string[] },
): ExitCode {
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
  return EXIT.done;
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
