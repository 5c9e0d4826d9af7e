import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { ApprovalDto } from '../generated/api.js';
import { Ask } from './ask.js';
import { Note } from './fields.js';
import { List, type Column } from './list.js';
import { Badge, Moment } from './parts.js';
import { useList } from './reading.js';
import { hrefOf } from './route.js';
import { answer, type Caller } from './service.js';
import { mayAct, useSession } from './session.js';
import { dateTime, shortTime } from './times.js';
import { APPROVAL_WORDS, approvalWords, personOf } from './words.js';

const FRESH_SECONDS = 15;

const COLUMNS: readonly Column<ApprovalDto>[] = [
  { name: 'What', show: (approval) => <a href={hrefOf(`payments/${approval.paymentId}`)}>{approvalWords(approval)}</a> },
  { name: 'Order', show: ({ reference }) => reference },
  {
    name: 'Outcome',
    show: ({ state, decidedBy }) => (
      <>
        <Badge kind={state === 'approved' ? 'succeeded' : 'failed'}>{APPROVAL_WORDS[state]}</Badge>
        {decidedBy !== null && <small>by {personOf(decidedBy)}</small>}
      </>
    ),
  },
  { name: 'Asked by', show: ({ askedBy }) => personOf(askedBy) },
  { name: 'Note', show: ({ note }) => note },
  {
    ...{ name: 'When', kind: 'when' },
    show: ({ decidedAt, expiresAt }) => <Moment at={decidedAt ?? expiresAt} as={shortTime} />,
  },
];

/** Refunds that wait for a second person, and those that were decided. */
export function ApprovalsPage(): JSX.Element {
  const { service, announce } = useSession();
  const waiting = useList(
    () => answer(service.GET('/v1/approvals', { params: { query: { state: 'waiting', limit: '100' } } })),
    [],
    FRESH_SECONDS,
  );
  const all = useList(
    (cursor) => answer(service.GET('/v1/approvals', { params: { query: cursor ? { cursor } : {} } })),
    [],
    FRESH_SECONDS,
  );
  const decided = all.value?.filter(({ state }) => state !== 'waiting');
  const told = (words: string): void => {
    announce(words);
    void waiting.again();
    void all.again();
  };
  return (
    <section class="stack" aria-label="Approvals">
      <h2 tabIndex={-1}>Approvals</h2>
      <p class="muted">A refund listed here is sent only when a second person approves it.</p>
      <h3>Waiting</h3>
      {waiting.value?.length === 0 && <p class="muted">Nothing waits for approval.</p>}
      {waiting.value?.map((approval) => (
        <ApprovalCard key={approval.id} approval={approval} decided={told} />
      ))}
      <h3>Decided</h3>
      <List
        {...{ columns: COLUMNS, caption: 'Approvals that were decided', empty: 'None yet.' }}
        listing={{ ...all, value: decided }}
      />
    </section>
  );
}

interface ApprovalProps {
  approval: ApprovalDto;
  /** Gets what happened, in words. */
  decided: (words: string) => void;
}

/** One refund that waits, with the buttons that decide it or the reason why this key cannot. */
export function ApprovalCard({ approval, decided }: ApprovalProps): JSX.Element {
  const { caller } = useSession();
  const [asked, ask] = useState<Decision>();
  const { askedBy, reason, createdAt, expiresAt, reference, paymentId } = approval;
  const words = approvalWords(approval);
  const why = whyNot(approval, caller);
  const button = (decision: Decision, kind = ''): JSX.Element => (
    <button type="button" class={kind} aria-label={`${LABELS[decision]} ${words}`} onClick={() => ask(decision)}>
      {LABELS[decision]}
    </button>
  );
  return (
    <section class="card stack alerting" aria-label={words}>
      <h4>
        {words} for <a href={hrefOf(`payments/${paymentId}`)}>{reference}</a>
      </h4>
      <p>
        Waits for a second person. {personOf(askedBy)} asked on {dateTime(createdAt)}. It expires on{' '}
        {dateTime(expiresAt)}.
      </p>
      {reason !== null && <p>“{reason}”</p>}
      {why === undefined ? (
        <div class="buttons">
          {button('approve', 'primary')}
          {button('decline')}
        </div>
      ) : (
        <p class="muted">{why}</p>
      )}
      {asked && <Decide {...{ approval, decided, decision: asked }} close={() => ask(undefined)} />}
    </section>
  );
}

type Decision = 'approve' | 'decline';
const LABELS: Record<Decision, string> = { approve: 'Approve', decline: 'Decline' };

/** Why this key cannot decide; undefined if it can. Pure. */
export function whyNot({ askedBy }: Pick<ApprovalDto, 'askedBy'>, caller: Caller): string | undefined {
  if (!mayAct(caller)) return 'This key can only read.';
  if (caller.actor === 'merchant') return 'Sign in with a named key to decide.';
  if (askedBy === caller.actor) return 'You asked for it: another person must approve it.';
  return undefined;
}

function Decide({ approval, decided, decision, close }: ApprovalProps & { decision: Decision; close: () => void }): JSX.Element {
  const { service, changes } = useSession();
  const [note, setNote] = useState('');
  const words = approvalWords(approval);
  const { id, reference } = approval;
  const run = async (): Promise<void> => {
    const body = note.trim() === '' ? {} : { note: note.trim() };
    await changes.make(`approvals/${id}/${decision}`, body, (header) => {
      const options = { params: { path: { id }, header }, body };
      return answer(
        decision === 'approve'
          ? service.POST('/v1/approvals/{id}/approve', options)
          : service.POST('/v1/approvals/{id}/decline', options),
      );
    });
    decided(decision === 'approve' ? `${words} approved and sent.` : `${words} declined.`);
  };
  return (
    <Ask
      {...{ run, close, title: `${LABELS[decision]} the refund?`, action: `${LABELS[decision]} ${words.toLowerCase().slice(0, 1)}${words.slice(1)}` }}
      sure={decision === 'approve' ? `${words} of ${reference} is sent at once. It cannot be undone.` : undefined}
    >
      <p>{decision === 'approve' ? `${words} of ${reference}.` : 'Nothing is sent then.'}</p>
      <Note
        {...{ label: 'Note', name: 'note', value: note, change: setNote }}
        hint="Optional. Write no card or personal data."
      />
    </Ask>
  );
}
