import type { ComponentChildren, VNode } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';
import { followRedirect, redirectAddress } from '../kit/follow-redirect.js';
import type { NextAction, Payment, RedirectAction } from '../kit/types.js';
import { useCheckout } from './context.js';
import type { MessageKey } from './messages.js';
import { Button, Copy, Heading, Notice, Progress, refusalText, Sum } from './parts.js';
import type { Refusal } from './refusal.js';
import type { RedirectStage } from './view.js';

/** What a payer has to do elsewhere, while the page waits for it. */

interface WaitingProps<T extends NextAction['type']> {
  payment: Payment;
  action: Extract<NextAction, { type: T }>;
}

/** Cancels the payment, if the gateway still allows it. `isHeld`: not while something else is being sent. */
export function Cancel({ payment, isHeld = false }: { payment: Payment; isHeld?: boolean }): VNode {
  const { language, flow } = useCheckout();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const cancel = async (): Promise<void> => {
    if (isHeld) return;
    setBusy(true);
    setRefusal(undefined);
    const why = await flow?.cancel(payment);
    setBusy(false);
    setRefusal(why);
  };
  return (
    <>
      <Button kind="quiet" isBusy={isBusy} press={() => void cancel()}>
        {language.t('cancel')}
      </Button>
      <Progress isBusy={isBusy} />
      <Notice>{refusal && refusalText(language, refusal)}</Notice>
    </>
  );
}

/** The payer has to go to their bank's or wallet's page, is on the way there, or came back without a result. */
export function RedirectView({
  payment,
  action,
  stage,
}: WaitingProps<'redirect'> & { stage: RedirectStage }): VNode {
  const { flow, isStuck, language } = useCheckout();
  const { t } = language;
  const isReturned = stage === 'returned';
  const title: MessageKey = isReturned ? 'confirming.title' : 'redirect.title';
  const elsewhere = payment.method === 'wallet' ? 'redirect.wallet' : 'redirect.card';
  const kind = isReturned ? 'quiet' : 'primary';
  return (
    <Waiting
      payment={payment}
      title={t(title)}
      help={t(isReturned ? 'redirect.returned' : elsewhere)}
      progress={stage === 'leaving' && !isStuck && 'redirect.leaving'}
      isOutcome={isReturned}
      action={
        isStuck ? (
          <Away action={action} label={t('continue')} />
        ) : (
          <Button kind={kind} press={() => flow?.go(action)}>
            {t('continue')}
          </Button>
        )
      }
    />
  );
}

/** The way to the bank in a window of its own, where the page around the frame may not be left. */
function Away({ action, label }: { action: RedirectAction; label: string }): VNode {
  if (action.method === 'GET')
    return (
      <a class="primary" href={redirectAddress(action)} target="_blank" rel="noopener">
        {label}
      </a>
    );
  return (
    <Button kind="primary" press={() => followRedirect(action, '_blank')}>
      {label}
    </Button>
  );
}

/** The account to transfer to, for as long as it accepts money. */
export function TransferView({ payment, action }: WaitingProps<'transfer'>): VNode {
  const { language, say } = useCheckout();
  const { t } = language;
  const { bankName, accountNumber, accountName, amount, expiresAt } = action;
  const { currency } = payment;
  return (
    <Waiting
      payment={payment}
      title={say({ text: 'transfer.title', amounts: { amount } }, currency)}
      help={t('transfer.instruction')}
      progress="transfer.waiting"
    >
      <dl class="account">
        <Row label={t('transfer.bank')}>{bankName}</Row>
        <Row
          label={t('transfer.accountNumber')}
          copy={<Copy text={accountNumber} name="copy.accountNumber" />}
        >
          <bdi>{accountNumber}</bdi>
        </Row>
        {accountName !== null && <Row label={t('transfer.accountName')}>{accountName}</Row>}
        <Row label={t('transfer.amount')} copy={<Copy text={amount} name="copy.amount" />}>
          <Sum amount={amount} currency={currency} />
        </Row>
      </dl>
      {expiresAt !== undefined && <TimeLeft end={Date.parse(expiresAt)} />}
    </Waiting>
  );
}

/** The code to dial. */
export function UssdView({ payment, action }: WaitingProps<'ussd'>): VNode {
  const { t } = useCheckout().language;
  const { code, bankName } = action;
  return (
    <Waiting {...{ payment, title: t('ussd.title'), help: t('ussd.instruction') }} progress="ussd.waiting">
      {bankName !== undefined && <p>{bankName}</p>}
      <div class="ussd">
        <bdi class="value" dir="ltr">
          {code}
        </bdi>
        <Copy text={code} name="copy.code" />
      </div>
      {/* An unescaped # would begin the address's fragment. */}
      <a class="plain" href={`tel:${code.replaceAll('#', '%23')}`}>
        {t('ussd.dial', { code: `\u2066${code}\u2069` })}
      </a>
    </Waiting>
  );
}

/** A question of the bank's that this page cannot ask. The payer can only take another way. */
export function UnsupportedView({ payment }: { payment: Payment }): VNode {
  const { t } = useCheckout().language;
  return <Waiting {...{ payment, title: t('unsupported.title'), help: t('unsupported.instruction') }} />;
}

/** What to do, what goes on, and the ways on from here. */
function Waiting(props: {
  payment: Payment;
  title: string;
  help: string;
  progress?: MessageKey | false;
  /** Before the button that cancels. */
  action?: VNode;
  isOutcome?: boolean;
  children?: ComponentChildren;
}): VNode {
  const { payment, title, help, progress, action, isOutcome = false, children } = props;
  const { t } = useCheckout().language;
  const id = useId();
  return (
    <div class={isOutcome ? 'view outcome waiting' : 'view'}>
      {isOutcome && <span class="ring" aria-hidden="true" />}
      <Heading about={id}>{title}</Heading>
      <p id={id} class="help">
        {help}
      </p>
      {children}
      {progress && (
        <p class="progress" role="status">
          {t(progress)}
        </p>
      )}
      <div class="actions">
        {action}
        <Cancel payment={payment} />
      </div>
    </div>
  );
}

function Row({ label, copy, children }: { label: string; copy?: VNode; children: ComponentChildren }): VNode {
  return (
    <div class="row">
      <dt>{label}</dt>
      <dd>
        <span class="value">{children}</span>
        {copy}
      </dd>
    </div>
  );
}

/** The remaining time. Assistive technology reads it on request, and announces when it is over. */
function TimeLeft({ end }: { end: number }): VNode | null {
  const { language, now, announce } = useCheckout();
  const { t } = language;
  const secondsLeft = (): number => Math.max(0, Math.ceil((end - (now() ?? Number.NaN)) / 1000));
  const [seconds, setSeconds] = useState(secondsLeft);
  useEffect(() => {
    const timer = setInterval(() => setSeconds(secondsLeft()), 1_000);
    return () => clearInterval(timer);
  }, [end]);
  useEffect(() => {
    if (seconds === 0) announce(t('transfer.timeUp'));
  }, [seconds === 0]);
  if (Number.isNaN(seconds)) return null;
  const parts = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts.slice(seconds < 3_600 ? 1 : 0).map((part) => String(part).padStart(2, '0'));
  return (
    <p class="time">
      {seconds > 0 ? t('transfer.timeLeft', { time: shown.join(':') }) : t('transfer.timeUp')}
    </p>
  );
}
