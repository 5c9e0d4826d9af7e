import type { JSX } from 'preact';
import type { ApprovalDto, SignInDto } from '../generated/api.js';
import { money } from './amounts.js';
import { NOTE } from './acts.js';
import { AskButton } from './ask.js';
import { List, type Column } from './list.js';
import { Badge, Loaded, Moment, Page, PaymentLink } from './parts.js';
import { useRead } from './reading.js';
import { answer } from './service.js';
import { useSession, type Question, type Session } from './session.js';
import { dateTime } from './times.js';
import { inWords, personOf } from './words.js';

const COLUMNS: readonly Column<ApprovalDto>[] = [
  ['Order', ({ paymentId, reference }) => <PaymentLink id={paymentId} name={reference} />],
  ['What', (approval) => refundWords(approval)],
  ['State', ({ state }) => <Badge kind={state}>{inWords(state)}</Badge>],
  ['Asked by', ({ askedBy }) => personOf(askedBy)],
  ['Decided by', ({ decidedBy }) => decidedBy && personOf(decidedBy)],
  ['Note', ({ note }) => note],
  ['When', ({ decidedAt, createdAt }) => <Moment at={decidedAt ?? createdAt} />, 'when'],
];

/** Refunds that wait for a second person, and all that were asked for. */
export function ApprovalsPage(): JSX.Element {
  const { service } = useSession();
  return (
    <Page title="Approvals" about="A refund listed here is sent only when a second person approves it.">
      <Waiting />
      <h3>All</h3>
      <List
        {...{ columns: COLUMNS, caption: 'Approvals, newest first', empty: 'None yet.', isFresh: true }}
        read={(at) => answer(service.GET('/v1/approvals', { params: { query: at } }))}
      />
    </Page>
  );
}

/** The refunds that wait, of all payments or of one, with the buttons that decide them or the reason why this key cannot. */
export function Waiting({ paymentId }: { paymentId?: string }): JSX.Element {
  const session = useSession();
  const query = { state: 'waiting', limit: '100', ...(paymentId && { paymentId }) } as const;
  const reading = useRead(() => answer(session.service.GET('/v1/approvals', { params: { query } })), true);
  const card = (approval: ApprovalDto): JSX.Element => {
    const { askedBy, reason, createdAt, expiresAt, reference, id } = approval;
    const words = refundWords(approval);
    const why = whyNot(askedBy, session.caller);
    const ask = { about: words, question: () => decision(session, approval, 'approve') };
    return (
      <section key={id} class="card stack alerting" aria-label={words}>
        <p class="strong">
          {words} for <PaymentLink id={approval.paymentId} name={reference} />
        </p>
        <p>
          Waits for a second person. Asked by {personOf(askedBy)} on {dateTime(createdAt)}, expires on{' '}
          {dateTime(expiresAt)}.
        </p>
        {reason !== null && <p>“{reason}”</p>}
        {why === undefined ? (
          <div class="buttons">
            <AskButton name="Approve" kind="primary" {...ask} />
            <AskButton
              name="Decline"
              kind=""
              {...ask}
              question={() => decision(session, approval, 'decline')}
            />
          </div>
        ) : (
          <p class="muted">{why}</p>
        )}
      </section>
    );
  };
  return <Loaded of={reading}>{({ data }) => <>{data.map(card)}</>}</Loaded>;
}

/** What an approval is for: `Refund of ₦750,000.00`. */
function refundWords({ amount, currency }: ApprovalDto): string {
  return `Refund of ${money(amount, currency)}`;
}

/** The question before a refund is decided about. */
function decision({ changes }: Session, approval: ApprovalDto, verb: 'approve' | 'decline'): Question {
  const words = refundWords(approval);
  const isApproval = verb === 'approve';
  return {
    title: `${inWords(verb)} the refund?`,
    text: [
      isApproval
        ? `${words} for ${approval.reference} is sent at once. It cannot be undone.`
        : 'Nothing is sent then.',
    ],
    fields: [{ ...NOTE, isOptional: true, hint: `Optional. ${NOTE.hint}` }],
    action: () => `${inWords(verb)} the refund of ${money(approval.amount, approval.currency)}`,
    run: async ({ note }) => {
      await changes.post(`approvals/${approval.id}/${verb}`, note ? { note } : {});
      return `${words}: ${isApproval ? 'approved and sent' : 'declined'}.`;
    },
  };
}

/** Why this key cannot decide; undefined if it can. */
function whyNot(askedBy: string, { access, actor }: SignInDto): string | undefined {
  if (access !== 'full') return 'This key can only read.';
  if (actor === 'merchant') return 'Sign in with a named key to decide.';
  if (askedBy === actor) return 'You asked for it: another person must approve it.';
  return undefined;
}
