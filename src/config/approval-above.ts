import { minorDigits, parseMajor } from '../money/money.js';
import type { Check } from './secret-variables.js';

/** Above which amount a second person approves, in minor units by currency. */
export type ApprovalBounds = ReadonlyMap<string, bigint>;

/** `NGN:500000.00,USD:1000.00`, with all faults. No value is repeated in them. */
function read(text: string): { bounds: Map<string, bigint>; faults: string[] } {
  const bounds = new Map<string, bigint>();
  const faults: string[] = [];
  text.split(',').forEach((entry, index) => {
    const [currency = '', amount, ...rest] = entry.trim().split(':');
    const digits = minorDigits(currency);
    const minor = parseMajor(amount ?? '', currency);
    const say = (fault: string): number => faults.push(`entry ${index + 1} ${fault}`);
    if (amount === undefined || rest.length > 0)
      say('is not a currency and an amount, such as NGN:500000.00');
    else if (digits === undefined) say('names no currency of ISO 4217');
    else if (minor === undefined) say(`is no amount of its currency, which has ${digits} minor digits`);
    else if (bounds.has(currency)) say('names a currency that an entry before it names');
    else bounds.set(currency, minor);
  });
  return { bounds, faults };
}

/** Names every fault at once. */
export const approvalAbove: Check = (value) => {
  const { faults } = read(value);
  return faults.length === 0 ? undefined : faults.join('; ');
};

/** The bounds of a text that has passed the check; of an absent one none. Pure. */
export function approvalBounds(text: string | undefined): ApprovalBounds {
  return text === undefined ? new Map() : read(text).bounds;
}
