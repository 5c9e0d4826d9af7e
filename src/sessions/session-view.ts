import type { Profile } from '../gateway/profile/format.js';
import { methodFields } from '../methods/method-fields.js';
import { formatMajor } from '../money/money.js';
import { isRequiredIn, REQUIRED_IN, type RegionalMember } from './address-rules.js';
import type { ClosedReason, PaymentMethod, Payer, SessionRecord, SessionStatus } from '../store/schema.js';

/** What everybody who may see a session sees of it. */
export interface SessionView {
  id: string;
  livemode: boolean;
  status: SessionStatus;
  closedReason: ClosedReason | null;
  reference: string;
  amount: string;
  currency: string;
  returnUrl: string | null;
  methods: PaymentMethod[];
  metadata: Record<string, string>;
  locale: string | null;
  expiresAt: string;
  createdAt: string;
}

/** What the merchant's server sees beside it. */
export interface MerchantSessionView extends SessionView {
  payer: Payer | null;
}

/** The names of what a method needs of its payer. */
export interface MethodFieldsView {
  payer: string[];
  billing: string[];
}

/** The same of a card payment. */
export interface CardFieldsView extends MethodFieldsView {
  card: string[];
  device: string[];
  pin: { when: 'with' | 'later'; brands: string[] };
}

/** What each method of a session needs. */
export type SessionFieldsView = { card?: CardFieldsView } & Partial<Record<PaymentMethod, MethodFieldsView>>;

/**
 * What a browser with the session's token sees: which payer and billing fields are needed and which of them it need not ask for, not their
 * values.
 */
export interface BrowserSessionView extends Omit<SessionView, 'metadata' | 'closedReason'> {
  provided: { payer: string[]; billing: string[] };
  fields: SessionFieldsView;
  requiredIn: Record<RegionalMember, string[]>;
}

/** A session in an event: without payer, token and address. */
export function viewSessionForEvent(session: SessionRecord, livemode: boolean): SessionView {
  return {
    id: session.id,
    livemode,
    status: session.status,
    closedReason: session.closedReason,
    reference: session.reference,
    amount: formatMajor(session.amount, session.currency),
    currency: session.currency,
    returnUrl: session.returnUrl,
    methods: session.methods,
    metadata: session.metadata,
    locale: session.locale,
    expiresAt: new Date(session.expiresAt).toISOString(),
    createdAt: new Date(session.createdAt).toISOString(),
  };
}

export function viewSessionForMerchant(session: SessionRecord, livemode: boolean): MerchantSessionView {
  return { ...viewSessionForEvent(session, livemode), payer: session.payer };
}

/** Stands in place of what whoever keeps the books need not know. */
const MASK = '***';

/** The same without what is known of the payer: only what is known at all can be seen. */
export function maskedView<V extends MerchantSessionView>(view: V): V {
  const { payer } = view;
  if (payer === null) return view;
  const known = Object.keys(payer).map((name) => [name, MASK]);
  return { ...view, payer: Object.fromEntries(known) as Payer };
}

export function viewSessionForBrowser(
  session: SessionRecord,
  profile: Profile,
  livemode: boolean,
): BrowserSessionView {
  const { metadata, closedReason, ...view } = viewSessionForEvent(session, livemode);
  // The merchant's own notes are not the payer's.
  void [metadata, closedReason];
  return {
    ...view,
    provided: { payer: Object.keys(session.payer ?? {}), billing: Object.keys(session.billing ?? {}) },
    fields: viewFields(session, profile),
    requiredIn: { stateProvince: [...REQUIRED_IN.stateProvince], postCode: [...REQUIRED_IN.postCode] },
  };
}

/** Where the session knows the country, its address has what that requires; otherwise the payer's choice decides. */
function viewFields({ methods, billing }: SessionRecord, profile: Profile): SessionFieldsView {
  const country = billing?.country;
  const asked = (member: string): boolean => country === undefined || isRequiredIn(country, member);
  return Object.fromEntries(
    methods.map((method) => {
      const { payer, billing: address, card, device } = methodFields(profile, method);
      const needed: MethodFieldsView = { payer: [...payer], billing: address.filter(asked) };
      if (card.length === 0) return [method, needed];
      const { when, brands } = profile.card.pin;
      const pin = { when, brands: when === 'with' ? [...brands] : [] };
      return [method, { ...needed, card: [...card], device: [...device], pin }];
    }),
  );
}
