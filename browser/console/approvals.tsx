import type { JSX } from 'preact';
import type { ApprovalDto, SignInDto } from '../generated/api.js';
import { decisionQuestion } from './acts.js';
import { List, type Column } from './list.js';
import { Badge, Moment, Page } from './parts.js';
import { useList } from './reading.js';
import { hrefOf } from './route.js';
import { answer } from './service.js';
import { useSession } from './session.js';
import { dateTime } from './times.js';
import { APPROVAL_WORDS, approvalWords, personOf } from './words.js';

const COLUMNS: readonly Column<ApprovalDto>[] = [
  ['What', (approval) => <a href={hrefOf(`payments/${approval.paymentId}`)}>{approvalWords(approval)}</a>],
  ['Order', ({ reference }) => reference],
  [
    'Outcome',
    ({ state }) => (
      <Badge kind={state === 'approved' ? 'succeeded' : 'failed'}>{APPROVAL_WORDS[state]}</Badge>
    ),
  ],
  ['Asked by', ({ askedBy }) => personOf(askedBy)],
  ['Decided by', ({ decidedBy }) => decidedBy && personOf(decidedBy)],
  ['Note', ({ note }) => note],
  ['When', ({ decidedAt, expiresAt }) => <Moment at={decidedAt ?? expiresAt} />, 'when'],
];

/** Refunds that wait for a second person, and those that were decided. */
export function ApprovalsPage(): JSX.Element {
  const { service } = useSession();
  const waiting = useList(
    (at) => answer(service.GET('/v1/approvals', { params: { query: { state: 'waiting', ...at } } })),
    [],
    true,
  );
  const all = useList((at) => answer(service.GET('/v1/approvals', { params: { query: at } })), [], true);
  const again = async (): Promise<void> => {
    await Promise.all([waiting.again(), all.again()]);
  };
  const decided = { ...all, value: all.value?.filter(({ state }) => state !== 'waiting') };
  return (
    <Page title="Approvals">
      <p class="muted">A refund listed here is sent only when a second person approves it.</p>
      <h3>Waiting</h3>
      {waiting.value?.length === 0 && <p class="muted">Nothing waits for approval.</p>}
      {waiting.value?.map((approval) => (
        <ApprovalCard key={approval.id} {...{ approval, again }} />
      ))}
      <h3>Decided</h3>
      <List
        {...{
          columns: COLUMNS,
          listing: decided,
          caption: 'Approvals that were decided',
          empty: 'None yet.',
        }}
      />
    </Page>
  );
}

/** One refund that waits, with the buttons that decide it or the reason why this key cannot. */
export function ApprovalCard({
  approval,
  again,
}: {
  approval: ApprovalDto;
  again: () => Promise<void>;
}): JSX.Element {
  const session = useSession();
  const { askedBy, reason, createdAt, expiresAt, reference, paymentId } = approval;
  const words = approvalWords(approval);
  const why = whyNot(askedBy, session.caller);
  const press = (decision: 'approve' | 'decline'): void => {
    session.ask(decisionQuestion(session, approval, decision), again);
  };
  return (
    <section class="card stack alerting" aria-label={words}>
      <p class="strong">
        {words} for <a href={hrefOf(`payments/${paymentId}`)}>{reference}</a>
      </p>
      <p>
        Waits for a second person. Asked by {personOf(askedBy)} on {dateTime(createdAt)}, expires on{' '}
        {dateTime(expiresAt)}.
      </p>
      {reason !== null && <p>“{reason}”</p>}
      {why === undefined ? (
        <div class="buttons">
          <button
            type="button"
            class="primary"
            aria-label={`Approve ${words}`}
            onClick={() => press('approve')}
          >
            Approve
          </button>
          <button type="button" aria-label={`Decline ${words}`} onClick={() => press('decline')}>
            Decline
          </button>
        </div>
      ) : (
        <p class="muted">{why}</p>
      )}
    </section>
  );
}

/** Why this key cannot decide; undefined if it can. Pure. */
export function whyNot(
  askedBy: string,
  { access, actor }: Pick<SignInDto, 'access' | 'actor'>,
): string | undefined {
  if (access !== 'full') return 'This key can only read.';
  if (actor === 'merchant') return 'Sign in with a named key to decide.';
  if (askedBy === actor) return 'You asked for it: another person must approve it.';
  return undefined;
}
