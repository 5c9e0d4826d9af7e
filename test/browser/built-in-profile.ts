import { readFileSync } from 'node:fs';
import { profileFile } from '../profiles/strict-gateway.js';

interface Profile {
  operations: { payCard: { body: Record<string, string> } } & Record<string, object>;
  answer: { words: Record<string, string[]> };
  pinWithCard: string[];
}

/** A file with the built-in profile, changed. */
export function changedProfile(change: (profile: Profile) => void): string {
  const profile = JSON.parse(readFileSync('profiles/built-in.json', 'utf8')) as Profile;
  change(profile);
  return profileFile(profile);
}

/** The built-in profile without these fields of a card payment. */
export function without(...fields: string[]): (profile: Profile) => void {
  return ({ operations: { payCard } }) => {
    payCard.body = Object.fromEntries(
      Object.entries(payCard.body).filter(([name]) => !fields.includes(name)),
    );
  };
}

/** The gateway asks for a card's PIN after its number. */
export function asksForPin({ operations, answer }: Profile): void {
  operations['validatePin'] = {
    post: '/payment/validate-pin',
    body: { client_ref: '{client_ref}', transactionRef: '{transactionRef}', pin: '{pin}' },
  };
  answer.words['pin'] = ['PIN_REQUIRED'];
}
