import { createParamDecorator, Inject, Injectable, type ExecutionContext } from '@nestjs/common';
import { actorOf, callerOf, clientSession, type RequestWithCaller } from '../auth/caller.js';
import { keyedCall, type KeyedCall } from '../auth/keyed-call.js';
import { CONFIG, type Config } from '../config/config.js';
import { Gateway } from '../gateway/gateway.js';
import type { MethodName } from '../gateway/method-fields.js';
import { addressGroup, clientAddress } from '../http/address.js';
import { Problem, validationFailed } from '../http/problems/problem.js';
import { CardTesting } from '../payments/card-testing.js';
import { newKey } from '../payments/api/keyed.js';
import type { Billing, Card, Payer } from '../payments/core/payment.js';
import { Engine, type Performed } from '../payments/engine.js';
import type { Details } from '../payments/asks.js';
import { holderFrom } from '../sessions/payer-details.js';
import { OpenSessions } from '../sessions/open-sessions.js';
import { newId } from '../store/ids.js';

/** A payer's call that starts a payment. */
export interface StartCall {
  sessionId: string;
  call: KeyedCall;
  /** The payer's address, as the gateway may get it. */
  address: string;
  userAgent: string | undefined;
}

/** A function, so that a body that is not valid is refused before a key that is missing. */
export type ReadStartCall = () => StartCall;

export const Starting = createParamDecorator((_: unknown, context: ExecutionContext): ReadStartCall => {
  const request = context.switchToHttp().getRequest<RequestWithCaller>();
  return () => ({
    sessionId: clientSession(callerOf(request)),
    call: keyedCall(request),
    address: clientAddress(request),
    userAgent: request.headers['user-agent'],
  });
});

/** What one method sends besides what every payment has. */
export interface Start {
  method: MethodName;
  given: { payer?: Payer | undefined; billing?: Billing | undefined };
  details: Pick<Details, 'card' | 'device' | 'bankCode'>;
  card: Card | null;
  /** What requests are compared by: without cvv and PIN. */
  content: object;
  /** Why a new request is refused, though a repeated one is answered. */
  refusal?: Problem | undefined;
}

/** Starts payments by every method. */
@Injectable()
export class Starter {
  constructor(
    private readonly sessions: OpenSessions,
    private readonly engine: Engine,
    private readonly gateway: Gateway,
    private readonly cardTesting: CardTesting,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async start({ sessionId, call, address }: StartCall, start: Start): Promise<Performed> {
    const { stored, session } = await this.sessions.ofToken(sessionId, { toDecide: true });
    const { method, given, card } = start;
    if (!session.methods.includes(method) || !this.config.payments.methods.includes(method))
      throw validationFailed([
        { pointer: '', message: `must be a payment by a method of the session, not ${method}` },
      ]);
    const fields = this.gateway.methodFields(method);
    const details: Details = { ...start.details, ...holderFrom(session, given, fields), payerIp: address };
    return this.engine.perform({
      reference: stored.reference,
      command: { do: 'pay', session: sessionId, payment: newId('pay'), operation: newId('op'), method, card },
      actor: actorOf({ kind: 'client', sessionId }),
      key: newKey(call, start.content, this.config),
      details,
      admit: ({ order }) => {
        this.admit(start, address);
        const found = order?.sessions.find(({ id }) => id === sessionId);
        // Another replica may have erased who pays.
        if (found && found !== session) Object.assign(details, holderFrom(found, given, fields));
      },
    });
  }

  /** What only a new payment must pass. */
  private admit({ refusal, card }: Start, address: string): void {
    if (this.config.payments.holdNewPayments)
      throw new Problem('payments-held', 'The merchant takes no new payments right now.', {
        retryAfterSeconds: 60,
      });
    if (refusal) throw refusal;
    if (card) this.cardTesting.refuse(addressGroup(address), card.hash);
  }
}
