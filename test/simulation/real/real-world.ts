import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fact } from '../../../src/gateway/fact.js';
import type { Payment } from '../../../src/payments/core/payment.js';
import { OWN_MOVES, wordOf, type Ending } from '../../core/true-gateway.js';
import { sessionRequest, TillfrontClient } from '../../harness/client.js';
import type { StoreKind } from '../../harness/test-store.js';
import { until } from '../../harness/until.js';
import { Chance } from '../chance.js';
import { Database } from '../database.js';
import { Faults, type Fate } from '../faults.js';
import { SimulatedGateway, type Surroundings } from '../gateway.js';
import { Judge, type Judged } from '../judge.js';
import { live, type Act } from '../people.js';
import { Counterparts, orderOf, reportOf } from './counterparts.js';
import { placeOf, type Place } from './place.js';
import { isReady, Process } from './process.js';
import { allOf, look, movementsOf, reversedOf } from './seen.js';
import { APPROVAL_ABOVE, KEYS, Shopper } from './shopper.js';
import { STRIKES, type Blow, type Moment, type Strike } from './strikes.js';
import { words, writeProfile } from './words.js';

/** So many lives at once. */
const AT_ONCE = 4;
/** Only for what hangs. */
const LONGEST_MS = 10 * 60_000;

interface Told {
  id: string;
  sequence: number;
  data: { id: string; reference: string };
  delivery?: { status: string };
}
type Plan = { seed: number; payments: number; store: StoreKind; log: boolean };

/**
 * The plan of a simulated world, its gateway and its judge, with real processes on a real store: they are struck while they are asked
 * or ask, and then everything must come to rest.
 */
export class RealWorld implements Surroundings, Judged {
  readonly chance: Chance;
  readonly faults: Faults;
  readonly gateway = new SimulatedGateway(this);
  readonly judge = new Judge(this);
  readonly lean = false;
  readonly lostAt = -Infinity;
  readonly ending = undefined;
  /** Orders that a strike is about, and how what is sent for them ends: nothing else goes wrong there. */
  readonly endings = new Map<string, Ending>();
  readonly processes: Process[] = [];
  /** What the API showed last. */
  database = new Database(() => undefined);
  private readonly counterparts = new Counterparts(this);
  private readonly shoppers = new Map<string, Shopper>();
  private readonly acknowledged = new Map<string, string>();
  /** What the merchant's server was told, by id. */
  private told = new Set<string>();
  private readonly heard = new Map<string, Told>();
  private readonly sequences = new Map<string, number>();
  private readonly charged: { charged: string; beside: string }[] = [];
  private readonly asked = new Set<string>();
  private readonly ends = new Map<string, NonNullable<Strike['ends']>>();
  private readonly acts: Promise<void>[] = [];
  private armed: { at: Moment; reference: string; blow: Blow; resolve: () => void } | undefined;
  private faultsFound: string[] = [];
  private place!: Place;

  private constructor(private readonly plan: Plan) {
    this.chance = new Chance(plan.seed);
    this.faults = new Faults(this.chance, 1);
  }

  /** Runs a plan; returns what was wrong. */
  static async run(plan: Plan): Promise<{ faults: readonly string[]; payments: number }> {
    const world = new RealWorld(plan);
    const url = await world.counterparts.listen();
    world.place = await placeOf(plan.store);
    for (let slot = 0; slot < world.place.processes; slot++) {
      const env = (folder: string) => environment(folder, `${url}/${slot}`, plan.seed, world.place);
      world.processes.push(await Process.begin(env));
    }
    try {
      await world.live();
      return { faults: world.faultsFound, payments: world.database.payments.size };
    } finally {
      for (const process of world.processes) await process.end();
      await world.counterparts.close();
      await world.place.stop();
    }
  }

  fail(error: unknown): void {
    const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
    this.log(`FAULT: ${fault}`);
    this.faultsFound.push(fault);
  }

  log(line: string): void {
    if (this.plan.log) console.log(`${(performance.now() / 1_000).toFixed(1)} ${line}`);
  }

  livesOn(): void {
    // What moves later on is moved beside the shoppers' acts.
  }

  /** Its first query may find a machine that does not know it yet. */
  lags(name: string): boolean {
    return !this.asked.has(name) && this.asked.add(name).has(name);
  }

  fateOf(reference: string): Fate {
    return this.endings.has(reference) ? 'arrives' : this.chance.weighted(this.faults.sending);
  }

  /** What the gateway says. */
  tell(name: string, fact: Fact, isQuery: boolean): Fact {
    const { faults, gateway } = this;
    const { level } = faults;
    if (this.endings.has(orderOf(name))) faults.level = 0;
    const told = gateway.answer(name, fact, gateway.accounts.get(name), isQuery);
    faults.level = level;
    return told;
  }

  /** What charges reaches the gateway. */
  charges(type: string, name: string): void {
    if (!['pay', 'otp', 'complete'].includes(type)) return;
    for (const beside of this.judge.beside(name)) this.charged.push({ charged: name, beside });
  }

  /** The merchant's server is told something: in order, apart from what it was told before. */
  hears(body: string): string {
    const told = JSON.parse(body) as Told;
    const { id, reference } = told.data;
    if (this.heard.has(told.id)) return reference;
    this.heard.set(told.id, told);
    const former = this.sequences.get(id) ?? 0;
    if (told.sequence !== former + 1 && !this.judge.lossy.has(reference))
      this.fail(`${reference}: event ${told.sequence} of ${id} comes after ${former}`);
    this.sequences.set(id, told.sequence);
    return reference;
  }

  acknowledge(reference: string, id: string | undefined): void {
    if (id?.startsWith('pay_') || id?.startsWith('cs_')) this.acknowledged.set(id, reference);
  }

  /** A process is asked about something, or asks: it may be struck. Returns whether it is dead then. */
  async moment(at: Moment, reference: string, slot: number): Promise<boolean> {
    const { armed } = this;
    const struck = this.processes[slot];
    if (!struck || armed?.at !== at || armed.reference !== reference) return false;
    this.armed = undefined;
    await this.blow(armed.blow, struck);
    armed.resolve();
    return armed.blow === 'kill';
  }

  /** One that runs; where none does, one that is about to. */
  async anyProcess(): Promise<{ slot: number; url: string }> {
    const up = this.processes.filter(({ isUp }) => isUp);
    const found = this.chance.of(up.length > 0 ? up : this.processes);
    const { url } = await found.running;
    return { slot: this.processes.indexOf(found), url };
  }

  /** Reads over the API, again where the process dies meanwhile. */
  async asking<T>(read: (client: TillfrontClient) => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      const { url } = await this.anyProcess();
      try {
        return await read(new TillfrontClient(url, KEYS.anna));
      } catch (error) {
        if (tries === 600) throw error;
        await sleep(100);
      }
    }
  }

  private async live(): Promise<void> {
    let [begun, payments] = [0, 0];
    const lives = Array.from({ length: AT_ONCE }, async () => {
      while (payments < this.plan.payments) {
        const reference = `R${this.plan.seed}.${begun++}`;
        const shopper = this.shopper(reference);
        await live(
          { act: (act) => this.beset(shopper, act), sees: () => shopper.sees(), sleep: rush },
          this.chance,
        );
        payments += (await shopper.sees()).payments.length;
      }
    });
    const isPossible = {
      kill: true,
      shutDown: true,
      failOver: this.place.failOver,
      fill: !this.place.failOver,
    };
    for (const [index, [name, strike]] of Object.entries(STRIKES).entries())
      if (isPossible[strike.blow ?? 'kill']) await this.strike(name, `K${this.plan.seed}.${index}`, strike);
    await Promise.all([...lives, ...this.acts]);
    await this.lose();
    await this.rest();
  }

  private shopper(reference: string): Shopper {
    const shopper = new Shopper(this, reference);
    this.shoppers.set(reference, shopper);
    return shopper;
  }

  /** An act, and now and then a move of the gateway's own behind it. */
  private async beset(shopper: Shopper, act: Act): Promise<void> {
    await shopper.act(act);
    const names = [...this.gateway.accounts.keys()].filter((name) => orderOf(name) === shopper.reference);
    if (names.length === 0 || !this.chance.is(0.2)) return;
    const name = this.chance.of(names);
    const isMoved = this.gateway.moves(name, this.chance.of(Object.keys(OWN_MOVES)));
    if (isMoved && !this.faults.happens('lostNotification')) await this.notify(name);
  }

  /** The gateway notifies until it is taken. */
  private async notify(name: string): Promise<void> {
    const told = words(wordOf(this.gateway.accounts.get(name)), name).body;
    const body = JSON.stringify({ ...(told as object), client_ref: name });
    for (;;) {
      const { slot, url } = await this.anyProcess();
      const headers = { 'content-type': 'application/json' };
      const sent = fetch(`${url}/v1/gateway/notifications`, { method: 'POST', headers, body });
      const answered = sent.catch(() => undefined);
      await this.moment('notified', orderOf(name), slot);
      if ((await answered)?.ok) return;
      await sleep(100);
    }
  }

  /** A plan's order comes to where a process is struck, and is struck there. */
  private async strike(
    name: string,
    reference: string,
    { before, act, at, blow = 'kill', ends }: Strike,
  ): Promise<void> {
    this.log(`strikes: ${name}`);
    this.endings.set(reference, 'paid');
    if (ends) this.ends.set(reference, ends);
    const shopper = this.shopper(reference);
    for (const step of before) await this.step(shopper, step);
    const { promise, resolve } = Promise.withResolvers<void>();
    this.armed = { at, reference, blow, resolve };
    if (act === 'report') this.acts.push(this.upload(reference));
    else if ('gateway' in act) await this.step(shopper, act);
    // Who asked may wait until it is known what became of it: others are struck meanwhile.
    else this.acts.push(shopper.act(act));
    await promise;
  }

  private async step(shopper: Shopper, step: Strike['before'][number]): Promise<void> {
    if ('ending' in step) this.endings.set(shopper.reference, step.ending);
    else if ('do' in step) await shopper.act(step);
    else {
      this.gateway.moves(`${shopper.reference}_${step.n}`, step.gateway);
      await this.notify(`${shopper.reference}_${step.n}`);
    }
  }

  private async blow(blow: Blow, process: Process): Promise<void> {
    switch (blow) {
      case 'kill':
        return process.kill();
      case 'failOver':
        return this.place.failOver?.();
      case 'shutDown': {
        const { exited } = await process.shutDown();
        this.acts.push(
          exited.then(({ code }) => (code === 0 ? undefined : this.fail(`a shutdown ends with ${code}`))),
        );
        return;
      }
      case 'fill':
        await process.fill(true);
        this.acts.push(this.isFull(process).finally(() => process.fill(false)));
    }
  }

  /** Until it says so, and refuses what it cannot keep. */
  private async isFull({ running }: Process): Promise<void> {
    const { url } = await running;
    await until(async () => !(await isReady({ url })), LONGEST_MS);
    const client = new TillfrontClient(url, KEYS.anna);
    const { status } = await client.post('/v1/checkout-sessions', sessionRequest());
    if (status !== 503) this.fail(`a session that cannot be kept is answered ${status}`);
  }

  /** The gateway's report. It is sent again where the process dies in the midst of it. */
  private async upload(reference: string): Promise<void> {
    const report = reportOf(this.gateway.accounts, reference);
    for (;;) {
      const { slot, url } = await this.anyProcess();
      const headers = { authorization: `Bearer ${KEYS.anna}`, 'content-type': 'text/csv' };
      const sending = request(`${url}/v1/settlements`, { method: 'POST', headers });
      const answered = once(
        sending.on('error', () => undefined),
        'response',
      ).catch(() => undefined);
      sending.write(report.slice(0, report.length / 2));
      await this.moment('uploading', reference, slot);
      sending.end(report.slice(report.length / 2));
      const [answer] = ((await answered) ?? []) as IncomingMessage[];
      if (answer) await textOf(answer);
      if (answer?.statusCode === 200 || answer?.statusCode === 201) return;
      await sleep(100);
    }
  }

  /** The store goes back to what it was: an order that was paid meanwhile is not charged again. */
  private async lose(): Promise<void> {
    const { place, processes } = this;
    const reference = `L${this.plan.seed}`;
    this.endings.set(reference, 'paid');
    const shopper = this.shopper(reference);
    await shopper.act({ do: 'session' });
    await until(async () => (await this.undelivered()).length === 0, LONGEST_MS);
    if ((await this.restored()).some(Boolean))
      this.fail('nothing was lost yet, and the store says that it was');
    const heard = new Set(this.heard.keys());
    const arrived = new Map(this.counterparts.arrived);
    // The service goes on by itself meanwhile: what it learned of other orders, and sent for them, is lost too.
    const loseOthers = (): void => {
      for (const [id, { data }] of this.heard) if (!heard.has(id)) this.judge.lossy.add(data.reference);
      for (const [what, count] of this.counterparts.arrived)
        if (count !== arrived.get(what)) this.judge.lossy.add(orderOf(what.split(' ')[1] ?? ''));
    };
    await place.copy(processes);
    this.judge.lossy.add(reference);
    await shopper.act({ do: 'pay' });
    await place.goBack(processes);
    loseOthers();
    await until(async () => (await this.restored()).every(Boolean), LONGEST_MS);
    loseOthers();
    // While the loss is being found, unknown is unclear.
    await until(async () => (await shopper.perform({ do: 'pay' })) !== 'outcome-unknown', LONGEST_MS);
    this.ends.set(reference, { 1: 'succeeded' });
  }

  /** Whether each process says that commits were lost. */
  private restored(): Promise<boolean[]> {
    return Promise.all(
      this.processes.map(async ({ running }) => {
        const answer = await fetch(`${(await running).url}/health/ready`);
        return ((await answer.json()) as { restored?: string }).restored !== undefined;
      }),
    );
  }

  /** Nothing goes wrong any more, the gateway comes to its ends and says so: then nothing may be wrong for long. */
  private async rest(): Promise<void> {
    this.log('rests');
    this.faults.level = 0;
    for (const name of this.gateway.accounts.keys()) {
      const isStruck = this.endings.has(orderOf(name));
      this.gateway.moves(name, 'refunds');
      this.gateway.moves(name, isStruck ? 'pays' : this.chance.of(['pays', 'declines', 'expires']));
      await this.notify(name);
    }
    const found = this.faultsFound;
    const end = performance.now() + LONGEST_MS;
    for (let round = 1; ; round++) {
      this.faultsFound = [];
      await this.judged();
      if (this.faultsFound.length === 0 || performance.now() > end) break;
      this.log(`not yet at rest: ${this.faultsFound[0]}`);
      // What is asked about rarely is asked about now.
      if (round % 5 === 0)
        for (const { payment } of this.database.payments.values())
          await this.asking((client) => client.post(`/v1/payments/${payment.id}/refresh`));
      await sleep(1_000);
    }
    this.faultsFound.unshift(...found);
    this.chargedAlone();
    await this.agrees();
  }

  private async judged(): Promise<void> {
    const { judge } = this;
    await this.see();
    for (const reference of this.shoppers.keys()) judge.whole(reference);
    judge.atRest();
    for (const [reference, ends] of this.ends) judge.ended(ends, reference);
    for (const [id, reference] of this.acknowledged) {
      const { order, payments } = this.database.state(reference);
      const isThere = [...payments, ...(order?.sessions ?? [])].some((one) => one.id === id);
      if (!isThere && !judge.lossy.has(reference)) this.fail(`${id} was acknowledged, and is not there`);
    }
    this.isSentOnce();
    for (const one of await this.undelivered())
      this.fail(`${one.data.reference}: ${one.id} is not delivered`);
    for (const { id, data } of this.heard.values())
      if (!this.told.has(id) && !judge.lossy.has(data.reference))
        this.fail(`${id} was told, and is not there`);
  }

  /** What reached the gateway was said to be sent, each time. */
  private isSentOnce(): void {
    for (const [what, count] of this.counterparts.arrived) {
      const [type, name = ''] = what.split(' ');
      const lines = this.payment(name)?.timeline ?? [];
      const sent = lines.filter((line) => line.type === 'sent' && line.detail?.['operation'] === type);
      if (count > sent.length && !this.judge.lossy.has(orderOf(name)))
        this.fail(`${what} came ${count} times, of ${sent.length}`);
    }
  }

  private payment(name: string): Payment | undefined {
    return this.database
      .state(orderOf(name))
      .payments.find(({ gatewayReference }) => gatewayReference === name);
  }

  /** Nothing was charged beside what held money, or might, unless a person or the payer had called that off. */
  private chargedAlone(): void {
    for (const { charged, beside } of this.charged) {
      const known = this.payment(beside);
      const isCalledOff = known?.timeline.some(({ to }) => to === 'canceled' || to === 'expired');
      const isExcused = isCalledOff || this.judge.resolved.has(known?.id ?? '');
      if (!isExcused) this.fail(`${charged} was charged beside ${beside}`);
    }
  }

  /** The gateway's report differs from our books only where a person has it. */
  private async agrees(): Promise<void> {
    await this.upload('');
    const differences = await this.asking((client) =>
      allOf<{ reference: string; kind: string }>(client, '/v1/differences?state=open&', 'cursor'),
    );
    for (const { reference, kind } of differences) {
      const one = this.payment(reference);
      const isAttended = one && (one.attention.length > 0 || this.judge.resolved.has(one.id));
      if (!isAttended) this.fail(`${reference}: the gateway's report differs: ${kind}`);
    }
  }

  private async undelivered(): Promise<Told[]> {
    const events = await this.asking((client) => allOf<Told>(client, '/v1/events?', 'after'));
    this.told = new Set(events.map(({ id }) => id));
    return events.filter(
      ({ delivery, data }) => delivery?.status !== 'delivered' && !this.judge.lossy.has(data.reference),
    );
  }

  /** Reads everything. */
  private async see(): Promise<void> {
    const database = new Database(() => undefined);
    for (const [reference, { sessions }] of this.shoppers) {
      const seen = await this.asking((client) => look(client, reference, sessions));
      if (seen.order) database.orders.set(reference, { rev: '', order: seen.order });
      for (const payment of seen.payments) database.payments.set(payment.id, { payment, lease: undefined });
    }
    database.movements = await this.asking(movementsOf);
    for (const { payment } of database.payments.values())
      if (payment.status !== 'voided') payment.reversed = reversedOf(payment, database.movements);
    this.database = database;
  }
}

const environment = (folder: string, url: string, seed: number, place: Place): Record<string, string> => ({
  ...place.environment,
  GATEWAY_BASE_URL: url,
  GATEWAY_PROFILE: writeProfile(folder),
  GATEWAY_TIMEOUT_MS: '3000',
  NOT_FOUND_GRACE_SECONDS: '9',
  MERCHANT_API_KEY: `anna=${KEYS.anna},ben=${KEYS.ben}`,
  MERCHANT_WEBHOOK_URL: `${url}/hook`,
  MERCHANT_WEBHOOK_SECRET: `whsec_${Buffer.alloc(24, 7).toString('base64')}`,
  DUPLICATE_POLICY: seed % 2 === 0 ? 'announce' : 'void',
  APPROVAL_ABOVE,
});

/** What takes hours in a simulated world does not here. */
const rush = (ms: number): Promise<void> => sleep(Math.min(ms / 100, 500));
