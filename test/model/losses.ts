import { eventsOf } from './announcements.ts';
import { major } from './money-ledger.ts';
import type { Scene } from './scene.ts';

/** Keeps a copy of the store as it is now. */
export async function copy(scene: Scene): Promise<void> {
  if (await scene.till.copy()) scene.kept = scene.shop.keep();
}

/** Brings the copy back, and accepts what it lacks as lost. */
export async function restore(scene: Scene): Promise<void> {
  const { kept, shop, gateway } = scene;
  if (!kept) return;
  gateway.release();
  await scene.done();
  await eventsOf(scene).of(scene);
  await scene.till.restore();
  scene.did('restore');
  shop.goBack(kept);
  scene.kept = undefined;
  eventsOf(scene).goBack();
  const payments = await shop.payments();
  for (const transaction of scene.transactions) {
    const shown = payments.find(({ gatewayReference }) => gatewayReference === transaction.clientRef);
    transaction.forgotten = shown === undefined;
    const known = shown ? (await shop.refundsOf(shown)).length : 0;
    for (const ref of [...transaction.refunds.keys()].slice(known)) transaction.forgottenRefunds.add(ref);
    // A refund that nobody here knows to be under way cannot be told from one that is done.
    if (transaction.books.countsPending) transaction.change({ countsPending: false });
  }
  await nameLost(scene);
}

/** The gateway sends its notifications of what was paid once more. From now on the service has heard of it. */
async function nameLost({ shop, transactions }: Scene): Promise<void> {
  for (const transaction of transactions) {
    const { clientRef, forgotten, books } = transaction;
    if (!forgotten || books.state !== 'captured') continue;
    const notification = { client_ref: clientRef, status: 'SUCCESS', amount: major(books.captured) };
    transaction.named = await shop.notify(0, { ...notification, currency: 'NGN' });
  }
}

/** Payments that the store had forgotten may have come back: by a report, or because a start of their order asked about them. */
export async function takeOver(scene: Scene, { onlyNamed = false } = {}): Promise<void> {
  for (const { gatewayReference } of await scene.shop.payments()) {
    const transaction = scene.gateway.ledger.find(gatewayReference);
    if (!transaction?.forgotten || (onlyNamed && !transaction.named)) continue;
    Object.assign(transaction, { forgotten: false, adopted: true });
    for (const ref of transaction.refunds.keys()) transaction.forgottenRefunds.add(ref);
    // It has another id now: what was asked for under the former one is counted no more.
    transaction.calls.clear();
  }
}
