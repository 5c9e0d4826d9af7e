import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { judgeHistory, type HistoryKnowledge, type HistoryLook } from './judge-history.js';

const system = '7400000000000000001';
const at = (timeline: number) => ({ system, timeline });

const KNOWN: HistoryKnowledge = {
  history: at(2),
  commits: [{ reference: 'A', version: 3 }],
  acceptedBefore: new Set(['old']),
  epoch: 1,
};
const SEEN: HistoryLook = {
  readOnly: false,
  history: at(2),
  versions: { A: 3 },
  losses: [{ id: 'old', accepted: true }],
  epoch: 1,
};

const whole = { kind: 'whole', moved: false, accepted: false };

describe('what a database shows, against what a process knows', () => {
  test.each<[string, Partial<HistoryKnowledge>, Partial<HistoryLook>, object]>([
    ['the same', {}, {}, whole],
    ['a later version of a reference', {}, { versions: { A: 9 } }, whole],
    ['a promoted standby that has everything', {}, { history: at(3) }, { ...whole, moved: true }],
    [
      'another cluster with everything',
      {},
      { history: { system: '1', timeline: 1 } },
      { ...whole, moved: true },
    ],
    ['a database that does not tell its history', {}, { history: null }, whole],
    ['a process that knows nothing yet', { history: undefined, commits: [] }, { versions: {} }, whole],
    ['a standby', {}, { readOnly: true, versions: {} }, { kind: 'read-only' }],
    ['an older version', {}, { versions: { A: 2 } }, { kind: 'lost', missing: KNOWN.commits, older: false }],
    [
      'a reference that is gone',
      {},
      { versions: {}, history: at(3) },
      { kind: 'lost', missing: KNOWN.commits },
    ],
    ['the primary that was left', {}, { history: at(1) }, { kind: 'lost', missing: [], older: true }],
    [
      'a loss that another process has found',
      {},
      { losses: [{ id: 'new', accepted: false }] },
      { kind: 'lost' },
    ],
    [
      'a loss that was accepted meanwhile',
      {},
      { versions: {}, history: at(1), losses: [{ id: 'new', accepted: true }] },
      { kind: 'whole', moved: true, accepted: true },
    ],
    [
      'a loss that was accepted, and another one',
      {},
      { losses: [...SEEN.losses, { id: 'new', accepted: true }, { id: 'newer', accepted: false }] },
      { kind: 'lost', missing: [] },
    ],
    ['a later epoch', {}, { epoch: 2 }, whole],
    [
      'an earlier epoch, whatever was accepted in it',
      {},
      { epoch: 0, losses: [...SEEN.losses, { id: 'new', accepted: true }] },
      { kind: 'lost', missing: [], older: true },
    ],
    [
      'a loss accepted long ago, and a new one',
      {},
      { versions: {} },
      { kind: 'lost', missing: KNOWN.commits },
    ],
  ])('%s', (_name, known, seen, verdict) => {
    expect(judgeHistory({ ...KNOWN, ...known }, { ...SEEN, ...seen })).toMatchObject(verdict);
  });

  test('a prefix of what was committed is a loss whenever something known is behind it', () => {
    const writes = fc.array(fc.constantFrom('A', 'B', 'C'), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(writes, fc.nat(30), (order, cut) => {
        const upTo = (end: number): Record<string, number> => {
          const versions: Record<string, number> = {};
          for (const name of order.slice(0, end)) versions[name] = (versions[name] ?? 0) + 1;
          return versions;
        };
        const commits = Object.entries(upTo(order.length)).map(([reference, version]) => ({
          reference,
          version,
        }));
        const verdict = judgeHistory({ ...KNOWN, commits }, { ...SEEN, versions: upTo(cut), history: at(3) });
        expect(verdict.kind).toBe(cut < order.length ? 'lost' : 'whole');
      }),
    );
  });
});
