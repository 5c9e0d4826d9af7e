import { closedLoop, Connection } from './http-load.ts';
import type { Places } from './replicas.ts';
import { preparePayments, startService } from './subject.ts';

/** How long fresh payments with an unknown outcome waited for the gateway to be asked about them, beside so many open ones. */
export interface FreshUnknown {
  open: number;
  /** In seconds, one for each fresh payment. */
  waited: number[];
}

const FRESH = 10;
const PATIENCE_MS = 180_000;

/** On the embedded store: makes open payments, then payments whose answer is lost, one after the other. */
export async function measureFreshUnknown(
  { build, gatewayPort, say }: Places,
  open: number,
): Promise<FreshUnknown> {
  const service = await startService({ name: 'unknown', build, gatewayPort });
  try {
    const payments = await preparePayments([service.port], open, 'open');
    const { wrong } = await closedLoop(
      service.port,
      payments,
      32,
      ({ status, body }) => status < 300 && body.includes('"processing"'),
    );
    if (wrong > 0) throw new Error(`${wrong} of ${open} payments are not open`);
    const waited: number[] = [];
    for (const payment of await preparePayments([service.port], FRESH, 'lost')) {
      const connection = new Connection(service.port);
      const { status, body } = await connection.ask(payment);
      connection.close();
      const begun = Date.now();
      if (status !== 202) throw new Error(`the outcome of a lost payment is not unknown: ${status} ${body}`);
      const reference = /"reference":"([^"]+)"/.exec(body)?.[1] ?? '';
      const asked = await untilAsked(gatewayPort, `${reference}_1`);
      waited.push((asked - begun) / 1000);
      say(
        `a fresh unknown payment beside ${open} open ones: asked about after ${waited.at(-1)?.toFixed(2)} s`,
      );
    }
    return { open, waited };
  } finally {
    await service.stop();
  }
}

/** When the gateway was first asked about a payment, in milliseconds since the epoch. */
async function untilAsked(gatewayPort: number, reference: string): Promise<number> {
  const until = Date.now() + PATIENCE_MS;
  while (Date.now() < until) {
    const asked = (await (await fetch(`http://127.0.0.1:${gatewayPort}/asked/${reference}`)).json()) as
      number | null;
    if (asked !== null) return asked;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return until;
}
