import { readFileSync } from 'node:fs';
import { createFormerStore, type FormerRows } from '../harness/former-store.js';
import type { StoreKind, TestStore } from '../harness/test-store.js';

/** What a shop keeps of an order. */
interface FormerOrder {
  reference: string;
  session: string;
  /** The payer's token. */
  token: string;
  payment?: string;
  gatewayReference?: string;
  /** Where the bank sends the payer back to. */
  back?: string;
}

/** An event as version 0.1.0 has sent it. */
export interface SentEvent {
  id: string;
  text: string;
}

/**
 * A store that version 0.1.0 itself has written (commit c92dc17, with the keys of the tests), as it was when the process was killed in
 * the middle of its work, and what its shop knew then. Every table that 0.1.0 wrote in ordinary work has rows.
 */
export interface FormerShop {
  stoppedAt: number;
  orders: Record<string, FormerOrder>;
  /** Events that the merchant's server had accepted. */
  delivered: SentEvent[];
  /** Events that it had refused since, each once. */
  tried: SentEvent[];
  tables: FormerRows;
}

export const formerShop = JSON.parse(readFileSync('test/deploy/former-shop.json', 'utf8')) as FormerShop;

const SOME_TIME = 1_700_000_000_000;

/**
 * The store of that shop, at the gateway that the tests have. Times are as they would be, had the process been killed just now; an
 * event's own time is a part of what was sent, and stays.
 */
export function openFormerShop(kind: StoreKind, gatewayUrl: string): Promise<TestStore> {
  const later = Date.now() - formerShop.stoppedAt;
  const move = (table: string, row: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(row).map(([name, value]) => {
        const moves = typeof value === 'number' && value > SOME_TIME;
        return [name, moves && `${table}.${name}` !== 'events.created_at' ? value + later : value];
      }),
    );
  const tables = Object.entries(formerShop.tables).map(([table, rows]) => [
    table,
    rows.map((row) => move(table, row)),
  ]);
  return createFormerStore(kind, {
    ...(Object.fromEntries(tables) as FormerRows),
    meta: [{ name: 'gateway', value: `${gatewayUrl} (test)` }],
  });
}

/** The request of 0.1.0's shop for one of its sessions. */
export function formerSessionRequest(name: string): object {
  return {
    reference: `ORDER-${name}`,
    amount: '1500.00',
    currency: 'NGN',
    payer: { email: 'ada@example.com', phone: '+2348012345678', firstName: 'Ada', lastName: 'Obi' },
    billing: {
      street: '1 Marina',
      city: 'Lagos',
      stateProvince: 'Lagos',
      postCode: '101001',
      country: 'NGA',
    },
    returnUrl: 'https://shop.example/thanks',
    metadata: { cart: name },
  };
}
