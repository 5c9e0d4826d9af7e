import type { Profile } from '../profile/schema.js';
import type { Exchanged } from '../transport/transport.js';
import { first, parseAnswer, readText } from './values.js';

/** A bank that takes USSD payments. */
export interface UssdBank {
  readonly code: string;
  readonly name: string;
}

/** The banks in an answer: the entries of the list that have a code and a name. Undefined where there is no list. */
export function readBanks(
  { answer, operations: { listUssdBanks: call } }: Profile,
  exchanged: Exchanged,
): readonly UssdBank[] | undefined {
  if (!call || exchanged.kind !== 'answer' || exchanged.status < 200 || exchanged.status > 299)
    return undefined;
  const document = parseAnswer(exchanged.text ?? '');
  const error = { ...answer, ...call.answer }.error;
  if (first(document, error, (value) => value === true || undefined)) return undefined;
  const list = first(document, call.banks.list, (value) => (Array.isArray(value) ? value : undefined));
  return list?.flatMap((entry: unknown) => {
    const code = first(entry, call.banks.code, readText);
    const name = first(entry, call.banks.name, readText);
    return code === undefined || name === undefined ? [] : [{ code, name }];
  });
}
