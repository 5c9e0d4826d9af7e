import { render } from 'preact';
import { createTillfront } from '../kit/client.js';
import { TillfrontError } from '../kit/tillfront-error.js';
import type { CheckoutSession, Payment, RedirectAction, Tillfront } from '../kit/types.js';
import { App, type AppProps, type Brand, type Shown } from './app.js';
import { CheckoutFlow } from './flow.js';
import { fallbackLanguage, findLanguage, type Language } from './messages.js';
import { showPayment } from './return-flow.js';
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
}

export interface OpenCheckout {
  /** The payer looks at the page again. */
  refresh(): void;
  /** The payer leaves the page: nothing waits any longer, or browsers do not keep the page for their way back. */
  pause(): void;
  /** Reads everything anew: the page was kept, and what it shows is what was. */
  restart(): void;
  /** The page around the frame could not send the payer away. */
  stuck(): void;
  close(): void;
}

/** Shows the checkout of one session, or the outcome of one payment. */
export function openCheckout(root: HTMLElement, opening: Opening): OpenCheckout {
  const { baseUrl, clientToken, returnToken, payment: named, brand, result, leave } = opening;
  let shown: Shown = { view: { kind: 'loading' } };
  let language: Language | undefined;
  let isUnderstood = false;
  let lead: AppProps['lead'];
  let leaving = new AbortController();
  let isOpen = true;

  const change = (part: Partial<Shown>): void => {
    shown = { ...shown, ...part };
    if (!isOpen || language === undefined) return;
    // The first words are the page's own, which no script has drawn.
    if (root.querySelector('.stage') === null) root.replaceChildren();
    render(<App {...{ shown, language, brand, lead, speak, restart }} />, root);
  };
  const show = (view: View, part: Partial<Shown>): void => {
    change({ retry: undefined, isStuck: false, ...part, view });
    const locale = part.session?.locale;
    // The shop knows its payers better than English does.
    if (!isUnderstood && locale) void hear([locale]);
  };
  const hear = async (wanted: readonly string[]): Promise<void> => {
    const found = await findLanguage(wanted);
    isUnderstood ||= found !== undefined;
    language = found ?? language ?? fallbackLanguage;
    change({});
  };
  const speak = (tag: string): void => void hear([tag]);
  const client = (token: string): Tillfront =>
    createTillfront({
      ...{ baseUrl, clientToken: token },
      onRetry: ({ offline }) => change({ retry: offline ? 'offline' : 'retrying' }),
    });

  const begin = async (signal: AbortSignal): Promise<void> => {
    const paymentId = /^crt_([A-Za-z0-9_]+)\./.exec(returnToken ?? '')?.[1];
    if (returnToken !== undefined && paymentId !== undefined) {
      const reader = client(returnToken);
      const isTheirs = await isOwn(reader, paymentId, clientToken);
      if (signal.aborted) return;
      if (!isTheirs) {
        const showOwed = (view: View, payment?: Payment): void => show(view, { owed: payment });
        await showPayment(reader, paymentId, { show: showOwed, result }, signal);
        return;
      }
    }
    const kit = client(clientToken);
    const showSession = (view: View, session?: CheckoutSession): void =>
      show(view, { session, owed: session });
    const flow = new CheckoutFlow(kit, { show: showSession, result, leave }, named ?? undefined);
    signal.addEventListener('abort', () => flow.stop());
    lead = { flow, kit };
    await flow.start();
  };

  const restart = (): void => {
    leaving.abort();
    leaving = new AbortController();
    lead = undefined;
    change({ view: { kind: 'loading' }, retry: undefined });
    begin(leaving.signal).catch(() => show({ kind: 'unavailable', reason: 'token' }, {}));
  };

  void hear(navigator.languages);
  restart();
  return {
    restart,
    refresh: () => void lead?.flow.refresh(),
    pause: () => leaving.abort(),
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
  // `cst_<session id>.<mac>`
  const session = /^cst_([^.]+)\./.exec(clientToken)?.[1];
  if (session === undefined) return false;
  try {
    return (await reader.payment(paymentId)).sessionId === session;
  } catch (error) {
    return error instanceof TillfrontError;
  }
}
