import { toChildArray, type ComponentChildren, type VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { useCheckout } from './context.js';
import type { Language, MessageKey } from './messages.js';
import { formatAmount } from './money.js';
import type { Outcome, Sentence } from './outcome.js';
import type { Refusal } from './refusal.js';

/** The small parts of which the views are made. */

/** After this time a payer begins to worry. */
const LONG_MS = 8_000;
/** Up to here a time is told in seconds. */
const SECONDS_UP_TO = 90;
const COPIED_MS = 2_500;

/** An amount that does not break inside its digits. */
export function Sum({ amount, currency }: { amount: string; currency: string }): VNode {
  const { locale } = useCheckout().language;
  return <bdi class="sum">{formatAmount(amount, currency, locale)}</bdi>;
}

const ICONS = {
  card: 'M3 7.5A2.5 2.5 0 0 1 5.5 5h13A2.5 2.5 0 0 1 21 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5zM3 10h18M6.5 15h4',
  wallet:
    'M4 8.5V17a2.5 2.5 0 0 0 2.5 2.5h11A2.5 2.5 0 0 0 20 17v-6a2.5 2.5 0 0 0-2.5-2.5H5.5a1.75 1.75 0 0 1 0-3.5H17v3.5M16 14h.01',
  transfer: 'M4 9.5 12 5l8 4.5zM5 19h14M6.5 16v-4M10.2 16v-4M13.8 16v-4M17.5 16v-4',
  ussd: 'M8 3.5h8A1.5 1.5 0 0 1 17.5 5v14a1.5 1.5 0 0 1-1.5 1.5H8A1.5 1.5 0 0 1 6.5 19V5A1.5 1.5 0 0 1 8 3.5zM11 17.5h2M10 8v3M14 8v3M9.5 8.7h5M9.5 10.4h5',
  lock: 'M7 11V8a5 5 0 0 1 10 0v3M6.5 11h11A1.5 1.5 0 0 1 19 12.5v6a1.5 1.5 0 0 1-1.5 1.5h-11A1.5 1.5 0 0 1 5 18.5v-6A1.5 1.5 0 0 1 6.5 11z',
  good: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM8.5 12.3l2.4 2.4 4.6-5',
  bad: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM12 8v4.5M12 15.5h.01',
  neutral: 'M20 12a8 8 0 1 1-16 0 8 8 0 0 1 16 0zM8.5 12h7',
} as const;

export function Icon({ name }: { name: keyof typeof ICONS }): VNode {
  return (
    <svg viewBox="0 0 24 24" class="icon" aria-hidden="true">
      <path d={ICONS[name]} />
    </svg>
  );
}

/** The heading of a view takes the focus when the view replaces another one, and what it is about is read with it. */
export function Heading({ children, about }: { children: ComponentChildren; about?: string }): VNode {
  return (
    <h2 tabIndex={-1} data-focus aria-describedby={about}>
      {children}
    </h2>
  );
}

/** An icon, a heading, and what else there is to say. */
export function Panel(props: {
  icon: Outcome['icon'];
  title: MessageKey;
  about: ComponentChildren;
  children?: ComponentChildren;
}): VNode {
  const { icon, title, about, children } = props;
  const { t } = useCheckout().language;
  const id = useId();
  return (
    <div class={`view outcome ${icon}`}>
      {icon === 'waiting' ? <span class="ring" aria-hidden="true" /> : <Icon name={icon} />}
      <Heading about={id}>{t(title)}</Heading>
      <div id={id} class="about">
        {about}
      </div>
      {children}
    </div>
  );
}

export function Sentences({ all, currency }: { all: readonly Sentence[]; currency: string }): VNode {
  const { say } = useCheckout();
  return (
    <>
      {all.map((sentence) => (
        <p key={sentence.text}>{say(sentence, currency)}</p>
      ))}
    </>
  );
}

/** A button. While it is busy it keeps its label and focus, and pressing it again does nothing. */
export function Button(props: {
  kind: 'primary' | 'quiet';
  isBusy?: boolean;
  submits?: boolean;
  press?: () => void;
  children: ComponentChildren;
}): VNode {
  const { kind, isBusy = false, submits = false, press, children } = props;
  return (
    <button
      type={submits ? 'submit' : 'button'}
      class={kind}
      aria-disabled={isBusy || undefined}
      onClick={() => !isBusy && press?.()}
    >
      <span class="spinner" aria-hidden="true" />
      <span>{children}</span>
    </button>
  );
}

/** Says that work takes a while, or gets no answer. */
export function Progress({ isBusy }: { isBusy: boolean }): VNode {
  const { language, retry } = useCheckout();
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    setLong(false);
    if (!isBusy) return undefined;
    const timer = setTimeout(() => setLong(true), LONG_MS);
    return () => clearTimeout(timer);
  }, [isBusy]);
  const text = retry ?? (isLong ? 'workingLong' : 'working');
  return (
    <p class="progress" role="status">
      {isBusy ? language.t(text) : ''}
    </p>
  );
}

/** A button that copies a text and confirms it. Browsers allow the clipboard on secure pages only. */
export function Copy({ text, name }: { text: string; name: MessageKey }): VNode | null {
  const { language, announce } = useCheckout();
  const [isCopied, setCopied] = useState(false);
  if (!('clipboard' in navigator)) return null;
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce(language.t('copied'));
    setTimeout(() => setCopied(false), COPIED_MS);
  };
  return (
    <button type="button" class="copy" onClick={() => void copy().catch(() => undefined)}>
      <span aria-hidden="true">{language.t(isCopied ? 'copied' : 'copy')}</span>
      <span class="unseen">{language.t(name)}</span>
    </button>
  );
}

/** What a view says in an alert; nothing where there is nothing to say. */
export function Notice({ children }: { children?: ComponentChildren }): VNode {
  const isEmpty = toChildArray(children).length === 0;
  return (
    <div class={isEmpty ? '' : 'notice'} role="alert">
      {children}
    </div>
  );
}

/** Why an action failed, and for how long. */
export function refusalText({ t, locale }: Language, { message, seconds }: Refusal): string {
  return t(message, seconds === undefined ? {} : { time: duration(seconds, locale) });
}

/** `45 seconds`, `10 minutes`, in the words of the locale. */
function duration(seconds: number, locale: string): string {
  const isShort = seconds <= SECONDS_UP_TO;
  const unit = isShort ? 'second' : 'minute';
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.ceil(isShort ? seconds : seconds / 60));
}
