import { pause, type Reply } from '../chaos/calls.ts';

/** Approved at once, and approved a moment later, which the gateway's notification tells. */
const CARDS = ['4111111111111111', '4000000000001109'];
/** Nothing was done, and the same call may be made again. */
const AGAIN = ['store-unavailable', 'shutting-down', 'overloaded', 'payments-held', 'rate-limited'];
/** Longer than any fault lasts; where one is made to last, its drill says for how long. */
const STUCK_MS = 240_000;

let orders = 0;

/** Where they buy. */
interface Shop {
  session(reference: string, key: string): Promise<Reply>;
  pay(token: string, key: string, number: string): Promise<Reply>;
}

/** Payers who buy one order after the other, and repeat each call under its key until it is answered. */
export class Load {
  /** What each order's payment was answered with. */
  readonly answered = new Map<string, { id: string; status: string }>();
  /** Answers that nobody should see. */
  readonly surprises: string[] = [];
  #going = true;
  #abandoned = false;
  readonly #buyers: Promise<void>[];
  readonly #bench: Shop;
  readonly #stuckMs: number;

  constructor(bench: Shop, buyers: number, stuckMs = STUCK_MS) {
    this.#bench = bench;
    this.#stuckMs = stuckMs;
    this.#buyers = Array.from({ length: buyers }, () => this.#buyOn());
  }

  /** No more orders; those that were begun are finished. */
  async stop(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#buyers);
  }

  abandon(): void {
    this.#abandoned = true;
    this.#going = false;
  }

  async #buyOn(): Promise<void> {
    while (this.#going) {
      orders += 1;
      await this.#order(`DRILL-${process.pid}-${orders}`, CARDS[orders % CARDS.length] as string);
      await pause(100);
    }
  }

  async #order(reference: string, card: string): Promise<void> {
    const session = await this.#insist(() => this.#bench.session(reference, reference));
    const token = session?.json['clientToken'];
    if (typeof token !== 'string') return;
    const paid = await this.#insist(() => this.#bench.pay(token, `${reference}-pay`, card));
    if (paid && paid.status < 300)
      this.answered.set(reference, { id: String(paid.json['id']), status: String(paid.json['status']) });
  }

  /** The answer, or nothing where the drill ended first. */
  async #insist(make: () => Promise<Reply>): Promise<(Reply & { answered: true }) | undefined> {
    for (const end = performance.now() + this.#stuckMs; !this.#abandoned; await pause(100)) {
      const reply = await make();
      if (performance.now() > end) {
        this.surprises.push(`a payer got no answer in ${this.#stuckMs / 60_000} min`);
        return undefined;
      }
      if (!reply.answered || AGAIN.includes(String(reply.json['code']))) continue;
      if (reply.status === 500) this.surprises.push(`500: ${reply.text}`);
      return reply;
    }
    return undefined;
  }
}
