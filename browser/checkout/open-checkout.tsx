import { render } from 'preact';
import { createTillfront } from '../kit/client.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { CheckoutSession, Payment, RedirectAction, Tillfront } from '../kit/types.js';
import { App, type AppProps, type Brand, type Shown } from './app.js';
import { CheckoutFlow } from './flow.js';
import { fallbackLanguage, findLanguage, type Language } from './messages.js';
import { showPayment } from './return-flow.js';
import { TabMemory } from './tab-memory.js';
import type { View } from './view.js';

/** How the page was opened. */
export interface Opening {
  baseUrl: string;
  clientToken: string;
  /** `crt_…`, what a payer comes back from the bank with. */
  returnToken?: string | undefined;
  /** Id of the payment whose outcome is shown first. */
  payment: string | null;
  brand: Brand;
  leave: (action: RedirectAction) => void;
  result: (payment: Payment) => void;
  onView: () => void;
}

export interface OpenCheckout {
  /** The payer is on the page again. */
  refresh(): void;
  /** The page around the frame could not send the payer away. */
  stuck(): void;
  close(): void;
}

const CHOSEN = 'tillfront:language';

/** Shows the checkout of one session, or the outcome of one payment. */
export function openCheckout(root: HTMLElement, opening: Opening): OpenCheckout {
  let shown: Shown = { view: { kind: 'loading' } };
  let language: Language | undefined;
  let isUnderstood = false;
  let lead: AppProps['lead'];
  let leaving = new AbortController();
  let isOpen = true;
  let isDrawn = false;

  const draw = (): void => {
    if (!isOpen || language === undefined) return;
    // The first words are the page's own, which no script has drawn.
    if (!isDrawn) root.replaceChildren();
    isDrawn = true;
    const { brand, onView } = opening;
    render(<App {...{ shown, language, brand, lead, speak, restart, onView }} />, root);
  };
  const change = (part: Partial<Shown>): void => {
    shown = { ...shown, ...part };
    draw();
  };
  const show = (view: View, part: Partial<Shown>): void => {
    change({ retry: undefined, isEnding: false, isStuck: false, ...part, view });
    const locale = part.session?.locale;
    // The shop knows its payers better than English does.
    if (!isUnderstood && locale) void hear([locale]);
  };
  const hear = async (wanted: readonly string[]): Promise<void> => {
    const found = await findLanguage(wanted);
    isUnderstood ||= found !== undefined;
    language = found ?? language ?? fallbackLanguage;
    draw();
  };
  const speak = (tag: string): void => {
    remember(tag);
    void hear([tag]);
  };
  const client = (clientToken: string): Tillfront =>
    createTillfront({
      baseUrl: opening.baseUrl,
      clientToken,
      onRetry: ({ offline }) => change({ retry: offline ? 'offline' : 'retrying' }),
    });

  const openSession = (signal: AbortSignal): Promise<void> => {
    const kit = client(opening.clientToken);
    const memory = new TabMemory(sessionIn(opening.clientToken));
    const events = {
      show: (view: View, session: CheckoutSession | undefined) => show(view, { session, owed: session }),
      result: opening.result,
      leave: opening.leave,
      warn: () => change({ isEnding: true }),
    };
    const flow = new CheckoutFlow(kit, events, memory, opening.payment ?? undefined);
    signal.addEventListener('abort', () => flow.stop());
    lead = { flow, kit, memory };
    return flow.start();
  };

  const begin = async (signal: AbortSignal): Promise<void> => {
    const { returnToken, clientToken, result } = opening;
    const paymentId = /^crt_([A-Za-z0-9_]+)\./.exec(returnToken ?? '')?.[1];
    if (returnToken === undefined || paymentId === undefined) return openSession(signal);
    const reader = client(returnToken);
    const isTheirs = await isOwn(reader, paymentId, clientToken);
    if (signal.aborted) return undefined;
    if (isTheirs) return openSession(signal);
    const events = { show: (view: View, payment?: Payment) => show(view, { owed: payment }), result };
    return showPayment(reader, paymentId, events, signal);
  };

  const restart = (): void => {
    leaving.abort();
    leaving = new AbortController();
    lead = undefined;
    change({ view: { kind: 'loading' }, retry: undefined });
    begin(leaving.signal).catch(() => show({ kind: 'unavailable', reason: 'token' }, {}));
  };

  void hear([...recalled(), ...navigator.languages]);
  restart();
  return {
    refresh: () => void lead?.flow.refresh(),
    stuck: () => change({ isStuck: true }),
    close: () => {
      isOpen = false;
      leaving.abort();
      render(null, root);
    },
  };
}

/**
 * Whether the link back from the bank was opened by the payer: the tab still has the client token of the payment's session. If
 * the link itself has expired, a client token in the tab is used, because it shows only its own session.
 */
async function isOwn(reader: Tillfront, paymentId: string, clientToken: string): Promise<boolean> {
  const session = sessionIn(clientToken);
  if (session === '') return false;
  try {
    return (await reader.payment(paymentId)).sessionId === session;
  } catch (error) {
    return error instanceof TillfrontError;
  }
}

/** The session id inside a client token: `cst_<session id>.<mac>`. */
function sessionIn(clientToken: string): string {
  return /^cst_([^.]+)\./.exec(clientToken)?.[1] ?? '';
}

/** The language that the payer chose in this tab. */
function recalled(): string[] {
  try {
    const chosen = sessionStorage.getItem(CHOSEN);
    return chosen === null ? [] : [chosen];
  } catch {
    return [];
  }
}

function remember(tag: string): void {
  try {
    sessionStorage.setItem(CHOSEN, tag);
  } catch {
    // The page shows it all the same.
  }
}
