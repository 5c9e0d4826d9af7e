import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import type { MerchantSessionDto } from '../generated/api.js';
import { money } from './amounts.js';
import { Amount, Faults, Problem, Select, Text } from './fields.js';
import { Copied, Moment } from './parts.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';

const HOUR = 3_600;
const HOW_LONG = [
  [String(HOUR), '1 hour'],
  [String(24 * HOUR), '1 day'],
  [String(3 * 24 * HOUR), '3 days'],
  [String(7 * 24 * HOUR), '7 days'],
  [String(30 * 24 * HOUR), '30 days'],
] as const;

const EMPTY = { reference: '', amount: '', currency: '', email: '', expiresInSeconds: String(7 * 24 * HOUR) };

/** Makes a payment link: a session whose checkout address is sent to a payer, or shown as a QR code. */
export function LinksPage(): JSX.Element {
  const { service, changes } = useSession();
  const [values, setValues] = useState(EMPTY);
  const [made, setMade] = useState<MerchantSessionDto>();
  const [error, setError] = useState<unknown>();
  const set = (name: keyof typeof EMPTY) => ({
    ...{ name, value: values[name] },
    change: (value: string) => setValues((before) => ({ ...before, [name]: value })),
  });
  useEffect(() => {
    // The last payment's currency is most likely the next one's.
    const currencyOf = async (): Promise<void> => {
      const { data } = await answer(service.GET('/v1/payments', { params: { query: { limit: '1' } } }));
      setValues((before) => ({ ...before, currency: before.currency || (data[0]?.currency ?? '') }));
    };
    void currencyOf().catch(() => undefined);
  }, []);
  const create = async (): Promise<void> => {
    const email = values.email.trim();
    const body = {
      reference: values.reference.trim(),
      amount: values.amount.trim(),
      currency: values.currency.trim().toUpperCase(),
      expiresInSeconds: Number(values.expiresInSeconds),
      ...(email === '' ? {} : { payer: { email } }),
    };
    setError(undefined);
    await changes
      .make(`checkout-sessions/${body.reference}`, body, (header) =>
        answer(service.POST('/v1/checkout-sessions', { params: { header }, body })),
      )
      .then(setMade, setError);
  };
  return (
    <section class="stack narrow" aria-label="Payment link">
      <h2 tabIndex={-1}>Payment link</h2>
      <p class="muted">Anyone with the link can pay once, until it expires. Send it only to the payer.</p>
      <form
        class="card stack"
        onSubmit={(event) => {
          event.preventDefault();
          void create();
        }}
      >
        <Faults error={error}>
          <Text
            {...set('reference')}
            label="Reference"
            hint="Your own: up to 40 letters, digits, dots and dashes."
            more={{ required: true, maxLength: 40 }}
          />
          <div class="pair">
            <Amount {...set('amount')} label="Amount" hint="Such as 1500.00." currency={values.currency} />
            <Text {...set('currency')} label="Currency" hint="Such as NGN." more={{ required: true, maxLength: 3, class: 'code' }} />
          </div>
          <Text {...set('email')} label="E-mail of the payer" hint="Optional." more={{ type: 'email' }} />
          <Select {...set('expiresInSeconds')} label="Valid for" options={HOW_LONG} />
        </Faults>
        <Problem error={error} />
        <div class="buttons">
          <button type="submit" class="primary">
            Create the link
          </button>
        </div>
      </form>
      {made && <Link key={made.id} session={made} />}
    </section>
  );
}

function Link({ session }: { session: MerchantSessionDto }): JSX.Element {
  const { reference, amount, currency, expiresAt, checkoutUrl = '' } = session;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <section class="card stack" aria-label="The link">
      <h3 ref={heading} tabIndex={-1}>
        {money(amount, currency)} for {reference}
      </h3>
      <Copied text={checkoutUrl} name="the link" />
      <QrCode text={checkoutUrl} />
      <p>
        Valid until <Moment at={expiresAt} />. <a href={hrefOf('payments', { reference })}>See its payments</a>
      </p>
    </section>
  );
}

const BORDER = 4;

function QrCode({ text }: { text: string }): JSX.Element {
  const { data, size } = encode(text, { ecc: 'M', border: BORDER });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="The link as a QR code" shape-rendering="crispEdges">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={squares.join('')} fill="#000000" />
    </svg>
  );
}
