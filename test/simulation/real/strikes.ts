import type { Step } from '../beginnings.js';
import type { Act } from '../people.js';

/** When a process is struck, as it is seen from outside: by who asks it, or by whom it asks. */
export type Moment =
  | 'asked'
  | 'answered'
  | `${'pay' | 'otp' | 'pin' | 'complete' | 'void' | 'refund'} ${'arrives' | 'taken' | 'answered'}`
  | `query ${'arrives' | 'answered'}`
  | 'event arrives'
  | 'notified'
  | 'uploading';

/** What happens to it then. */
export type Blow = 'kill' | 'shutDown' | 'failOver' | 'fill';

export interface Strike {
  /** The order's life before. */
  before: readonly Extract<Step, { ending: unknown } | { do: unknown } | { gateway: unknown }>[];
  /** What the order's shopper does, or what the gateway moves by itself, when it strikes. */
  act: Act | { gateway: string; n: number } | 'report';
  at: Moment;
  blow?: Blow;
  /** How the order's payments end, by N. Absent: that depends on how far the process had come. */
  ends?: Readonly<Record<number, string>>;
}

const OPEN: Strike['before'] = [{ ending: 'paid' }, { do: 'session' }];
const PAID: Strike['before'] = [...OPEN, { do: 'pay' }];
const ASKED: Strike['before'] = [{ ending: 'asked' }, { do: 'session' }, { do: 'pay' }, { ending: 'paid' }];
const WAITING: Strike['before'] = [{ ending: 'waiting' }, { do: 'session' }, { do: 'pay', method: 'wallet' }];
const HELD: Strike['before'] = [{ ending: 'held' }, { do: 'session' }, { do: 'pay' }];
const SUCCEEDED = { 1: 'succeeded' };

/** Where a process dies, all of them on both stores; then what else ends one. */
export const STRIKES: Readonly<Record<string, Strike>> = {
  'a session as it is asked for': {
    before: [{ ending: 'paid' }],
    act: { do: 'session' },
    at: 'asked',
    ends: {},
  },
  'a session as it is answered': {
    before: [{ ending: 'paid' }],
    act: { do: 'session' },
    at: 'answered',
    ends: {},
  },
  // An intent that was committed and not sent fails, and its key says so.
  'a card as it is sent': { before: OPEN, act: { do: 'pay' }, at: 'asked' },
  'a card that never reaches the gateway': {
    ...{ before: OPEN, act: { do: 'pay' }, at: 'pay arrives', ends: { 1: 'failed' } },
  },
  'a card once it is charged': { before: OPEN, act: { do: 'pay' }, at: 'pay taken', ends: SUCCEEDED },
  'a card once the gateway has answered': {
    before: OPEN,
    act: { do: 'pay' },
    at: 'pay answered',
    ends: SUCCEEDED,
  },
  'a code once it is taken': { before: ASKED, act: { do: 'otp' }, at: 'otp taken', ends: SUCCEEDED },
  'a completion once it is done': {
    before: HELD,
    act: { do: 'complete' },
    at: 'complete taken',
    ends: SUCCEEDED,
  },
  'a void once it is done': { before: PAID, act: { do: 'void' }, at: 'void taken', ends: { 1: 'voided' } },
  'a refund once it is done': {
    before: PAID,
    act: { do: 'refund', part: true },
    at: 'refund taken',
    ends: SUCCEEDED,
  },
  'a refund once it is approved': {
    before: PAID,
    act: { do: 'refund' },
    at: 'refund taken',
    ends: SUCCEEDED,
  },
  'a status query': { before: WAITING, act: { do: 'refresh' }, at: 'query arrives', ends: SUCCEEDED },
  'a cancellation once it is allowed': {
    ...{ before: ASKED, act: { do: 'cancel' }, at: 'query answered', ends: SUCCEEDED },
  },
  'an event as it is delivered': { before: OPEN, act: { do: 'pay' }, at: 'event arrives', ends: SUCCEEDED },
  'a notification as it is sent': {
    before: WAITING,
    act: { gateway: 'pays', n: 1 },
    at: 'notified',
    ends: SUCCEEDED,
  },
  'a report half of which is uploaded': { before: PAID, act: 'report', at: 'uploading', ends: SUCCEEDED },
  'a shutdown': { before: OPEN, act: { do: 'pay' }, at: 'pay arrives', blow: 'shutDown', ends: SUCCEEDED },
  'a failover': { before: OPEN, act: { do: 'pay' }, at: 'pay taken', blow: 'failOver', ends: SUCCEEDED },
  'a full disk': { before: OPEN, act: { do: 'pay' }, at: 'pay taken', blow: 'fill', ends: SUCCEEDED },
};
