import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import type { Payment } from '../kit/types.js';
import { brandName } from './card-brands.js';
import { useCheckout } from './context.js';
import { chargeOf, outcomeOf } from './outcome.js';
import { Button, Heading, Icon, Panel, Sentences } from './parts.js';
import type { EndReason, UnavailableReason } from './view.js';

/** How a payment or a session ended, as far as it is known. */

export function OutcomeView({ payment }: { payment: Payment }): VNode {
  const { flow, session, language, tryAnother } = useCheckout();
  const { t } = language;
  const { icon, title, sentences } = outcomeOf(payment, session);
  const { card, currency, status, method } = payment;
  const isPaid = status === 'succeeded' || status === 'authorized';
  // Who has perhaps paid is not asked to pay again.
  const mayPay = flow !== undefined && !isPaid && session?.status === 'open' && icon !== 'waiting';
  return (
    <Panel icon={icon} title={title} about={<Sentences all={sentences} currency={currency} />}>
      {title === 'success.title' && card !== null && (
        <p class="help">{t('success.card', { brand: brandName(card.brand), last4: card.last4 })}</p>
      )}
      {mayPay && (
        <Button kind="primary" press={() => tryAnother(method)}>
          {t('tryAnother')}
        </Button>
      )}
      <BackLink payment={payment} kind={isPaid ? 'primary' : 'quiet'} />
    </Panel>
  );
}

/** That a payment failed, and why. The form to pay again is below it. */
export function DeclinedNews({ payment }: { payment: Payment }): VNode {
  const { language, session, tryAnother } = useCheckout();
  const { title, sentences } = outcomeOf(payment, session);
  const id = useId();
  return (
    <div class="declined">
      <Icon name="bad" />
      <div>
        <Heading about={id}>{language.t(title)}</Heading>
        <div id={id}>
          <Sentences all={sentences} currency={payment.currency} />
        </div>
      </div>
      <Button kind="quiet" press={() => tryAnother(payment.method)}>
        {language.t('tryAnother')}
      </Button>
    </div>
  );
}

/** No further payment is possible here. */
export function EndedView({ reason }: { reason: EndReason }): VNode {
  const { language, session } = useCheckout();
  const { t } = language;
  const isPaid = reason === 'paid';
  const charge = session && !isPaid ? chargeOf(session) : [];
  const about = (
    <>
      <p>{t(isPaid ? 'paidAlready' : `ended.${reason}`)}</p>
      <Sentences all={charge} currency={session?.currency ?? ''} />
      {/* Who has perhaps paid is not asked to pay again. */}
      {!isPaid && !charge.some(({ text }) => text === 'ifSent.any') && <p>{t('ended.way')}</p>}
    </>
  );
  return (
    <Panel icon={isPaid ? 'good' : 'neutral'} title={isPaid ? 'success.title' : 'ended.title'} about={about}>
      <BackLink kind="primary" />
    </Panel>
  );
}

/** The session could not be read. */
export function UnavailableView({ reason }: { reason: UnavailableReason }): VNode {
  const { language, restart } = useCheckout();
  const { t } = language;
  return (
    <Panel icon="neutral" title="unavailable.title" about={<p>{t(`unavailable.${reason}`)}</p>}>
      {reason === 'connection' && (
        <Button kind="primary" press={restart}>
          {t('tryAgain')}
        </Button>
      )}
    </Panel>
  );
}

interface BackLinkProps {
  payment?: Payment;
  kind: 'primary' | 'quiet' | 'plain';
}

/** The way back to the shop, if the session has one. Inside a frame the whole page goes back. */
export function BackLink({ payment, kind }: BackLinkProps): VNode | null {
  const { session, shop, language } = useCheckout();
  if (!session?.returnUrl) return null;
  const url = new URL(session.returnUrl);
  if (!/^https?:$/.test(url.protocol)) return null;
  const news = payment && new URLSearchParams({ payment: payment.id, status: payment.status });
  // The shop's own query stays as it is, byte for byte.
  if (news) url.search = url.search === '' ? `?${news}` : `${url.search}&${news}`;
  return (
    <a class={kind} href={url.href} target="_top">
      {shop === undefined ? language.t('backToShop') : language.t('backToName', { name: shop })}
    </a>
  );
}
