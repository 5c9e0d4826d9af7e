import { ValidateBy } from 'class-validator';

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

/** The merchant's own notes on a session. They are shown and announced as they are. */
export const IsMetadata = (): PropertyDecorator =>
  ValidateBy({
    name: 'isMetadata',
    validator: {
      validate: isMetadata,
      defaultMessage: () =>
        '$property must have at most 20 keys of 1 to 40 letters, digits, "_", "." or "-", with strings of at most 500 characters',
    },
  });
