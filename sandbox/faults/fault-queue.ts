import { type Fault, FAULT_KINDS, type FaultKind } from './fault.ts';
import { isOperation, type Operation } from '../dialects/operations.ts';
import { isObject } from '../dialects/pointer.ts';

/** A queued fault. */
export interface QueuedFault {
  fault: Fault;
  /** The operations that it applies to. `*` for all. */
  operations: readonly (Operation | '*')[];
  clientRef?: string;
  /** How many matching calls it skips first. */
  skip: number;
  /** How many more calls it applies to. `forever` for no limit. */
  times: number | 'forever';
  /** 0 to 1: the probability that it applies to a matching call. */
  probability: number;
  random: () => number;
}

/** Faults in the order in which they were queued. The first that matches a call is applied. */
export class FaultQueue {
  readonly #queue: QueuedFault[] = [];

  add(queued: QueuedFault): void {
    this.#queue.push(queued);
  }

  /** The fault for this call, if any. Counts the call. */
  take(operation: Operation, clientRef: string): Fault | undefined {
    for (const queued of this.#queue) {
      if (!queued.operations.some((one) => one === '*' || one === operation)) continue;
      if (queued.clientRef !== undefined && queued.clientRef !== clientRef) continue;
      if (queued.skip > 0) {
        queued.skip -= 1;
        continue;
      }
      if (queued.probability < 1 && queued.random() >= queued.probability) continue;
      if (queued.times !== 'forever') {
        queued.times -= 1;
        if (queued.times === 0) this.#queue.splice(this.#queue.indexOf(queued), 1);
      }
      return queued.fault;
    }
    return undefined;
  }

  list(): object[] {
    return this.#queue.map(({ random: _random, ...shown }) => shown);
  }

  clear(): void {
    this.#queue.length = 0;
  }
}

/** Reads a fault from untrusted JSON. Returns the fault, or what is wrong with it. */
export function readFault(value: unknown): QueuedFault | string[] {
  if (!isObject(value)) return ['a fault must be an object'];
  const problems: string[] = [];
  const check = (name: string, ok: boolean, rule: string): void => {
    if (value[name] !== undefined && !ok) problems.push(`${name}: ${rule}`);
  };
  const known = [
    'kind',
    'operation',
    'clientRef',
    'client_ref',
    'times',
    'skip',
    'probability',
    'seed',
    ...OPTIONS,
  ];
  for (const name of Object.keys(value)) if (!known.includes(name)) problems.push(`${name}: no such member`);
  const kind = FAULT_KINDS.find((one) => one === value.kind);
  if (!kind) problems.push(`kind: must be one of ${FAULT_KINDS.join(', ')}`);
  const names = [value.operation ?? '*'].flat();
  const operations = names.filter((name): name is Operation | '*' => name === '*' || isOperation(name));
  if (operations.length !== names.length || names.length === 0)
    problems.push('operation: must be an operation, a list of them, or *');
  const clientRef = value.clientRef ?? value.client_ref;
  check('clientRef', typeof clientRef === 'string', 'must be a string');
  check('client_ref', typeof clientRef === 'string', 'must be a string');
  check(
    'times',
    value.times === 'forever' || isWhole(value.times, 1),
    'must be a whole number from 1, or "forever"',
  );
  check(
    'probability',
    typeof value.probability === 'number' && value.probability >= 0 && value.probability <= 1,
    'must be from 0 to 1',
  );
  for (const name of ['skip', 'seed', 'delayMs', 'processAfterMs', 'intervalMs'])
    check(name, isWhole(value[name], 0), 'must be a whole number from 0');
  check('processed', typeof value.processed === 'boolean', 'must be a boolean');
  check('status', isWhole(value.status, 200) && Number(value.status) <= 599, 'must be from 200 to 599');
  for (const name of ['location', 'word']) check(name, typeof value[name] === 'string', 'must be a string');
  check(
    'headers',
    isObject(value.headers) && Object.values(value.headers).every((one) => typeof one === 'string'),
    'must be an object of strings',
  );
  if (kind === 'delay' && value.delayMs === undefined && value.processAfterMs === undefined)
    problems.push('delayMs: is needed');
  if (!kind || problems.length > 0) return problems;

  const options = Object.fromEntries(
    OPTIONS.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]])),
  );
  return {
    fault: { processed: isProcessed(kind, Number(value.status ?? 500)), ...options, kind },
    operations,
    ...(typeof clientRef === 'string' ? { clientRef } : {}),
    skip: Number(value.skip ?? 0),
    times: value.times === 'forever' ? 'forever' : Number(value.times ?? 1),
    probability: Number(value.probability ?? 1),
    random: seededRandom(Number(value.seed ?? 1)),
  };
}

const OPTIONS = [
  'processed',
  'processAfterMs',
  'delayMs',
  'status',
  'body',
  'headers',
  'location',
  'intervalMs',
  'word',
] as const;

/** The default effect of a fault: a reset before reading, a redirect and a 4xx do not carry out the operation. */
function isProcessed(kind: FaultKind, status: number): boolean {
  if (kind === 'status') return status < 400 || status >= 500;
  return kind !== 'reset-before' && kind !== 'redirect';
}

function isWhole(value: unknown, least: number): boolean {
  return Number.isSafeInteger(value) && Number(value) >= least;
}

/** Mulberry32: the same seed gives the same hits. */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
