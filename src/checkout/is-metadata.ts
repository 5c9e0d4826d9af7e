import { applyDecorators } from '@nestjs/common';
import { ValidateBy } from 'class-validator';
import { holdsCardNumber } from './holds-card-number.js';

const KEY = /^[A-Za-z0-9_.-]{1,40}$/;
const MAX_KEYS = 20;
const MAX_VALUE_LENGTH = 500;

/** Whether this is a flat object of at most 20 short keys with strings of at most 500 characters. */
export function isMetadata(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const entries = Object.entries(value);
  return (
    entries.length <= MAX_KEYS &&
    entries.every(
      ([key, text]) => KEY.test(key) && typeof text === 'string' && text.length <= MAX_VALUE_LENGTH,
    )
  );
}

/** Whether no key and no string of an object holds a card number. */
function isFreeOfCards(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return !Object.entries(value).some(([key, text]) => holdsCardNumber(`${key}\n\n\n${String(text)}`));
}

/** The merchant's own notes on a session. They are shown and announced as they are, so a card number in them is refused. */
export const IsMetadata = (): PropertyDecorator =>
  applyDecorators(
    ValidateBy({
      name: 'hasNoCardNumber',
      validator: {
        validate: (value) => !isMetadata(value) || isFreeOfCards(value),
        defaultMessage: () => '$property must hold no card number',
      },
    }),
    ValidateBy({
      name: 'isMetadata',
      validator: {
        validate: isMetadata,
        defaultMessage: () =>
          '$property must have at most 20 keys of 1 to 40 letters, digits, "_", "." or "-", with strings of at most 500 characters',
      },
    }),
  );
