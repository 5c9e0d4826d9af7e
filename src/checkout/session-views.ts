import type { Gateway } from '../gateway/gateway.js';
import type { Session } from '../payments/core/payment.js';
import { paymentView, sessionEventView, sessionView } from '../payments/core/view.js';
import { isRequiredIn, REQUIRED_IN } from '../sessions/address-rules.js';
import type { FoundSession } from '../sessions/open-sessions.js';
import { SHOWN_PAYMENTS, type BrowserSessionDto, type MerchantSessionDto } from './sessions.dto.js';

/** A session as the merchant sees it, without its token. */
export function merchantView({ stored, session }: FoundSession, livemode: boolean): MerchantSessionDto {
  return {
    ...sessionEventView(stored.reference, session, livemode),
    payer: session.payer,
    billing: session.billing,
    payments: paymentsOf({ stored, session }).map((payment) => paymentView(stored, payment, livemode)),
  };
}

/** A session as its browser sees it: which fields it must ask for and which of them are known, not their values. */
export function browserView(
  { stored, session }: FoundSession,
  gateway: Gateway,
  livemode: boolean,
): BrowserSessionDto {
  return {
    ...sessionView(stored.reference, session, livemode),
    provided: { payer: Object.keys(session.payer), billing: Object.keys(session.billing) },
    fields: Object.fromEntries(session.methods.map((method) => [method, fieldsOf(session, method, gateway)])),
    requiredIn: { stateProvince: [...REQUIRED_IN.stateProvince], postCode: [...REQUIRED_IN.postCode] },
    payments: paymentsOf({ stored, session }).map((payment) => {
      const { metadata: _metadata, ...view } = paymentView(stored, payment, livemode);
      return view;
    }),
  };
}

function paymentsOf({ stored, session }: FoundSession) {
  return stored.payments
    .filter(({ sessionId }) => sessionId === session.id)
    .sort((a, b) => a.n - b.n)
    .slice(-SHOWN_PAYMENTS);
}

/** Where the session knows the country, its address has what that requires; otherwise the payer's choice decides. */
function fieldsOf({ billing }: Session, method: Session['methods'][number], gateway: Gateway) {
  const { payer, billing: address, optional, card, device, pin } = gateway.methodFields(method);
  const asked = address.filter(
    (member) => billing.country === undefined || isRequiredIn(billing.country, member),
  );
  const fields = { payer: [...payer], billing: asked, optional: [...optional] };
  return method === 'card'
    ? { ...fields, card: [...card], device: [...device], pin: { brands: [...pin.brands] } }
    : fields;
}
