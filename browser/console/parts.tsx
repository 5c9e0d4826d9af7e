import type { ComponentChildren, JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { PaymentDto } from '../generated/api.js';
import { money } from './amounts.js';
import { refundedWord } from './plain-words.js';
import { dateTime } from './times.js';
import { statusWord } from './words.js';

/** An amount, which never breaks inside its digits. */
export function Sum({ amount, currency }: { amount: string; currency: string }): JSX.Element {
  return <bdi class="sum">{money(amount, currency)}</bdi>;
}

export function Moment({ at, as = dateTime }: { at: string; as?: (at: string) => string }): JSX.Element {
  return <time dateTime={at}>{as(at)}</time>;
}

export function Badge({ kind, children }: { kind: string; children: ComponentChildren }): JSX.Element {
  return <span class={`badge ${kind}`}>{children}</span>;
}

/** The status in a word and a colour, and what else is so: refunded, disputed, a duplicate, needs attention. */
export function Badges({ payment }: { payment: PaymentDto }): JSX.Element {
  const { status, needsAttention, disputed, duplicateOf } = payment;
  const refunded = refundedWord(payment);
  return (
    <span class="badges">
      <Badge kind={status}>{statusWord(status)}</Badge>
      {refunded && <Badge kind="alert">{refunded}</Badge>}
      {disputed && <Badge kind="failed">Disputed</Badge>}
      {duplicateOf !== null && <Badge kind="alert">Duplicate</Badge>}
      {needsAttention && <Badge kind="alert">Needs attention</Badge>}
    </span>
  );
}

/** Terms with their values; a row without a value is left out. */
export function Facts({ rows }: { rows: readonly (readonly [string, ComponentChildren])[] }): JSX.Element {
  const shown = rows.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return (
    <dl class="facts">
      {shown.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const COPIED_MS = 2_500;

/** A text for machines with a button that copies it. */
export function Copied({ text, name }: { text: string; name: string }): JSX.Element {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => {
    const shown = (): void => {
      setCopied(true);
      setTimeout(() => setCopied(false), COPIED_MS);
    };
    void navigator.clipboard.writeText(text).then(shown, () => undefined);
  };
  return (
    <span class="copied">
      <code>{text}</code>
      {/* Browsers allow the clipboard on secure pages only; the text can always be selected. */}
      {'clipboard' in navigator && (
        <button type="button" class="small" aria-label={`Copy ${name}`} onClick={copy}>
          Copy
        </button>
      )}
      <span role="status">{isCopied && 'Copied'}</span>
    </span>
  );
}

/** Gives a file to the browser's downloads. */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
