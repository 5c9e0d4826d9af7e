import type { VNode } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { CheckoutSession, Tillfront } from '../kit/types.js';
import { CodeView } from './code-view.js';
import { CheckoutProvider, useCheckout, type Checkout } from './context.js';
import type { Typed } from './fields.js';
import type { CheckoutFlow } from './flow.js';
import { Form } from './form.js';
import { languages, type Language, type MessageKey } from './messages.js';
import { formatAmount } from './money.js';
import { mayStillArrive, outcomeOf } from './outcome.js';
import { BackLink, DeclinedNews, EndedView, OutcomeView, UnavailableView } from './outcome-views.js';
import { Panel, Sum } from './parts.js';
import type { View } from './view.js';
import { RedirectView, TransferView, UnsupportedView, UssdView } from './waiting-views.js';

/** What a session and a payment have in common. */
export type Owed = Pick<CheckoutSession, 'amount' | 'currency' | 'reference' | 'livemode'>;

/** What the page shows. */
export interface Shown {
  view: View;
  session?: CheckoutSession | undefined;
  owed?: Owed | undefined;
  retry?: MessageKey | undefined;
  isStuck?: boolean;
}

/** The merchant, as the service says it in the page. */
export interface Brand {
  name: string | null;
  /** Path of the logo below the service's address. */
  logo: string | null;
}

export interface AppProps {
  shown: Shown;
  language: Language;
  brand: Brand;
  /** Undefined on a page that only shows a payment. */
  lead: { flow: CheckoutFlow; kit: Tillfront } | undefined;
  speak: (tag: string) => void;
  restart: () => void;
}

/** Views that tell how something ended. They are announced when they appear. */
const SPOKEN: readonly View['kind'][] = ['loading', 'confirming', 'outcome', 'ended', 'unavailable'];
/** Views without a way back to the shop below them: they offer it themselves, or have nothing to go back from. */
const OWN_WAY_BACK: readonly View['kind'][] = ['loading', 'outcome', 'ended'];

/** The whole page: who is paid, what is owed, the news, the view, and the way back. */
export function App({ shown, language, brand, lead, speak, restart }: AppProps): VNode {
  const { view, session, owed = session, retry, isStuck = false } = shown;
  const { t, locale, direction } = language;
  const stage = useRef<HTMLDivElement>(null);
  const typed = useRef<Typed>({});
  const [hasBegun, setBegun] = useState(false);
  const [announced, announce] = useState('');

  useEffect(() => {
    Object.assign(document.documentElement, { lang: locale, dir: direction });
  }, [language]);
  useEffect(() => {
    if (['outcome', 'ended', 'unavailable'].includes(view.kind)) forgetCard(typed.current);
    if (view.kind === 'loading') return;
    // Neither the first view nor news may take the focus from the page around it.
    if (hasBegun && document.hasFocus())
      stage.current?.querySelector<HTMLElement>('[data-focus], [data-code] input')?.focus();
    setBegun(true);
  }, [view]);
  useEffect(() => {
    const heading = stage.current?.querySelector('h2')?.textContent;
    const title = captionOf(view) === 'paid' ? t('paid') : (heading ?? t('checkout'));
    document.title = [title, ...(brand.name === null ? [] : [brand.name])].join(' – ');
  });

  const checkout: Checkout = {
    ...{ language, session, retry, isStuck, restart },
    flow: lead?.flow,
    shop: brand.name ?? undefined,
    now: () => lead?.kit.serviceTime(),
    say: ({ text, amounts = {} }, currency) => {
      const words: Record<string, string> = {};
      for (const [name, sum] of Object.entries(amounts)) words[name] = formatAmount(sum, currency, locale);
      return t(text, words);
    },
    // The same words again are read again only when they were gone in between.
    announce: (text) => {
      announce('');
      setTimeout(() => announce(text), 50);
    },
    tryAnother: (method) => {
      forgetCard(typed.current);
      const other = session?.methods.find((offered) => offered !== method);
      typed.current['method'] = other ?? method;
      void lead?.flow.chooseAgain();
    },
  };
  const isForm = view.kind === 'choose' || view.kind === 'declined';
  const isLeaving = view.kind === 'redirect' && view.stage === 'leaving';
  const isSpoken = SPOKEN.includes(view.kind) || (view.kind === 'redirect' && view.stage === 'returned');
  const shownView =
    isForm && lead && session ? (
      <Form {...{ session, kit: lead.kit, typed: typed.current }} />
    ) : (
      <ViewOf view={view} />
    );
  return (
    <CheckoutProvider value={checkout}>
      <div class="stage" ref={stage} data-view={view.kind}>
        <h1 class="unseen">{t('checkout')}</h1>
        <Who brand={brand} />
        {owed && <Summary owed={owed} caption={captionOf(view)} t={t} />}
        {/* Here before it has any text, because screen readers announce only later changes. */}
        <div role="status" aria-live="polite">
          {isForm ? <News view={view} /> : isSpoken && shownView}
        </div>
        {!isSpoken && shownView}
        {!OWN_WAY_BACK.includes(view.kind) && !isLeaving && (
          <div class="leave">
            <BackLink kind="plain" {...('payment' in view && { payment: view.payment })} />
          </div>
        )}
        {view.kind !== 'loading' && <LanguageChoice language={language} speak={speak} />}
        <p class="unseen" role="status">
          {announced}
        </p>
      </div>
    </CheckoutProvider>
  );
}

/** Everything but the form. */
function ViewOf({ view }: { view: View }): VNode | null {
  const { language, retry } = useCheckout();
  const action = 'payment' in view ? view.payment.nextAction : null;
  switch (view.kind) {
    case 'loading':
      return <p class="loading">{language.t(retry ?? 'loading')}</p>;
    case 'otp':
    case 'pin':
      return <CodeView key={view.payment.id} payment={view.payment} type={view.kind} />;
    case 'confirming':
      // The outcome is not known, and the payer must not pay again.
      return <Panel icon="waiting" title="confirming.title" about={<p>{language.t('confirming.text')}</p>} />;
    case 'outcome':
      return <OutcomeView payment={view.payment} />;
    case 'ended':
      return <EndedView reason={view.reason} />;
    case 'unavailable':
      return <UnavailableView reason={view.reason} />;
    case 'unsupported':
      return <UnsupportedView payment={view.payment} />;
    case 'redirect':
      return action?.type === 'redirect' ? <RedirectView {...view} action={action} /> : null;
    case 'transfer':
      return action?.type === 'transfer' ? <TransferView {...view} action={action} /> : null;
    case 'ussd':
      return action?.type === 'ussd' ? <UssdView {...view} action={action} /> : null;
    default:
      return null;
  }
}

/** Above the form: why the last payment failed, or a warning for those who have perhaps paid already. */
function News({ view }: { view: View }): VNode | null {
  const { language, session } = useCheckout();
  if (view.kind === 'declined') return <DeclinedNews payment={view.payment} />;
  return session?.payments.some(mayStillArrive) ? <p class="notice">{language.t('ifSent.any')}</p> : null;
}

function Who({ brand: { name, logo } }: { brand: Brand }): VNode | null {
  if (name === null && logo === null) return null;
  return (
    <div class="who">
      {logo !== null && (
        <img class="logo" src={`${document.documentElement.dataset['root']}${logo}`} alt="" />
      )}
      {name !== null && <p class="name">{name}</p>}
    </div>
  );
}

/** The amount owed, or paid, and what it is for. */
function Summary({ owed, caption, t }: { owed: Owed; caption: MessageKey; t: Language['t'] }): VNode {
  const { amount, currency, reference, livemode } = owed;
  return (
    <div class="summary">
      <div>
        <p class="caption">{t(caption)}</p>
        <p class="amount">
          <Sum amount={amount} currency={currency} />
        </p>
        <p class="caption">{t('order', { reference })}</p>
      </div>
      {!livemode && <p class="badge">{t('testMode')}</p>}
    </div>
  );
}

/** The languages that there are, each by its own name. */
function LanguageChoice({ language, speak }: { language: Language; speak: (tag: string) => void }): VNode {
  return (
    <label class="language">
      {language.t('language')}{' '}
      <select
        class="control"
        value={new Intl.Locale(language.locale).language}
        onChange={(event) => speak(event.currentTarget.value)}
      >
        {languages().map(({ tag, name }) => (
          <option key={tag} value={tag} lang={tag}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

function forgetCard(typed: Typed): void {
  for (const name of Object.keys(typed))
    if (name.startsWith('card.') && name !== 'card.nameOnCard') delete typed[name];
}

/** What the amount above a view is. */
function captionOf(view: View): MessageKey {
  if (view.kind === 'outcome') return outcomeOf(view.payment, undefined).caption;
  return view.kind === 'ended' && view.reason === 'paid' ? 'paid' : 'toPay';
}
