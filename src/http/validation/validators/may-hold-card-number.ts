import 'reflect-metadata';

const KEY = 'tillfront:may-hold-card-number';

/**
 * Marks a field of a body that is not searched for card numbers: the card's own, what is encrypted, and telephone numbers, which are
 * digits too. Every other text is searched, since it may be stored.
 */
export const MayHoldCardNumber = (): PropertyDecorator => (target, property) => {
  Reflect.defineMetadata(KEY, true, target, property);
};

/** Whether a field of a class is marked so. */
export function mayHoldCardNumber(type: { readonly prototype: object }, property: string): boolean {
  return Reflect.getMetadata(KEY, type.prototype, property) === true;
}
