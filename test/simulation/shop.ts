import type { Random } from '../chaos/random.ts';
import type { Attempt } from '../../src/merchant-webhooks/webhook-sender.ts';
import type { DeliveryWorkerParts } from '../../src/merchant-webhooks/delivery-worker.ts';
import type { PaymentDto } from '../../src/payments/views/payment.dto.ts';
import { spread } from './chance.ts';
import type { Replica } from './replica.ts';
import { theTime } from './virtual-time.ts';

/** What the shop hears: where events are delivered, and whether they come as they were promised. */

export interface Heard {
  id: string;
  type: string;
  sequence: number;
  timestamp: string;
  late?: boolean;
  operation?: { type: string; refundId?: string };
  data: PaymentDto & { status: string };
}

const ATTEMPT_TIMEOUT_MS = 15_000;

export class ShopEars {
  /** By the world's clock: until then it answers nobody. */
  awayUntil = 0;
  /** How many deliveries it does not answer as it should. */
  faults = 0;
  /** Each event that it has taken, by its id. */
  readonly taken = new Map<string, Heard>();
  /** By payment or session, in the order in which they were taken. */
  readonly byObject = new Map<string, Heard[]>();
  readonly #bodies = new Map<string, string>();
  #deliveries = 0;
  private readonly world: {
    randomOf: (name: string) => Random;
    blame: (what: string) => void;
    note: (what: string) => void;
    heard: (event: Heard) => void;
    /** What was told of the order was forgotten in part. */
    isLost: (reference: string) => boolean;
  };

  constructor(world: ShopEars['world']) {
    this.world = world;
  }

  sender(replica: Replica): NonNullable<DeliveryWorkerParts['sender']> {
    return {
      origin: 'https://shop.example',
      send: (event) => this.#send(replica, event),
      interrupt: () => undefined,
      close: () => Promise.resolve(),
    };
  }

  async #send(replica: Replica, { id, body }: { id: string; body: string }): Promise<Attempt> {
    const time = theTime();
    const random = this.world.randomOf(`delivery ${++this.#deliveries}`);
    if (replica.passes('webhook', 'before')) return new Promise(() => undefined);
    await time.pause(spread(random, 1, 100));
    if (time.now < this.awayUntil) return { kind: 'failed', reason: 'unreachable' };
    const fate = random.chance(this.faults)
      ? random.pick(['500', 'silence', 'reset', 'lost'] as const)
      : 'ok';
    if (fate === 'lost') return { kind: 'failed', reason: 'no_answer' };
    if (fate === '500') return { kind: 'answered', status: 500 };
    this.#take(id, body);
    if (replica.passes('webhook', 'after')) return new Promise(() => undefined);
    if (fate === 'silence') {
      await time.pause(ATTEMPT_TIMEOUT_MS);
      return { kind: 'failed', reason: 'timeout' };
    }
    await time.pause(spread(random, 1, random.chance(this.faults) ? 14_000 : 100));
    return fate === 'reset' ? { kind: 'failed', reason: 'no_answer' } : { kind: 'answered', status: 200 };
  }

  #take(id: string, body: string): void {
    const known = this.#bodies.get(id);
    if (known !== undefined) {
      if (known !== body) this.world.blame(`the event ${id} came again with another content`);
      return;
    }
    this.#bodies.set(id, body);
    const event = JSON.parse(body) as Heard;
    this.taken.set(id, event);
    // A difference is told of for itself.
    if (event.type.startsWith('difference.')) return;
    const of = event.data.id;
    const before = this.byObject.get(of) ?? [];
    const last = before.at(-1)?.sequence ?? 0;
    if (event.sequence !== last + 1 && !this.world.isLost(event.data.reference))
      this.world.blame(`${event.type} of ${of} came as number ${event.sequence} after number ${last}`);
    this.byObject.set(of, [...before, event]);
    this.world.heard(event);
  }
}
