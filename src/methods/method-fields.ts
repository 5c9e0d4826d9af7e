import type { GatewayCard, GatewayDevice } from '../gateway/gateway-input.js';
import { wordsSent } from '../gateway/plan/operation-plan.js';
import type { Profile } from '../gateway/profile/format.js';
import type { FieldName } from '../gateway/requests/payment-fields.js';
import type { Billing, PaymentMethod, Payer } from '../store/schema.js';
import { methodOf } from './methods.js';

/** What a method needs of its payer: the members of a payment's body, as far as the profile's request sends them. */
export interface MethodFields {
  readonly payer: readonly (keyof Payer)[];
  /** State and postal code are needed only where the country of the address requires them. */
  readonly billing: readonly (keyof Billing)[];
  readonly card: readonly (keyof GatewayCard)[];
  readonly device: readonly (keyof GatewayDevice)[];
}

type Words<T> = { readonly [Member in keyof T]-?: readonly FieldName[] };

/** Each member with the fields and words by which a request sends it. */
const PAYER: Words<Payer> = {
  email: ['payerEmail'],
  phone: ['payerPhone'],
  firstName: ['firstName', 'payerName'],
  lastName: ['lastName', 'payerName'],
};
const BILLING: Words<Billing> = {
  street: ['billingStreet'],
  city: ['billingCity'],
  stateProvince: ['billingStateProvince'],
  postCode: ['billingPostCode'],
  country: ['billingCountry'],
};
/** The PIN is none of them: only some cards have one. */
const CARD: Words<Omit<GatewayCard, 'number' | 'pin'>> = {
  expiryMonth: ['expiryMonth'],
  expiryYear: ['expiryYear', 'expiryYY', 'expiryYYYY'],
  cvv: ['cvv'],
  nameOnCard: ['nameOnCard'],
};
const DEVICE: Words<GatewayDevice> = {
  javaEnabled: ['javaEnabled'],
  language: ['language'],
  screenHeight: ['screenHeight'],
  screenWidth: ['screenWidth'],
  colorDepth: ['colorDepth'],
  timeZone: ['timeZone'],
  userAgent: ['userAgent'],
};

/** Profiles never change while the service runs. */
const known = new WeakMap<Profile, Map<PaymentMethod, MethodFields>>();

/**
 * What a payment by this method needs of its payer. It follows from the request that starts the payment and the call before that: no
 * later one has what the payer typed, because it is not stored. A card's number is always needed.
 */
export function methodFields(profile: Profile, method: PaymentMethod): MethodFields {
  const ofProfile = known.get(profile) ?? new Map<PaymentMethod, MethodFields>();
  known.set(profile, ofProfile);
  let fields = ofProfile.get(method);
  if (!fields) {
    const { initiation, carriesSecrets } = methodOf(method);
    const sent = wordsSent(profile, initiation, { always: true });
    fields = {
      payer: among(PAYER, sent),
      billing: among(BILLING, sent),
      card: carriesSecrets ? ['number', ...among(CARD, sent)] : [],
      device: among(DEVICE, sent),
    };
    ofProfile.set(method, fields);
  }
  return fields;
}

function among<T>(members: Words<T>, sent: ReadonlySet<string>): (keyof T)[] {
  return (Object.keys(members) as (keyof T)[]).filter((member) =>
    members[member].some((word) => sent.has(word)),
  );
}
