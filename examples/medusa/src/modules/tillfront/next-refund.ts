/** A refund in Medusa's book. Medusa enters one before it asks the provider, and removes it if the provider throws. */
export interface EnteredRefund {
  id: string;
  /** In Tillfront's form. */
  amount: string;
  /** The refund at Tillfront that it stands for. Null as long as its attempt runs, and for good if Medusa died meanwhile. */
  settledBy: string | null;
  /** By the clock of the Medusa server that entered it. */
  enteredAt: Date;
}

export interface TillfrontRefund {
  id: string;
  status: 'processing' | 'succeeded' | 'failed';
  amount: string;
  reason: string | null;
}

/** What is to be done about a refund that Medusa has just entered. */
export type NextRefund =
  /** Nothing was given back that Medusa does not know of: this one is to be made, as Medusa's refund of this number. */
  | { step: 'make'; number: number }
  /** It was given back already, though Medusa heard of no success: it is only entered. */
  | { step: 'take-over'; refund: TillfrontRefund }
  /** A refund is under way, perhaps this very one. */
  | { step: 'wait'; amount: string }
  /** Another amount was given back that Medusa does not know of. */
  | { step: 'enter-first'; refund: TillfrontRefund };

const NAME = 'Medusa refund ';

/**
 * An attempt ends within 200 s: five calls of at most 40 s. An entry that is older and still not settled belongs to a server
 * that died. The rest of the ten minutes is room for clocks that differ.
 */
const ATTEMPT_IS_OVER_MS = 10 * 60_000;

/** A refund at Tillfront carries the id of Medusa's entry as its reason. */
export const reasonOf = ({ id }: Pick<EnteredRefund, 'id'>): string => NAME + id;

/**
 * Medusa removes its entry of a refund whose outcome is unknown, and makes another one when somebody tries again. So the money of an
 * attempt that was confirmed later is compared with the entries, and given back once.
 *
 * Attempts that run at the same time cannot know each other's end, so whoever finds another entry that is not settled waits. Each is
 * entered before it looks, so of two at least one finds the other. What an attempt that Medusa gave up may still send is not seen here:
 * it has the number that the next one has too, and of one number Tillfront makes one refund.
 *
 * @param made what Tillfront lists, read before the entries: what is settled in between is then known, or has used the number up
 */
export function nextRefund(
  own: EnteredRefund,
  others: readonly EnteredRefund[],
  made: readonly TillfrontRefund[],
): NextRefund {
  const alive = made.filter(({ status }) => status !== 'failed');
  const underWay = alive.find(({ status }) => status === 'processing');
  if (underWay) return { step: 'wait', amount: underWay.amount };
  const of = (entry: EnteredRefund): TillfrontRefund | undefined =>
    alive.find(({ id, reason }) => (entry.settledBy ? id === entry.settledBy : reason === reasonOf(entry)));
  const mine = of(own);
  if (mine) return { step: 'take-over', refund: mine };
  const unsettled = others.filter(({ settledBy }) => settledBy === null);
  const runs = unsettled.find(
    ({ enteredAt }) => own.enteredAt.getTime() - enteredAt.getTime() < ATTEMPT_IS_OVER_MS,
  );
  if (runs) return { step: 'wait', amount: runs.amount };

  const known = new Set(others.map(of));
  const unknownToMedusa = alive.filter((refund) => !known.has(refund));
  // The entry of an attempt that died stands in Medusa's book for good, so it stands for such money too.
  for (const entry of unsettled.filter((other) => !of(other))) {
    const taken = unknownToMedusa.findIndex(({ amount }) => amount === entry.amount);
    if (taken >= 0) unknownToMedusa.splice(taken, 1);
  }
  const same = unknownToMedusa.find(({ amount }) => amount === own.amount);
  if (same) return { step: 'take-over', refund: same };
  const [other] = unknownToMedusa;
  if (other) return { step: 'enter-first', refund: other };
  // Those of Tillfront's console do not count: a number is used up by Medusa's own alone.
  return { step: 'make', number: made.filter(({ reason }) => reason?.startsWith(NAME)).length };
}
