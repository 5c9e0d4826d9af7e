import { pointerOf, readPointer } from '../profile/pointer.js';
import type { Exchanged } from '../transport/transport.js';
import type { AnswerReader } from './reader.js';
import { parseAnswer, readText } from './values.js';

/** A bank that takes USSD payments. */
export interface UssdBank {
  readonly code: string;
  readonly name: string;
}

/** No country has more. A longer list is none of banks. */
const MAX_BANKS = 2_000;

/** The banks in an answer: the entries of the list that have a code and a name. Undefined where there is no list. */
export function readBanks(
  { at }: Pick<AnswerReader, 'at'>,
  banks: { readonly list: string; readonly code: string; readonly name: string },
  exchanged: Exchanged,
): readonly UssdBank[] | undefined {
  if (exchanged.kind !== 'answer' || exchanged.status < 200 || exchanged.status > 299) return undefined;
  const document = parseAnswer(exchanged.text ?? '');
  if (at.error.some((pointer) => readPointer(document, pointer) === true)) return undefined;
  const list = readPointer(document, pointerOf(banks.list));
  if (!Array.isArray(list) || list.length > MAX_BANKS) return undefined;
  return list.flatMap((entry: unknown) => {
    const code = readText(readPointer(entry, pointerOf(banks.code)));
    const name = readText(readPointer(entry, pointerOf(banks.name)));
    return code === undefined || name === undefined ? [] : [{ code, name }];
  });
}
