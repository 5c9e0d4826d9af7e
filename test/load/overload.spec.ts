import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Client } from 'pg';
import { anyStore, createTestStore, type TestStore } from '../harness/test-store.js';
import { service as builtService } from '../setup/service.js';
import { Connection, httpRequest, type Answer } from './http-load.js';
import { MeasuredProcess } from './measured-process.js';
import { merchantKey, startService, type Subject } from './subject.js';

/**
 * Far more than the service can do, at once: what it lets in it answers in time, all else it refuses at once and records nothing of it.
 */

const ASKED = 2_000;
const CALLERS = 1_000;
const STOPPED_MS = 1_000;

interface Told extends Answer {
  request: Buffer;
}

/** Connections that the service has accepted: as fast as it accepts them, a burst of new ones never finds it busy. */
async function connections(port: number, count: number): Promise<Connection[]> {
  const opened = Array.from({ length: count }, () => new Connection(port));
  const request = httpRequest('GET', '/health/live', {});
  await Promise.all(opened.map((connection) => connection.ask(request)));
  return opened;
}

/** Each connection asks again as soon as it is answered, until all requests are made. */
async function askAll(callers: readonly Connection[], requests: readonly Buffer[]): Promise<Told[]> {
  const told: Told[] = [];
  let next = 0;
  const caller = async (connection: Connection): Promise<void> => {
    for (let request = requests[next++]; request; request = requests[next++]) {
      const answer = await connection.ask(request);
      told.push({ ...answer, request });
    }
    connection.close();
  };
  await Promise.all(callers.map(caller));
  return told;
}

const isShed = ({ status, body }: Answer): boolean =>
  status === 503 && (JSON.parse(body) as { code: string }).code === 'overloaded';

describe.each(anyStore)('on the %s store', (kind) => {
  let place: TestStore;
  let gateway: MeasuredProcess;
  let service: Subject;
  let folder: string;

  beforeAll(async () => {
    place = await createTestStore(kind);
    folder = mkdtempSync(join(tmpdir(), 'tillfront-overload-'));
    gateway = await MeasuredProcess.start(
      fileURLToPath(new URL('peers/gateway.ts', import.meta.url)),
      { DELAY_MS: '20' },
      { readyPath: '/delay/20' },
    );
    service = await startService({
      name: 'overloaded',
      build: await builtService('build'),
      gatewayPort: gateway.port,
      dataDir: folder,
      ...(place.databaseUrl !== undefined && { databaseUrl: place.databaseUrl }),
    });
  }, 180_000);

  afterAll(async () => {
    await service.stop();
    await gateway.stop();
    rmSync(folder, { recursive: true, force: true });
    await place.dispose();
  });

  const call = (method: string, path: string, body?: object): Promise<Response> =>
    fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${merchantKey}`,
        'content-type': 'application/json',
        'idempotency-key': `overload-${Math.random()}`,
      },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function count(table: string, condition = 'true'): Promise<number> {
    const query = `select count(*) as count from ${table} where ${condition}`;
    if (place.databaseUrl === undefined) {
      const database = new DatabaseSync(join(folder, 'tillfront.db'), { readOnly: true });
      const row = database.prepare(query).get();
      database.close();
      return Number(row?.['count']);
    }
    const client = new Client({ connectionString: place.databaseUrl });
    await client.connect();
    const { rows } = await client.query<{ count: string }>(query);
    await client.end();
    return Number(rows[0]?.count);
  }

  /** What is never refused for being busy, asked again and again until the load is over. */
  async function everythingElse(paid: string, over: () => boolean): Promise<string[]> {
    const refused: string[] = [];
    for (let turn = 0; !over() || turn === 0; turn++) {
      const others: [string, string, object?][] = [
        ['GET', '/health/ready'],
        ['GET', `/v1/payments/${paid}`],
        ['POST', '/v1/gateway/notifications', { data: { client_ref: `X_${turn}` } }],
        // A step of a payment that there is.
        ...(turn === 1 ? [['POST', `/v1/payments/${paid}/void`, {}] as [string, string, object]] : []),
      ];
      for (const [method, path, body] of others) {
        const answer = await call(method, path, body);
        const text = await answer.text();
        if (answer.status >= 429) refused.push(`${method} ${path} ${answer.status} ${text}`);
      }
    }
    return refused;
  }

  test('what is let in is answered in time; all else is refused, and nothing is recorded of it', async () => {
    const [first, ...requests] = await service.prepare(ASKED + 1);
    const [before] = await askAll(await connections(service.port, 1), first ? [first] : []);
    expect(before?.status).toBe(201);
    const { id } = JSON.parse(before?.body ?? '{}') as { id: string };

    let over = false;
    const others = everythingElse(id, () => over);
    const callers = await connections(service.port, CALLERS);
    // They find it busy with something else until all of them wait, however slowly this process calls and however fast that one
    // answers.
    process.kill(service.pid, 'SIGSTOP');
    const asked = askAll(callers, requests);
    await setTimeout(STOPPED_MS);
    process.kill(service.pid, 'SIGCONT');
    const told = await asked;
    over = true;
    expect(await others).toEqual([]);

    // Right ones are in time as well: an intent that is older than five seconds is not sent any more, and fails. How long
    // they took is for the bench to say.
    const accepted = told.filter((one) => service.isRight(one));
    const shed = told.filter(isShed);
    expect(told.filter((one) => !service.isRight(one) && !isShed(one))).toEqual([]);
    expect(accepted.length + shed.length).toBe(ASKED);
    expect(shed.length).toBeGreaterThan(0);
    expect(accepted.length).toBeGreaterThanOrEqual(256);

    expect(await count('payments')).toBe(accepted.length + 1);
    expect(await count('idempotency_keys', "scope like 'session:%'")).toBe(accepted.length + 1);
    const metrics = await (await call('GET', '/metrics')).text();
    expect(metrics).toContain(`tillfront_shed_total{load="start"} ${shed.length}\n`);
    expect(metrics).toContain('tillfront_shed_total{load="step"} 0\n');
    expect(metrics).toContain(`tillfront_refusals_total{code="overloaded"} ${shed.length}\n`);

    // With the same key, now that there is time: they are new.
    const again = await askAll(
      await connections(service.port, 1),
      shed.slice(0, 20).map(({ request }) => request),
    );
    expect(again.every((one) => service.isRight(one))).toBe(true);
    expect(await count('payments')).toBe(accepted.length + 1 + again.length);
  }, 120_000);

  test('at light load nothing is refused', async () => {
    const told = await askAll(await connections(service.port, 16), await service.prepare(200));
    expect(told.filter((one) => !service.isRight(one))).toEqual([]);
  });
});
