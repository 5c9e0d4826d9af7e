import { startScene, type Scene } from '../../harness/scene.js';
import { freePort } from '../../setup/free-port.js';
import { describedCalls, type Call, type Listener } from './described-calls.js';
import { Tally } from './hostile-client.js';
import { findPages, makeKnown } from './known-things.js';
import { ordinarily, pause } from './manners.js';
import type { Seen } from './probe.js';
import { Watch } from './watch.js';

/** The built service, warm, with everything that is asked for, and watched. */
export interface Subject {
  readonly scene: Scene;
  readonly ports: Readonly<Record<Listener, number>>;
  /** Each call as those whom it is for. */
  readonly meant: readonly Call[];
  readonly watch: Watch;
  /** What it had before anybody attacked. */
  readonly before: Seen;
  /** Its exit code or signal, once it has ended. */
  ended(): string | undefined;
  /** What it logged since the last call that it should not have. */
  complaints(): string;
  /** Makes the calls be about things of their own again: what was attacked before has used them up. */
  renew(): Promise<void>;
  stop(): Promise<void>;
}

const COMPLAINT = /failed unexpectedly|unhandled|uncaught|"level":"(?:error|fatal)"/i;
const QUIET_MS = 1_500;
const WARM_ROUNDS = 12;

export type Setting = 'unlimited' | 'defaults';

/** `unlimited`: one port, no limit of calls a minute, so that routes do their work. `defaults`: three ports, and every limit as it is. */
export async function startSubject(setting: Setting): Promise<Subject> {
  const [merchantPort, managementPort] = [await freePort(), await freePort()];
  const apart = setting === 'defaults';
  const scene = await startScene('embedded', {
    LOG_LEVEL: 'warn',
    // As it is by default, in both settings.
    ...(apart
      ? {
          MERCHANT_PORT: String(merchantPort),
          MANAGEMENT_PORT: String(managementPort),
          RATE_LIMIT_PER_MINUTE: undefined,
          GATEWAY_STATUS_QUERIES_PER_SECOND: undefined,
          CARD_TESTING_LIMIT: undefined,
        }
      : { MAX_DECLINES_PER_SESSION: '1000' }),
  });
  let end: string | undefined;
  void scene.tillfront.exited.then(({ code, signal }) => (end = `code ${code}, signal ${signal}`));
  const payers = scene.tillfront.port;
  const ports = apart
    ? { payers, merchant: merchantPort, management: managementPort }
    : { payers, merchant: payers, management: payers };
  const addresses = { payers: scene.tillfront.url, merchant: `http://127.0.0.1:${ports.merchant}` };
  const key = scene.tillfront.merchantKey;
  const pages = await findPages(addresses);
  const known = await makeKnown(scene.gateway, addresses, key);
  const { meant, foreign } = describedCalls(known, pages);
  const { payments = '' } = known.ids;
  const watch = await Watch.start({
    pid: scene.tillfront.pid,
    questions: [
      { port: ports.management, request: 'GET /health/live HTTP/1.1\r\nhost: x\r\n\r\n' },
      {
        port: ports.merchant,
        request: `GET /v1/payments/${payments} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${key}\r\n\r\n`,
      },
    ],
  });
  let logged = 0;
  const subject = {
    scene,
    ports,
    meant,
    watch,
    ended: () => end,
    complaints: () => {
      const fresh = scene.tillfront.logs().slice(logged);
      logged += fresh.length;
      return fresh
        .split('\n')
        .filter((line) => COMPLAINT.test(line))
        .slice(0, 3)
        .join('\n');
    },
    renew: async () => {
      scene.gateway.forget();
      const again = await makeKnown(scene.gateway, addresses, key, known);
      subject.meant = describedCalls(again, pages).meant;
    },
    stop: async () => {
      await watch.stop();
      await scene.stop();
    },
  };
  // As warm as ordinary work makes it.
  await ordinarily([...meant, ...foreign], 50, { ports, tally: new Tally() }, WARM_ROUNDS);
  await pause(QUIET_MS);
  await watch.take();
  await pause(QUIET_MS);
  return Object.assign(subject, { before: await watch.take() });
}
