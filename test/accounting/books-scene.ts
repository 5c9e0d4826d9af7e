import { readFileSync } from 'node:fs';
import { Books } from '../../src/accounting/differences/books.js';
import { DifferencesRepository } from '../../src/accounting/differences/differences.repository.js';
import { Judge } from '../../src/accounting/differences/judge.js';
import { MovementsRepository } from '../../src/accounting/movements/movements.repository.js';
import { SettlementsRepository } from '../../src/accounting/settlement/settlements.repository.js';
import { Uploads, type Uploaded } from '../../src/accounting/settlement/uploads.js';
import type { Profile } from '../../src/gateway/profile/schema.js';
import { newId } from '../../src/store/ids.js';
import type { MovementKind, Store } from '../../src/store/store.js';
import { testPlace, type KINDS } from '../store/stores.js';

/** A payment with its movements, as the core would have written them. */
export interface KnownPayment {
  /** `ORDER-1_1`. */
  ref: string;
  status: string;
  currency: string;
  method: string;
  movements: readonly KnownMovement[];
}

export interface KnownMovement {
  kind: MovementKind;
  amount: bigint;
  at: number;
  /** Of a correction. */
  direction?: 'in' | 'out';
}

const OUT = new Set<MovementKind>(['refund', 'void', 'chargeback']);
export const DAY = 24 * 3_600_000;
export const BUILT_IN = JSON.parse(readFileSync('profiles/built-in.json', 'utf8')) as Profile;
/** The built-in report with all of the columns. */
export const FULL: Profile = {
  ...BUILT_IN,
  settlement: {
    ...(BUILT_IN.settlement as Exclude<Profile['settlement'], readonly unknown[] | undefined>),
    columns: {
      ...{ reference: 'reference', transactionRef: 'transactionRef', refundRef: 'refundRef', type: 'type' },
      ...{
        amount: 'amount',
        fee: 'fee',
        net: 'net',
        payout: 'payout',
        currency: 'currency',
        status: 'status',
      },
      ...{ netCurrency: 'netCurrency', settledAt: 'settledAt' },
    },
  },
};

/** Differences on a store of its own, without the service around. */
export interface BooksScene {
  store: Store;
  books: Books;
  differences: DifferencesRepository;
  movements: MovementsRepository;
  /** Payments that were made due. */
  asked: string[];
  know(payments: readonly KnownPayment[]): Promise<void>;
  upload(text: string): Promise<Uploaded>;
  end(): Promise<void>;
}

export async function booksScene(
  kind: (typeof KINDS)[number],
  { expectedDays = 5, profile = FULL }: { expectedDays?: number; profile?: Profile } = {},
): Promise<BooksScene> {
  const place = await testPlace(kind);
  const store = await place.open();
  const differences = new DifferencesRepository(store);
  const asked: string[] = [];
  const failures: unknown[] = [];
  const orders = {
    take: (_reference: string, { payment }: { payment: string }) => Promise.resolve(asked.push(payment)),
  };
  const failed = (what: unknown): number => failures.push(what);
  const logger = { trace: failed, debug: failed, info: failed, warn: failed, error: failed, fatal: failed };
  const config = { settlementExpectedDays: expectedDays };
  const books = new Books(store, new Judge(store), differences, orders, config, logger);
  const compare = () =>
    void books.round().catch(async (error: unknown) => {
      failures.push(error);
      // What waits for it ends.
      await store.close();
    });
  const uploads = new Uploads(store, new SettlementsRepository(store), { profile }, { wake: compare });
  return {
    ...{ store, books, differences, asked, movements: new MovementsRepository(store) },
    know: (payments) => know(store, payments),
    upload: async (text) => {
      try {
        return await uploads.take(bytesOf(text), false, 'merchant');
      } catch (error) {
        throw failures[0] ?? error;
      }
    },
    end: () => place.end(),
  };
}

export async function* bytesOf(text: string | Uint8Array): AsyncGenerator<Uint8Array> {
  await Promise.resolve();
  yield typeof text === 'string' ? Buffer.from(text) : text;
}

/** Writes payments and movements as JSON in one statement each. */
async function know(store: Store, payments: readonly KnownPayment[]): Promise<void> {
  const listed =
    store.kind === 'embedded' ? 'json_each(?)' : 'json_array_elements(cast(? as json)) as listed(value)';
  const paid = payments.map(({ ref, status, currency, method }) => {
    const [reference = ''] = ref.split('_');
    const doc = {
      ...{
        id: `pay_${ref}`,
        reference,
        gatewayReference: ref,
        status,
        currency,
        method,
        sessionId: `cs_${ref}`,
      },
      ...{ amount: '100', createdAt: 1, updatedAt: 1, statusSince: 1 },
    };
    return [`pay_${ref}`, reference, Number(ref.split('_')[1]), JSON.stringify(doc)];
  });
  const jsonb = store.kind === 'embedded' ? 'value ->> 3' : 'cast(value ->> 3 as jsonb)';
  await store.run({
    text: `insert into payments (id, reference, n, doc) select value ->> 0, value ->> 1, cast(value ->> 2 as integer), ${jsonb} from ${listed}`,
    values: [JSON.stringify(paid)],
  });
  const moved = payments.flatMap(({ ref, currency, method, movements }) =>
    movements.map(({ kind, amount, at, direction = OUT.has(kind) ? 'out' : 'in' }) => [
      ...[newId('mov', store.now()), kind, direction, String(amount), currency, at, `pay_${ref}`],
      ...[ref.split('_')[0], ref, method],
    ]),
  );
  await store.run({
    text: `insert into movements (id, kind, direction, amount, currency, at, recorded_at, late, payment_id, reference, gateway_reference, method, source)
      select value ->> 0, value ->> 1, value ->> 2, cast(value ->> 3 as bigint), value ->> 4, cast(value ->> 5 as bigint), cast(value ->> 5 as bigint), 0,
        value ->> 6, value ->> 7, value ->> 8, value ->> 9, 'gateway' from ${listed}`,
    values: [JSON.stringify(moved)],
  });
}
