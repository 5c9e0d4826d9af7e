import { gatewayPayment } from './card-request.ts';
import { Connection, httpRequest } from './http-load.ts';
import type { Kept, PeerStore } from './peer-store.ts';

/** How long the gateway takes while the bench looks whether a row stands before its answer. */
const LOOK_MS = 1_000;

/** Shows that a peer stores what it says: no figure of a peer counts that has not passed. */
export class DurableProof {
  #answered = 0;
  readonly #name: string;
  readonly #port: number;
  readonly #store: PeerStore;

  constructor(name: string, port: number, store: PeerStore) {
    this.#name = name;
    this.#port = port;
    this.#store = store;
  }

  /** A payment was answered as paid. */
  answered(): void {
    this.#answered++;
  }

  /** One payment through a slow gateway: its row must stand before the answer, and be changed when it comes. */
  async prove(setDelay: (ms: number) => Promise<void>): Promise<void> {
    if (!(await this.#store.isSynced(this.#port))) throw new Error(`${this.#name} does not sync its commits`);
    const before = await this.#store.kept();
    await setDelay(LOOK_MS);
    const connection = new Connection(this.#port);
    const request = httpRequest('POST', '/pay', {}, gatewayPayment(`PROOF-${Date.now()}`));
    let done = false;
    const asked = connection.ask(request).finally(() => (done = true));
    let stoodBefore = false;
    while (!done && !stoodBefore) {
      const { begun } = await this.#store.kept();
      stoodBefore = begun === before.begun + 1 && !done;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const { status } = await asked;
    connection.close();
    await setDelay(0);
    const after = await this.#store.kept();
    if (
      status !== 200 ||
      !stoodBefore ||
      after.settled !== before.settled + 1 ||
      after.begun !== before.begun
    )
      throw new Error(`${this.#name} has not stored a payment before and after it was sent: ${show(after)}`);
    this.#answered++;
  }

  /** Every payment that was answered as paid must be stored as paid. */
  async check(): Promise<void> {
    const kept = await this.#store.kept();
    if (kept.settled !== this.#answered || kept.begun !== 0)
      throw new Error(`${this.#name} has answered ${this.#answered} payments and stored ${show(kept)}`);
  }
}

function show({ begun, settled }: Kept): string {
  return `${settled} paid and ${begun} without an answer`;
}
