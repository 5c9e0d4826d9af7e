import { readText } from './answer-values.js';
import type { UssdBank } from '../gateway-result.js';
import { parsePointer, readPointer, type Pointer } from '../profile/pointer.js';
import type { Profile } from '../profile/format.js';

/** No country has more banks. A longer list is not a list of banks. */
const MAX_BANKS = 2000;

/** Where the list of banks is in an answer. */
export interface BanksReader {
  readonly error: readonly Pointer[];
  readonly list: Pointer;
  readonly code: Pointer;
  readonly name: Pointer;
}

/** Compiles the profile's pointers. The profile must have been checked. */
export function compileBanks(profile: Profile): BanksReader {
  const { list, code, name } = profile.ussdBanks;
  const { error } = { ...profile.outcome, ...profile.operations['listUssdBanks']?.outcome };
  return { error: error.map(pointer), list: pointer(list), code: pointer(code), name: pointer(name) };
}

/**
 * The banks in an answer: the entries of the list that have both a code and a name. Undefined where there is no list,
 * or where the answer is an error.
 */
export function readBanks(reader: BanksReader, document: unknown): readonly UssdBank[] | undefined {
  if (reader.error.some((at) => readPointer(document, at) === true)) return undefined;
  const list = readPointer(document, reader.list);
  if (!Array.isArray(list) || list.length > MAX_BANKS) return undefined;
  const banks: UssdBank[] = [];
  for (const entry of list as readonly unknown[]) {
    const code = readText(readPointer(entry, reader.code));
    const name = readText(readPointer(entry, reader.name));
    if (code !== undefined && name !== undefined) banks.push({ code, name });
  }
  return banks;
}

function pointer(text: string): Pointer {
  const steps = parsePointer(text);
  if (steps === undefined) throw new TypeError(`not a JSON pointer: ${text}`);
  return steps;
}
