import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { encode } from 'uqr';
import type { MerchantSessionDto } from '../generated/api.js';
import { money } from './amounts.js';
import { Form, type Field, type Values } from './form.js';
import { Moment, Page } from './parts.js';
import { hrefOf } from './route.js';
import { useSession } from './session.js';

const FIELDS: readonly Field[] = [
  { name: 'reference', label: 'Reference', hint: 'Your own: up to 40 letters, digits, dots and dashes.' },
  { name: 'amount', label: 'Amount', kind: 'amount', hint: 'Such as 1500.00.' },
  { name: 'currency', label: 'Currency', hint: 'Such as NGN.' },
  { name: 'email', label: 'E-mail of the payer', kind: 'email', isOptional: true, hint: 'Optional.' },
  {
    ...{ name: 'expiresInSeconds', label: 'Valid for', kind: 'select', value: '604800' },
    options: [
      ['3600', '1 hour'],
      ['86400', '1 day'],
      ['604800', '7 days'],
      ['2592000', '30 days'],
    ],
  },
];

/** Makes a payment link: a session whose checkout address is sent to a payer, or shown as a QR code. */
export function LinksPage(): JSX.Element {
  const { changes } = useSession();
  const [made, setMade] = useState<MerchantSessionDto>();
  const create = async (values: Values): Promise<void> => {
    const { email, currency = '', expiresInSeconds, ...body } = values;
    setMade(
      await changes.post<MerchantSessionDto>('checkout-sessions', {
        ...{ ...body, currency: currency.toUpperCase(), expiresInSeconds: Number(expiresInSeconds) },
        ...(email && { payer: { email } }),
      }),
    );
  };
  return (
    <Page
      title="Payment link"
      about="Anyone with the link can pay once, until it expires. Send it only to the payer."
    >
      <Form
        {...{ fields: FIELDS, action: 'Create the link', label: 'Payment link', run: create }}
        kind="card stack narrow"
      />
      {made && <Link key={made.id} session={made} />}
    </Page>
  );
}

function Link({ session }: { session: MerchantSessionDto }): JSX.Element {
  const { announce } = useSession();
  const { reference, amount, currency, expiresAt, checkoutUrl = '' } = session;
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const copy = (): Promise<void> =>
    navigator.clipboard.writeText(checkoutUrl).then(
      () => announce('The link is copied.'),
      () => undefined,
    );
  return (
    <section class="card stack narrow" aria-label="The link">
      <h3 ref={heading} tabIndex={-1}>
        {money(amount, currency)} for {reference}
      </h3>
      <code>{checkoutUrl}</code>
      {/* Browsers allow the clipboard on secure pages only. */}
      {'clipboard' in navigator && (
        <div class="buttons">
          <button type="button" onClick={() => void copy()}>
            Copy the link
          </button>
        </div>
      )}
      <QrCode text={checkoutUrl} />
      <p>
        Valid until <Moment at={expiresAt} />.{' '}
        <a href={hrefOf('payments', { reference })}>See its payments</a>
      </p>
    </section>
  );
}

function QrCode({ text }: { text: string }): JSX.Element {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const squares = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label="The link as a QR code">
      <rect width={size} height={size} fill="#ffffff" />
      <path d={squares.join('')} fill="#000000" shape-rendering="crispEdges" />
    </svg>
  );
}
