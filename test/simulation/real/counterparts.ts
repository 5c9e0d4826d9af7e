import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Fact } from '../../../src/gateway/fact.js';
import type { Operation, OperationType } from '../../../src/payments/core/payment.js';
import { AMOUNT } from '../../core/given.js';
import { refundWord, wordOf } from '../../core/true-gateway.js';
import { ownWord } from '../gateway.js';
import type { RealWorld } from './real-world.js';
import type { Moment } from './strikes.js';
import { major, minor, walletWords, words } from './words.js';

const OPERATIONS: Partial<Record<string, OperationType>> = {
  'payment/card': 'pay',
  'init-partner': 'pay',
  'payment/validate-otp': 'otp',
  'payment/completion': 'complete',
  'payment/void': 'void',
  'payment/refund': 'refund',
};

/** The order that a `client_ref` names. */
export const orderOf = (name: string): string => name.slice(0, name.lastIndexOf('_'));

interface Sent {
  client_ref: string;
  amount?: string;
  otp?: string;
  refundRef?: string;
}

/**
 * The simulation's gateway and the merchant's server behind one port. Each process calls them below a path of its own, so whoever
 * holds a request knows which process to strike.
 */
export class Counterparts {
  /** How often an operation of a payment reached the gateway: `void ORDER_1`. */
  readonly arrived = new Map<string, number>();
  private readonly world: RealWorld;
  private readonly server: Server;
  /** What reached the gateway once it had denied it. */
  private readonly late = new Map<string, () => void>();

  constructor(world: RealWorld) {
    this.world = world;
    this.server = createServer((request, response) => {
      this.handle(request, response).catch((error: unknown) => world.fail(error));
    });
  }

  async listen(): Promise<string> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request).catch(() => undefined);
    if (body === undefined) return;
    const [, slot, ...path] = (request.url ?? '').split('/').map(decodeURIComponent);
    const at = (moment: Moment, name: string) => this.world.moment(moment, orderOf(name), Number(slot));
    if (path[0] === 'hook') {
      const reference = this.world.hears(body);
      await at('event arrives', `${reference}_`);
      return reply(response, { status: 200, body: {} });
    }
    const sent = (body === '' ? { client_ref: path[1] } : JSON.parse(body)) as Sent;
    const type = OPERATIONS[path.join('/')];
    if (type) await this.operation(response, type, sent, path[0] === 'init-partner', at);
    else await this.query(response, sent.client_ref, path[3], at);
  }

  private async operation(
    response: ServerResponse,
    type: OperationType,
    { client_ref: name, amount, refundRef, otp }: Sent,
    isWallet: boolean,
    at: (moment: Moment, name: string) => Promise<boolean>,
  ): Promise<void> {
    const { world } = this;
    const count = (this.arrived.get(`${type} ${name}`) ?? 0) + 1;
    this.arrived.set(`${type} ${name}`, count);
    world.charges(type, name);
    // What a dead process had sent is lost on its way.
    const fate = (await at(`${type} arrives`, name)) ? 'neverArrives' : world.fateOf(orderOf(name));
    const operation: Operation = {
      id: `${type} of ${name} (${type === 'pay' ? 1 : (refundRef ?? otp ?? count)})`,
      ...{ type, state: 'intended', process: '', actor: '', since: 0 },
      ...(amount === undefined ? {} : { amount: minor(amount) }),
      ...(refundRef === undefined ? {} : { refundRef }),
    };
    world.log(`the gateway: ${operation.id} ${fate}`);
    const take = (): Fact => world.gateway.take(name, operation, AMOUNT, world.endings.get(orderOf(name)));
    if (fate === 'arrivesLate') this.late.set(name, take);
    if (fate === 'arrivesLate' || fate === 'neverArrives') return void response.destroy();
    const fact = take();
    await at(`${type} taken`, name);
    if (fate === 'answerIsLost') return void response.destroy();
    const told = world.tell(name, isWallet ? fact : ownWord(fact, operation), false);
    await reply(response, isWallet ? walletWords(told, name) : words(told, name, refundRef));
    await at(`${type} answered`, name);
  }

  private async query(
    response: ServerResponse,
    name: string,
    refundRef: string | undefined,
    at: (moment: Moment, name: string) => Promise<boolean>,
  ): Promise<void> {
    const { world } = this;
    await at('query arrives', name);
    if (!world.endings.has(orderOf(name)) && world.faults.happens('slow'))
      return void (await once(response, 'close'));
    const account = world.gateway.accounts.get(name);
    const word = refundRef === undefined ? wordOf(account) : refundWord(account, refundRef);
    const told = world.tell(name, word, true);
    this.late.get(name)?.();
    this.late.delete(name);
    await reply(response, words(told, name, refundRef));
    await at('query answered', name);
  }
}

async function reply(
  response: ServerResponse,
  { status, body }: { status: number; body: unknown },
): Promise<void> {
  if (response.destroyed) return;
  const gone = once(response, 'close');
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  await gone;
}

/** The gateway's report, of one order or all. It has many rows of other shops. */
export function reportOf(accounts: RealWorld['gateway']['accounts'], order: string): string {
  const row = (name: string, type: string, amount: bigint): string[] =>
    amount > 0n ? [`${name},,${type},${major(amount)},0.00,NGN,SETTLED,2026-01-05T08:00:00Z`] : [];
  const others = Array.from({ length: 5_000 }, (_, index) => row(`other ${index}`, 'PAYMENT', AMOUNT));
  const ours = [...accounts].map(([name, { state, captured, refunded, disputed }]) =>
    state !== 'paid' || (order !== '' && orderOf(name) !== order)
      ? []
      : [
          ...row(name, 'PAYMENT', captured),
          ...row(name, 'REFUND', refunded),
          ...row(name, 'CHARGEBACK', disputed),
        ],
  );
  const header = 'reference,transactionRef,type,amount,fee,currency,status,settledAt';
  return [header, ...others.flat(), ...ours.flat(), ''].join('\n');
}
