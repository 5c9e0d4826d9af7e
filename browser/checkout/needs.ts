import { brandWord, type CardBrand } from './card-brands.js';
import type { Billing, Card, CheckoutSession, Payer, PaymentMethod } from '../kit/types.js';

/** What a payer is asked for by one method. */
export interface Asked {
  payer: ReadonlySet<keyof Payer>;
  billing: ReadonlySet<keyof Billing>;
  /** Of the payer: shown, and may stay empty. */
  optional: ReadonlySet<keyof Payer>;
}

/** A card's members besides the number, which is always asked for, and the PIN, which only some cards have. */
export type CardMember = Exclude<keyof Card, 'number' | 'pin'>;

/**
 * What the service says that this method needs, without what the session brings. State and postal code only where the
 * country requires them: that of the session, by which the service has already decided, or the one that the payer chose
 * (ISO 3166-1 alpha-3).
 */
export function askedFor(session: CheckoutSession, method: PaymentMethod, country: string): Asked {
  const { fields, provided, requiredIn } = session;
  const needs = fields[method];
  const knowsCountry = provided.billing.includes('country');
  const isOfCountry = (member: string): boolean => {
    const countries = { ...requiredIn }[member as keyof CheckoutSession['requiredIn']];
    return knowsCountry || (countries as string[] | undefined)?.includes(country) !== false;
  };
  const lacking = (needed: readonly string[] = [], brought: readonly string[] = []): string[] =>
    needed.filter((member) => !brought.includes(member));
  return {
    payer: new Set(lacking(needs?.payer, provided.payer)) as Asked['payer'],
    billing: new Set(lacking(needs?.billing, provided.billing).filter(isOfCountry)) as Asked['billing'],
    optional: new Set(lacking(needs?.optional, provided.payer)) as Asked['optional'],
  };
}

/** Whether the gateway takes this of a card. */
export function takesOfCard(session: CheckoutSession, member: CardMember): boolean {
  return session.fields.card?.card.includes(member) !== false;
}

/** Whether the gateway wants the PIN of a card of this brand together with its number. */
export function needsPin(session: CheckoutSession, brand: CardBrand): boolean {
  return session.fields.card?.pin.brands.includes(brandWord(brand)) === true;
}
