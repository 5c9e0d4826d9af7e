import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVERS } from './names.ts';
import { postgresPeerStore } from './peer-store.ts';
import type { Places } from './replicas.ts';
import { createDatabase, startPeer, type Subject } from './subject.ts';

const path = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));
const SHOP = path('peers/vendure');
const PACKAGES = join(SHOP, 'node_modules');

/** What Vendure has stored of payments: their orders stand before the gateway is asked, the payments themselves after it has answered. */
const COUNTS = `select
  (select count(*) from "order" o where o."currencyCode" = 'NGN'
    and not exists (select 1 from payment p where p."orderId" = o.id)) as begun,
  (select count(*) from payment where amount = 150000 and state = 'Settled' and "transactionId" like 'T%') as settled`;

/** Starts a Vendure server on a database of its own. */
export async function startVendure({ gatewayPort, postgresUrl }: Places): Promise<Subject> {
  if (!existsSync(PACKAGES))
    throw new Error(
      'The packages of Vendure are missing: npm install --prefix test/load/peers/vendure --no-save',
    );
  const store = postgresPeerStore(await createDatabase(postgresUrl, 'bench_vendure'), COUNTS);
  // It writes into the folder that it runs in.
  const folder = mkdtempSync(join(tmpdir(), 'tillfront-bench-vendure-'));
  for (const file of ['package.json', 'shop.js']) cpSync(join(SHOP, file), join(folder, file));
  symlinkSync(PACKAGES, join(folder, 'node_modules'));
  return startPeer({
    ...{ name: SERVERS.vendure, program: path('peers/vendure-start.ts'), gatewayPort, folder },
    store: {
      ...store,
      environment: { ...store.environment, ADMIN_PASSWORD: randomBytes(16).toString('hex') },
      remove: () => rmSync(folder, { recursive: true, force: true }),
    },
  });
}

/** The version of Vendure that is installed. */
export function vendureVersion(): string {
  const { version } = JSON.parse(readFileSync(join(PACKAGES, '@vendure/core/package.json'), 'utf8')) as {
    version: string;
  };
  return version;
}
