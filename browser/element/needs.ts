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
 * (ISO 3166-1 alpha-3). Where the service says nothing, nothing is asked for until it refuses the payment.
 */
export function askedFor(session: CheckoutSession, method: PaymentMethod, country: string): Asked {
  const { fields, provided, requiredIn } = session as Partial<CheckoutSession>;
  const needs = fields?.[method];
  const knowsCountry = provided?.billing.includes('country') === true;
  const isOfCountry = (member: string): boolean => {
    const countries = requiredIn?.[member as keyof CheckoutSession['requiredIn']];
    return knowsCountry || countries === undefined || countries.includes(country);
  };
  const lacking = (needed: readonly string[] = [], brought: readonly string[] = []): string[] =>
    needed.filter((member) => !brought.includes(member));
  return {
    payer: new Set(lacking(needs?.payer, provided?.payer)) as Asked['payer'],
    billing: new Set(lacking(needs?.billing, provided?.billing).filter(isOfCountry)) as Asked['billing'],
    optional: new Set(lacking(needs?.optional, provided?.payer)) as Asked['optional'],
  };
}

/** Whether the gateway takes this of a card. Where the service says nothing, it takes all. */
export function takesOfCard(session: CheckoutSession, member: CardMember): boolean {
  const card = (session as Partial<CheckoutSession>).fields?.card?.card;
  return card === undefined || card.includes(member);
}

/** Whether the gateway wants the PIN of a card of this brand together with its number. */
export function needsPin(session: CheckoutSession, brand: { id: string; hasPin: boolean }): boolean {
  const pin = (session as Partial<CheckoutSession>).fields?.card?.pin;
  const name = brand.id === 'amex' ? 'american-express' : brand.id;
  return pin === undefined ? brand.hasPin : pin.brands.includes(name);
}
