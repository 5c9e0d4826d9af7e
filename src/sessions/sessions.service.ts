import { Inject, Injectable } from '@nestjs/common';
import type { Config } from '../config/config.js';
import { CONFIG } from '../config/config.module.js';
import { PROFILE } from '../gateway/gateway.module.js';
import type { Profile } from '../gateway/profile/format.js';
import { Problem } from '../http/problems/problem.js';
import type { KeyedRequest } from '../idempotency/idempotency.js';
import { KeyedWriter } from '../idempotency/keyed-writer.js';
import { newId } from '../store/ids.js';
import type { Billing, EventRecord, Payer, PaymentMethod, SessionRecord } from '../store/schema.js';
import { Store } from '../store/store.js';
import type { Snapshot } from '../store/payment-writer.js';
import { moveSession } from './move-session.js';
import { NO_HASHES, payerHashes, type PayerHashes } from './payer-hashes.js';
import { assertReferenceFits, assertReferenceFree, isOverdue } from './session-guards.js';
import { SessionsRepository } from './sessions.repository.js';
import { TypedTexts } from './typed-texts.js';

export interface NewSession {
  reference: string;
  /** Minor units. */
  amount: bigint;
  currency: string;
  payer: Payer | null;
  billing: Billing | null;
  returnUrl: string | null;
  methods: PaymentMethod[];
  expiresInSeconds: number;
  metadata: Record<string, string>;
  /** A BCP 47 tag. */
  locale: string | null;
}

/** A session that a request made, now or earlier under the same key. */
export interface MadeSession {
  session: SessionRecord;
  replayed: boolean;
}

/** The latest session of the reference changed between reading and writing: read again. */
class Outrun extends Error {}

const MAX_TRIES = 5;

/** Makes, ends and redacts sessions: what is owed, and until when. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly store: Store,
    private readonly keyed: KeyedWriter,
    private readonly repository: SessionsRepository,
    private readonly texts: TypedTexts,
    @Inject(CONFIG) private readonly config: Config,
    @Inject(PROFILE) private readonly profile: Profile,
  ) {}

  /** Makes a session, unless the reference has one that is open or paid, or a payment in progress. */
  async create(wanted: NewSession, request: KeyedRequest): Promise<MadeSession> {
    for (let tries = 0; ; tries += 1) {
      const last = await this.lastOf(wanted.reference);
      if (last?.status === 'open' && last.expiresAt < this.store.clock.now()) await this.expire(last);
      try {
        return await this.tryCreate(wanted, request, last?.id);
      } catch (error) {
        if (!(error instanceof Outrun) || tries >= MAX_TRIES) throw error;
      }
    }
  }

  /** Closes an open session for good: no payment can be started any more. */
  async close(id: string, request: KeyedRequest): Promise<MadeSession> {
    const found = await this.mustFind(id);
    return this.writeKeyed(found, request, (snapshot, session, now) => {
      assertNothingLive(snapshot);
      const moved = session.status === 'open' ? this.move(session, 'closed', now) : undefined;
      if (!moved) throw new Problem('invalid-state', `A session that is ${session.status} cannot be closed.`);
      return moved;
    });
  }

  /**
   * Erases the payer's data of a session and of its notifications, and what people typed about its payments; amounts, references and
   * timelines stay.
   */
  async redact(id: string, request: KeyedRequest): Promise<MadeSession> {
    const found = await this.mustFind(id);
    const replay = await this.replayOf(found, request, assertNothingLive);
    if (replay) return replay;
    // The rest first: after a crash in between, the session still counts as not redacted.
    await this.repository.eraseNotifications(found);
    await this.texts.erase(found);
    return this.writeKeyed(found, request, (snapshot, session, now) => {
      assertNothingLive(snapshot);
      return { session: redacted(session, now) };
    });
  }

  /** Erases the payer data of a finished session whose retention has ended. */
  async redactKept(session: SessionRecord): Promise<void> {
    await this.repository.eraseNotifications(session);
    await this.texts.erase(session);
    await this.store.writer.write({ reference: session.reference, sessionId: session.id }, (snapshot) => ({
      changes: snapshot.session ? { session: redacted(snapshot.session, this.store.clock.now()) } : {},
      result: undefined,
    }));
  }

  /**
   * Expires an open session whose time is over, unless a payment is live. That is announced unless the reference is paid. Returns it as
   * it then stands.
   */
  async expire(session: SessionRecord): Promise<SessionRecord> {
    return this.store.writer.write(
      { reference: session.reference, sessionId: session.id },
      ({ session: current, reference }) => {
        const now = this.store.clock.now();
        if (!current || !isOverdue(current, reference, now))
          return { changes: {}, result: current ?? session };
        const moved = this.move(current, 'expired', now);
        if (!moved) return { changes: {}, result: current };
        // The shop has heard that the order is paid, by a payment of another session. That this one expires is no news to it.
        if (reference.paidPaymentIds.length > 0) {
          const expired = { ...moved.session, eventSequence: current.eventSequence };
          return { changes: { session: expired }, result: expired };
        }
        return { changes: { session: moved.session, events: moved.events }, result: moved.session };
      },
    );
  }

  private async tryCreate(
    wanted: NewSession,
    request: KeyedRequest,
    lastId: string | undefined,
  ): Promise<MadeSession> {
    const look = { reference: wanted.reference, createReference: true, sessionId: lastId };
    const made = await this.keyed.write<SessionRecord | { replayOf: string }>(request, look, {
      replay: ({ idempotency }) => ({ replayOf: idempotency?.sessionId ?? '' }),
      decide: (snapshot, now) => {
        if ((snapshot.reference.sessionId ?? undefined) !== lastId) throw new Outrun();
        assertReferenceFree(snapshot.session, snapshot.reference, now);
        assertReferenceFits(snapshot.reference, this.profile.reference);
        const hashes = payerHashes(wanted.payer, this.config.keys.secretKeys.unwrap()[0] ?? '');
        const session = newSession(wanted, hashes, now);
        return {
          changes: { reference: { ...snapshot.reference, sessionId: session.id }, session },
          result: session,
          made: { sessionId: session.id, sessionExpiresAt: session.expiresAt },
        };
      },
    });
    return 'replayOf' in made
      ? { session: await this.mustFind(made.replayOf), replayed: true }
      : { session: made, replayed: false };
  }

  /** Checks the request's key before anything else. A new key must pass `check`. */
  private replayOf(
    found: SessionRecord,
    request: KeyedRequest,
    check: (snapshot: Snapshot) => void,
  ): Promise<MadeSession | undefined> {
    return this.keyed.write<MadeSession | undefined>(request, lookAt(found), {
      replay: ({ session = found }) => ({ session, replayed: true }),
      decide: (snapshot) => {
        check(snapshot);
        return { changes: {}, result: undefined };
      },
    });
  }

  private async writeKeyed(
    found: SessionRecord,
    request: KeyedRequest,
    decide: (
      snapshot: Snapshot,
      session: SessionRecord,
      now: number,
    ) => { session: SessionRecord; events?: EventRecord[] },
  ): Promise<MadeSession> {
    return this.keyed.write<MadeSession>(request, lookAt(found), {
      replay: ({ session = found }) => ({ session, replayed: true }),
      decide: (snapshot, now) => {
        const { session = found } = snapshot;
        const changes = decide(snapshot, session, now);
        return {
          changes,
          result: { session: changes.session, replayed: false },
          made: { sessionId: session.id, sessionExpiresAt: session.expiresAt },
        };
      },
    });
  }

  private move(
    session: SessionRecord,
    to: 'expired' | 'closed',
    at: number,
  ): { session: SessionRecord; events: EventRecord[] } | undefined {
    const moved = moveSession(session, {
      to,
      closedReason: to === 'closed' ? 'merchant' : null,
      at,
      livemode: this.config.gateway.mode === 'live',
      epoch: this.store.epoch.number,
      deliver: this.config.merchant.webhookUrl !== undefined,
    });
    return moved && { session: moved.session, events: [moved.event] };
  }

  private async lastOf(reference: string): Promise<SessionRecord | undefined> {
    const id = await this.repository.lastSessionId(reference);
    return id === undefined ? undefined : this.repository.find(id);
  }

  private async mustFind(id: string): Promise<SessionRecord> {
    const session = await this.repository.find(id);
    if (!session) throw new Problem('not-found', 'There is no such session.');
    return session;
  }
}

function lookAt({ reference, id }: SessionRecord): { reference: string; sessionId: string } {
  return { reference, sessionId: id };
}

function assertNothingLive({ reference }: Snapshot): void {
  const [live] = reference.livePaymentIds;
  if (live !== undefined) {
    throw new Problem('payment-in-progress', 'A payment for this reference is in progress.', {
      paymentId: live,
    });
  }
}

function redacted(session: SessionRecord, at: number): SessionRecord {
  return {
    ...session,
    payer: null,
    billing: null,
    ...NO_HASHES,
    redactedAt: at,
    updatedAt: Math.max(at, session.updatedAt),
  };
}

function newSession(wanted: NewSession, hashes: PayerHashes, now: number): SessionRecord {
  const { expiresInSeconds, ...owed } = wanted;
  return {
    id: newId('cs'),
    ...owed,
    status: 'open',
    closedReason: null,
    declines: 0,
    eventSequence: 0,
    expiresAt: now + expiresInSeconds * 1000,
    createdAt: now,
    updatedAt: now,
    finishedAt: null,
    redactedAt: null,
    ...hashes,
  };
}
