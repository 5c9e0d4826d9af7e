/** A blank in a name stands for a dash, an underscore, a blank or nothing: `card pin` is `card_pin`, `card-pin` and `cardPin`. */
const pattern = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll(' ', '[-_ ]?')).join('|');

/** Words that other words end in (`spin`, `Japan`), so that they count only where a word begins. */
const SHORT = pattern(['pin', 'pan', 'csc']);

/** Names that mean a secret wherever they stand. */
const LONG = pattern([
  'cv[vc]2?',
  'otp',
  '(?:time|security) (?:code|password|passcode)',
  'card n(?:o|umber)',
  'name on card',
  'card holder(?: name)?',
  'encrypted card',
  'passw(?:or)?d',
  'passphrase',
  'secret(?: key)?',
  '(?:api|private|encryption) key',
  '(?:access|client|refresh) token',
  'authorization',
  'cookie',
]);

/** The end of a name whose value is never shown, as the source of a case-insensitive regular expression. */
export const SECRET_NAME = `(?:(?:(?<![0-9A-Za-z])(?:(?:card|transaction|payer|user|customer)[-_ ]?)?(?:${SHORT}))|(?:${LONG}))`;

const wholeName = new RegExp(`(?:^|[-_ .])${SECRET_NAME}$`, 'i');

/** Whether a member of this name holds what is never shown: `cvv`, `card_pin`, `payerOtp`, `X-Api-Key`. */
export function isSecretName(name: string): boolean {
  return wholeName.test(name) || wholeName.test(name.replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2'));
}
