import { formatMajor } from '../money/money.js';
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
  expiresAt: string;
  createdAt: string;
}

/** What the merchant's server sees beside it. */
export interface MerchantSessionView extends SessionView {
  payer: Payer | null;
}

/** What a browser with the session's token sees: which payer and billing fields it need not ask for, not their values. */
export interface BrowserSessionView extends Omit<SessionView, 'metadata' | 'closedReason'> {
  provided: { payer: string[]; billing: string[] };
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
    expiresAt: new Date(session.expiresAt).toISOString(),
    createdAt: new Date(session.createdAt).toISOString(),
  };
}

export function viewSessionForMerchant(session: SessionRecord, livemode: boolean): MerchantSessionView {
  return { ...viewSessionForEvent(session, livemode), payer: session.payer };
}

export function viewSessionForBrowser(session: SessionRecord, livemode: boolean): BrowserSessionView {
  const { metadata, closedReason, ...view } = viewSessionForEvent(session, livemode);
  // The merchant's own notes are not the payer's.
  void [metadata, closedReason];
  return {
    ...view,
    provided: { payer: Object.keys(session.payer ?? {}), billing: Object.keys(session.billing ?? {}) },
  };
}
