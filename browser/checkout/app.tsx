import type { VNode } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { CheckoutSession, Tillfront } from '../kit/types.js';
import { CodeView } from './code-view.js';
import { CheckoutProvider, useCheckout, type Checkout } from './context.js';
import type { CheckoutFlow } from './flow.js';
import { Form } from './form.js';
import { languages, type Language, type MessageKey } from './messages.js';
import { mayStillArrive, outcomeOf } from './outcome.js';
import {
  BackLink,
  ConfirmingView,
  DeclinedNews,
  EndedView,
  OutcomeView,
  PartialView,
  UnavailableView,
} from './outcome-views.js';
import { Sum } from './parts.js';
import type { TabMemory, Typed } from './tab-memory.js';
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
  /** Little time is left to begin a payment. */
  isEnding?: boolean;
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
  lead: { flow: CheckoutFlow; kit: Tillfront; memory: TabMemory } | undefined;
  speak: (tag: string) => void;
  restart: () => void;
  /** A view has taken the place of another one. */
  onView: () => void;
}

/** Views that tell how something ended. They are announced when they appear. */
const SPOKEN = new Set<View['kind']>(['loading', 'confirming', 'partial', 'outcome', 'ended', 'unavailable']);
/** After these views no card is used again. */
const OVER = new Set<View['kind']>(['outcome', 'ended', 'unavailable']);
/** Views without a way back to the shop below them: they offer it themselves, or have nothing to go back from. */
const OWN_WAY_BACK = new Set<View['kind']>(['loading', 'outcome', 'ended']);

/** The whole page: who is paid, what is owed, the news, the view, and the way back. */
export function App({ shown, language, brand, lead, speak, restart, onView }: AppProps): VNode {
  const { view, session, owed = session, retry, isEnding = false, isStuck = false } = shown;
  const { t } = language;
  const stage = useRef<HTMLDivElement>(null);
  const typed: Typed = useMemo(() => ({ ...lead?.memory.recallForm() }), [lead]);
  const [hasBegun, setBegun] = useState(false);
  const [announced, announce] = useState('');

  useEffect(() => {
    document.documentElement.lang = language.locale;
    document.documentElement.dir = language.direction;
  }, [language]);
  useEffect(() => {
    if (OVER.has(view.kind)) forgetCard(typed);
    if (captionOf(view) === 'paid') lead?.memory.forgetForm();
    if (view.kind === 'loading') return;
    // The first view must not take the focus from the page.
    if (hasBegun) stage.current?.querySelector<HTMLElement>('[data-focus], [data-code] input')?.focus();
    setBegun(true);
    onView();
  }, [view]);
  useEffect(() => {
    const heading = stage.current?.querySelector('h2')?.textContent;
    const title = captionOf(view) === 'paid' ? t('paid') : (heading ?? t('checkout'));
    document.title = [title, ...(brand.name === null ? [] : [brand.name])].join(' – ');
  });

  const checkout: Checkout = {
    language,
    flow: lead?.flow,
    session,
    shop: brand.name ?? undefined,
    retry,
    isStuck,
    now: () => lead?.kit.serviceTime(),
    // The same words again are read again only when they were gone in between.
    announce: (text) => {
      announce('');
      setTimeout(() => announce(text), 50);
    },
    restart,
    tryAnother: (method) => {
      forgetCard(typed);
      const other = session?.methods.find((offered) => offered !== method);
      typed['method'] = other ?? method;
      void lead?.flow.chooseAgain();
    },
  };
  const isForm = view.kind === 'choose' || view.kind === 'declined';
  const isSpoken = SPOKEN.has(view.kind) || (view.kind === 'redirect' && view.stage === 'returned');
  const isLeaving = view.kind === 'redirect' && view.stage === 'leaving';
  const shownView =
    isForm && lead ? <Form session={view.session} {...lead} typed={typed} /> : <ViewOf view={view} />;
  return (
    <CheckoutProvider value={checkout}>
      <div class="stage" ref={stage} data-view={view.kind}>
        <h1 class="unseen">{t('checkout')}</h1>
        <Who brand={brand} />
        {owed && <Summary owed={owed} caption={captionOf(view)} t={t} />}
        <p class={isForm && isEnding ? 'notice' : ''} role="status">
          {isForm && isEnding && t('session.soon')}
        </p>
        {/* Here before it has any text, because screen readers announce only later changes. What has the focus is read then. */}
        <div role="status" aria-live={hasBegun ? 'off' : 'polite'}>
          {isForm ? <News view={view} /> : isSpoken && shownView}
        </div>
        {!isSpoken && shownView}
        {!OWN_WAY_BACK.has(view.kind) && !isLeaving && (
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
  switch (view.kind) {
    case 'loading':
      return <p class="loading">{language.t(retry ?? 'loading')}</p>;
    case 'otp':
    case 'pin':
      return <CodeView key={view.payment.id} payment={view.payment} type={view.kind} />;
    case 'confirming':
      return <ConfirmingView elsewhere={view.elsewhere === true} />;
    case 'partial':
      return <PartialView payment={view.payment} />;
    case 'outcome':
      return <OutcomeView payment={view.payment} />;
    case 'ended':
      return <EndedView session={view.session} reason={view.reason} />;
    case 'unavailable':
      return <UnavailableView reason={view.reason} />;
    case 'choose':
    case 'declined':
      return null;
    default:
      return <ActionOf view={view} />;
  }
}

type ActionView = Extract<View, { kind: 'redirect' | 'transfer' | 'ussd' | 'unsupported' }>;

function ActionOf({ view }: { view: ActionView }): VNode {
  const { payment } = view;
  const { nextAction: action } = payment;
  switch (action?.type) {
    case 'redirect':
      return (
        <RedirectView payment={payment} action={action} stage={'stage' in view ? view.stage : 'pending'} />
      );
    case 'transfer':
      return <TransferView payment={payment} action={action} />;
    case 'ussd':
      return <UssdView payment={payment} action={action} />;
    default:
      return <UnsupportedView payment={payment} />;
  }
}

/** Above the form: why the last payment failed, or a warning for those who have perhaps paid already. */
function News({ view }: { view: View }): VNode | null {
  const { language, flow } = useCheckout();
  if (view.kind === 'declined') return <DeclinedNews payment={view.payment} />;
  if (view.kind !== 'choose') return null;
  const isMaybePaid = view.session.payments.some((payment) =>
    mayStillArrive(payment, flow?.hasLeft(payment.id) === true),
  );
  return isMaybePaid ? <p class="notice">{language.t('ifSent.any')}</p> : null;
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
      {!livemode && (
        <p class="badge" title={t('testModeHelp')}>
          {t('testMode')}
        </p>
      )}
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
  if (view.kind === 'ended') return view.reason === 'paid' ? 'paid' : 'toPay';
  if (view.kind !== 'outcome') return 'toPay';
  return outcomeOf(view.payment, false, false).caption;
}
