import type { Behaviour, Responder } from '../harness/gateway-behaviour.js';
import { startMisbehavingGateway, type MisbehavingGateway } from '../harness/misbehaving-gateway.js';
import type { RecordedRequest } from '../harness/request-reader.js';

/** A stand-in for a public gateway, which verifies what that one documents, and remembers what it would have refused. */
export interface PublicGateway {
  readonly gateway: MisbehavingGateway;
  /** Where its API begins. */
  readonly baseUrl: string;
  /** What was wrong with the requests so far. */
  readonly mistakes: readonly string[];
  /** Payments by the merchant's reference. */
  readonly payments: ReadonlyMap<string, StandInPayment>;
}

/** A payment as such a gateway has it. */
export interface StandInPayment {
  readonly reference: string;
  /** In the gateway's own unit. */
  readonly amount: number;
  readonly currency: string;
  status: string;
  /** What was given back, in the gateway's own unit, by the merchant's reference of the refund. */
  readonly refunds?: Map<string, number>;
}

/** Notes a refund. Returns why not, where it is not possible. */
export function giveBack(
  payment: StandInPayment | undefined,
  ref: string,
  amount: number,
): string | undefined {
  if (payment?.refunds === undefined) return 'there is no such payment';
  const { refunds } = payment;
  if (refunds.has(ref)) return 'the reference of the refund was used before';
  if (!(amount > 0) || returned(payment) + amount > payment.amount) return 'more than is left';
  refunds.set(ref, amount);
  return undefined;
}

/** How much of a payment was given back. */
export function returned({ refunds }: StandInPayment): number {
  return [...(refunds?.values() ?? [])].reduce((sum, amount) => sum + amount, 0);
}

/** What a test chooses by the card's security code. */
export const CVV = {
  pays: '111',
  asksOtp: '222',
  asksPin: '333',
  redirects: '444',
  declines: '555',
  lost: '666',
};

/** The members of a body as JSON pointers, sorted. */
export function membersOf(value: unknown, at = ''): string[] {
  if (typeof value !== 'object' || value === null) return [at];
  return Object.entries(value)
    .flatMap(([name, inner]) => membersOf(inner, `${at}/${name}`))
    .sort();
}

/** Starts one on its routes. `check` says what is wrong with a request, which is then answered with `refuse`. */
export async function startPublicGateway(
  basePath: string,
  routes: Readonly<Record<string, (request: RecordedRequest, stand: StandIn) => Behaviour>>,
  refuse: (message: string) => Behaviour,
  check: (request: RecordedRequest) => string | undefined,
): Promise<PublicGateway> {
  const gateway = await startMisbehavingGateway();
  const mistakes: string[] = [];
  const payments = new Map<string, StandInPayment>();
  const stand: StandIn = {
    payments,
    refuse: (message) => {
      mistakes.push(message);
      return refuse(message);
    },
    demand: (body, members) => {
      const found = membersOf(body);
      const missing = members.filter((member) => !found.includes(member));
      const strange = found.filter((member) => !members.includes(member));
      if (missing.length > 0) return `lacks ${missing.join(', ')}`;
      return strange.length > 0 ? `has ${strange.join(', ')}` : undefined;
    },
  };
  for (const [route, respond] of Object.entries(routes)) {
    const [method = '', path = ''] = route.split(' ');
    const responder: Responder = (request) => {
      const fault = check(request);
      return fault === undefined ? respond(request, stand) : stand.refuse(`${route}: ${fault}`);
    };
    gateway.script(`${method} ${basePath}${path}`, responder);
  }
  return { gateway, baseUrl: gateway.url + basePath, mistakes, payments };
}

/** What the routes work with. */
export interface StandIn {
  readonly payments: Map<string, StandInPayment>;
  /** Refuses a request and remembers why. */
  refuse(message: string): Behaviour;
  /** What is missing in a body, or is there and not documented. Undefined where it is right. */
  demand(body: unknown, members: readonly string[]): string | undefined;
}

export function answer(body: unknown, status = 200): Behaviour {
  return { do: 'answer', body, status };
}
