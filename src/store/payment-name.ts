/** Where the name of a payment was heard of that the store does not have. `next`: it comes after one that was asked about. */
export const NAME_SOURCES = ['loss', 'report', 'notification', 'next'] as const;
export type NameSource = (typeof NAME_SOURCES)[number];

/** A payment that may have been made, though the store does not have it. The gateway is asked before another one of its order starts. */
export interface PaymentName {
  /** Which payment of its reference, from 1. */
  readonly n: number;
  readonly source: NameSource;
  /** When it was first heard of. */
  readonly at: number;
  /** How often it was heard of again; absent: never. */
  readonly again?: number;
  /** Who said that it holds up no other payment, and when; absent: nobody did. */
  readonly released?: { readonly by: string; readonly at: number; readonly note: string };
}

/** How far whoever names payments of a reference is believed. */
export interface Belief {
  /** How far a name may be beyond the payments of its reference. */
  readonly widestGap: number;
  /** So many open names of one reference are kept. */
  readonly most: number;
}

export const BELIEVED: Belief = { widestGap: 1_000, most: 1_000 };
/** Of what anybody may have said. */
export const HARDLY_BELIEVED: Belief = { widestGap: 3, most: 3 };

/** The names of payments that hold up others, the lowest first. Pure. */
export function openNames(names: readonly PaymentName[]): PaymentName[] {
  return names.filter(({ released }) => !released).sort((a, b) => a.n - b.n);
}

/** Whether a payment of a reference with so many may have this number: one far beyond all others is not believed. Pure. */
export function isBelievable(n: number, attempts: number, { widestGap } = BELIEVED): boolean {
  return n >= 1 && n <= attempts + widestGap;
}

/** Whether a name is as it was when the gateway was asked about it: nobody has named the payment since. Pure. */
export function isUnchanged(name: PaymentName, { source, at, again }: PaymentName): boolean {
  return name.source === source && name.at === at && name.again === again;
}

/** The names without what people wrote when they released them; undefined where there is nothing of it. Pure. */
export function withoutNotesOf(
  names: readonly PaymentName[],
  erased: string,
): readonly PaymentName[] | undefined {
  if (!names.some(({ released }) => released)) return undefined;
  return names.map((name) =>
    name.released ? { ...name, released: { ...name.released, note: erased } } : name,
  );
}
