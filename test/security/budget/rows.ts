import { wire, type Call, type Listener } from './described-calls.js';
import type { Tally } from './hostile-client.js';
import {
  answerSizes,
  leaveUnread,
  ordinarily,
  oversized,
  pause,
  pipelined,
  pipelinedBy,
  resetting,
  sendLarge,
  slowly,
} from './manners.js';
import { ALL_LISTENERS, STRANGE_SHAPES } from './strange-shapes.js';
import { givenBack, type Attack, type Row } from './measure.js';
import type { Subject } from './subject.js';

/** How long a call is attacked. What a service takes on at once, it shows at once. */
const ONE_MS = 60;
const MANY_MS = 150;
const LARGE_MS = 1_000;
/** The contract's patience is 30 s for a reader, 15 s for a request; a busy machine looks late. */
const SHOWN_OUT_MS = 60_000;

const MANY = 50;

const nameOf = (call: Call): string => `${call.route} as ${call.who}`;

/** Each call by itself, attacked in one manner. */
const each =
  (act: (call: Call, subject: Subject, tally: Tally) => Promise<unknown>): Attack =>
  async (subject, calls, tally, cell) => {
    for (const call of calls) {
      if (subject.ended() !== undefined) return;
      await cell(nameOf(call), () => act(call, subject, tally));
    }
  };

const isUpload = ({ media }: Call): boolean => media === 'text/csv';

const pipeline = (connections: number, reads: boolean, forMs: number): Attack =>
  each((call, { ports }, tally) =>
    pipelined([call], connections, { ports, tally }, { reads, greedy: true, forMs }),
  );

const resets =
  (connections: number): Attack =>
  async (subject, calls, tally, cell) => {
    const { ports } = subject;
    const attack = (call: Call) => [{ port: ports[call.listener], bytes: wire(call.request()) }];
    await each((call) => resetting(attack(call), connections, { tally }))(subject, calls, tally, cell);
    await strangeShapes(connections)(subject, calls, tally, cell);
  };

/** All calls at every moment, so many at a time. */
const resetsTogether =
  (connections: number): Attack =>
  async (subject, calls, tally, cell) => {
    const all = calls.map((call) => ({ port: subject.ports[call.listener], bytes: wire(call.request()) }));
    await cell('all calls together', () => resetting(all, connections, { tally }));
    await strangeShapes(connections)(subject, calls, tally, cell);
  };

const strangeShapes =
  (connections: number): Attack =>
  async (subject, _calls, tally, cell) => {
    for (const listener of listenersOf(subject)) {
      if (subject.ended() !== undefined) return;
      const shapes = STRANGE_SHAPES.map((bytes) => ({ port: subject.ports[listener], bytes }));
      await cell(`strange shapes at the port of ${listener}`, () =>
        resetting(shapes, connections, { tally }),
      );
    }
  };

/** One for each port. */
const listenersOf = ({ ports }: Subject): Listener[] =>
  ALL_LISTENERS.filter(
    (listener, index) => ALL_LISTENERS.findIndex((other) => ports[other] === ports[listener]) === index,
  );

const large = (connections: number): Attack =>
  each((call, { ports }, tally) =>
    sendLarge(oversized(call), ports[call.listener], connections, { tally }, LARGE_MS),
  );

/** More than the buffers of both systems take of answers that nobody reads. */
const UNTAKEN = 16 * 1024 * 1024;

/**
 * Left unread until the service ends them, those whose answers are more than the systems' buffers hold: what these have taken
 * is no longer the service's. A client that does not read learns nothing of its end, so the service's handles are looked at:
 * none may be left while the client still holds its side.
 */
const unreadToTheEnd: Attack = async (subject, calls, tally, cell) => {
  const { ports } = subject;
  await cell('all calls together', async () => {
    const sizes = await answerSizes(calls, { ports, tally });
    const large = calls.filter((call, index) => pipelinedBy(call) * (sizes[index] ?? 0) > UNTAKEN);
    if (large.length === 0) throw new Error('no call has an answer that is large enough');
    const held = await leaveUnread(large, MANY, { ports, tally });
    await pause(1_000);
    for (const deadline = performance.now() + SHOWN_OUT_MS; performance.now() < deadline;) {
      if (subject.ended() !== undefined || givenBack(subject)) break;
      await pause(250);
    }
    if (subject.ended() === undefined && !givenBack(subject))
      throw new Error(`not all of ${held.length} connections that read nothing were ended within a minute`);
    for (const connection of held) connection.end();
  });
};

const slowToTheEnd: Attack = async ({ ports }, calls, tally, cell) => {
  await cell('all calls together', async () => {
    // An upload may take two minutes, as long as something of it comes.
    const quick = calls.filter((call) => !isUpload(call));
    const left = await slowly(quick, MANY, { ports, tally }, SHOWN_OUT_MS);
    if (left.length > 0) throw new Error(`not ended within a minute: ${left.join(', ')}`);
  });
};

const ordinary =
  (connections: number, rounds: number): Attack =>
  async ({ ports }, calls, tally, cell) => {
    await cell('all calls together', () => ordinarily(calls, connections, { ports, tally }, rounds));
  };

/** Everything at once and under the usual limits, manner by manner. */
const underLimits: Attack = async (subject, calls, tally, cell) => {
  const target = { ports: subject.ports, tally };
  const all = calls.map((call) => ({ port: subject.ports[call.listener], bytes: wire(call.request()) }));
  const manners: readonly [name: string, act: () => Promise<unknown>][] = [
    ['ordinary', () => ordinarily(calls, MANY, target, 5)],
    ['pipelined', () => pipelined(calls, MANY, target, { reads: true, greedy: true, forMs: LARGE_MS })],
    ['unread', () => pipelined(calls, MANY, target, { reads: false, greedy: true, forMs: LARGE_MS })],
    ['slow', () => slowly(calls, MANY, target, LARGE_MS)],
    ['reset', () => resetting(all, MANY, target)],
    ...listenersOf(subject).map((listener): [string, () => Promise<unknown>] => [
      `strange shapes at the port of ${listener}`,
      () =>
        resetting(
          STRANGE_SHAPES.map((bytes) => ({ port: subject.ports[listener], bytes })),
          MANY,
          target,
        ),
    ]),
    ...calls
      .filter(({ media }) => media !== undefined)
      .map((call): [string, () => Promise<unknown>] => [
        `oversized ${nameOf(call)}`,
        () => sendLarge(oversized(call), subject.ports[call.listener], MANY, target, MANY_MS),
      ]),
  ];
  for (const [name, act] of manners) if (subject.ended() === undefined) await cell(name, act);
};

export const ROWS: readonly Row[] = [
  { manner: 'ordinary', connections: 1, setting: 'unlimited', run: ordinary(1, 2) },
  { manner: 'ordinary', connections: MANY, setting: 'unlimited', mixed: true, run: ordinary(MANY, 10) },
  {
    manner: 'oversized',
    connections: 1,
    setting: 'unlimited',
    run: large(1),
  },
  { manner: 'oversized', connections: MANY, setting: 'unlimited', run: large(MANY) },
  {
    manner: 'pipelined',
    connections: 1,
    setting: 'unlimited',
    run: pipeline(1, true, ONE_MS),
  },
  { manner: 'pipelined', connections: MANY, setting: 'unlimited', run: pipeline(MANY, true, MANY_MS) },
  {
    manner: 'pipelined, unread',
    connections: 1,
    setting: 'unlimited',
    run: pipeline(1, false, ONE_MS),
  },
  {
    manner: 'pipelined, unread',
    connections: MANY,
    setting: 'unlimited',
    run: pipeline(MANY, false, MANY_MS),
  },
  { manner: 'unread to the end', connections: MANY, setting: 'unlimited', run: unreadToTheEnd },
  { manner: 'slow to the end', connections: MANY, setting: 'unlimited', run: slowToTheEnd },
  {
    manner: 'reset',
    connections: 1,
    setting: 'unlimited',
    run: resets(1),
  },
  {
    manner: 'reset',
    connections: MANY,
    setting: 'unlimited',
    run: resets(MANY),
    together: { attack: resetsTogether(MANY), connections: MANY },
  },
  {
    manner: 'all of them, usual limits',
    connections: MANY,
    setting: 'defaults',
    run: underLimits,
  },
];
