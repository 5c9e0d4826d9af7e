import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from '@jest/globals';
import { startScene } from '../harness/scene.js';
import { until } from '../harness/until.js';
import { noWord, payCard } from '../truth/situations.js';
import { storedRows } from '../truth/stored-time.js';

const PAYMENTS = 30;
/** More than many looks at the store find: each takes the next 200. */
const NOTIFICATIONS = 8_000;
/** What background work of all kinds may log meanwhile, with much room. Without pauses it is some hundreds a second. */
const LOOKED_FOR_MS = 5_000;
const MOST_LINES = 60;

/** A store that is read as ever and refuses each write, as one without room does. */
const REFUSE = `
  create function no_room() returns trigger language plpgsql as $$
  begin raise exception 'could not extend file' using errcode = '53100'; end $$;
  create trigger no_room before insert or update on payments for each row execute function no_room();
  create trigger no_room before update on notifications for each row execute function no_room()`;

interface Line {
  event: string;
  level: string;
  cause?: string;
}

test('background work that the store refuses says so once with its cause, waits, and goes on by itself', async () => {
  const scene = await startScene('postgres');
  try {
    const order = async (): Promise<void> => {
      const session = await scene.client.createSession();
      scene.gateway.script(`GET /transaction/${session.reference}_1`, noWord);
      await payCard(scene, noWord, session);
    };
    await Promise.all(Array.from({ length: PAYMENTS }, order));
    const later = await scene.client.createSession();
    const past = Date.now() - 60_000;
    await storedRows(scene, `update payments set next_status_check_at = ${past}`);
    await storedRows(scene, REFUSE);
    await storedRows(
      scene,
      `insert into notifications (id, received_at, digest, media_type, body, reference, payment_id, status, repeats)
       select 'ntf_' || n, ${past}, 'digest ' || n, 'application/json', '{}', 'ORDER', 'pay_' || n, 'received', 0
       from generate_series(1, ${NOTIFICATIONS}) as n`,
    );
    const lines = (): Line[] =>
      scene.tillfront
        .logs()
        .split('\n')
        .filter((line) => line.startsWith('{'))
        .map((line) => JSON.parse(line) as Line);
    for (const event of ['notifications.handover_failed', 'reconciliation.inquiry_failed']) {
      await until(() => lines().some((line) => line.event === event && line.cause === '53100'));
    }
    const before = lines().length;
    await pause(LOOKED_FOR_MS);
    const written = lines().slice(before);
    expect({ count: written.length, enough: written.length <= MOST_LINES }).toMatchObject({ enough: true });

    const refused = await scene.client.payCard(later);
    expect(refused.status).toBe(503);
    expect(refused.body).toMatchObject({
      code: 'store-unavailable',
      detail: expect.stringContaining('53100'),
    });
    await until(() => lines().some(({ event, cause }) => event === 'http.request' && cause === '53100'));

    const asked = scene.gateway.requests.length;
    await storedRows(scene, 'drop function no_room cascade');
    await until(async () => {
      const [done] = await storedRows(
        scene,
        `select count(*) as count from notifications where status = 'applied'`,
      );
      return Number(done?.['count']) > 0;
    });
    await until(() => scene.gateway.requests.length > asked);
  } finally {
    await scene.stop();
  }
}, 180_000);
