import type { Fact } from '../../src/gateway/fact.js';
import type { Chance } from './chance.js';

export type Fault =
  | 'crash'
  | 'freeze'
  | 'commitFails'
  | 'commitUnknown'
  | 'refusedConnection'
  | 'lag'
  | 'unclear'
  | 'unlisted'
  | 'foreign'
  | 'misspeaks'
  | 'wrongAmount'
  | 'slow'
  | 'lostNotification';

export type Fate = 'arrives' | 'neverArrives' | 'arrivesLate' | 'answerIsLost';

/** How often what goes wrong, of a thousand. */
const WILD: Record<Fault, number> = {
  crash: 4,
  freeze: 4,
  commitFails: 15,
  commitUnknown: 15,
  refusedConnection: 40,
  lag: 150,
  unclear: 100,
  unlisted: 6,
  foreign: 4,
  misspeaks: 4,
  wrongAmount: 6,
  slow: 40,
  lostNotification: 300,
};

const CALM: Record<Fate, number> = { arrives: 1, neverArrives: 0, arrivesLate: 0, answerIsLost: 0 };
const ROUGH: Record<Fate, number> = { arrives: 70, neverArrives: 8, arrivesLate: 8, answerIsLost: 14 };

export class Faults {
  /** 0: none. 1: all, as often as above. */
  level: number;
  /** What would be most of a world otherwise. */
  private readonly left: Partial<Record<Fault, number>> = { crash: 4, freeze: 4 };
  /** Of the next operation that is sent, where a beginning says so. */
  fate: Fate | undefined;
  slow = false;
  /** What the next answer is, whatever is true. */
  says: Fact | undefined;
  private readonly chance: Chance;

  constructor(chance: Chance, level: number) {
    this.chance = chance;
    this.level = level;
  }

  happens(fault: Fault): boolean {
    const left = this.left[fault];
    if (this.level === 0 || left === 0 || !this.chance.is((WILD[fault] / 1_000) * this.level)) return false;
    if (left !== undefined) this.left[fault] = left - 1;
    return true;
  }

  get sending(): Readonly<Record<Fate, number>> {
    const { fate } = this;
    this.fate = undefined;
    if (fate) return { ...CALM, arrives: 0, [fate]: 1 };
    return this.level > 0 ? ROUGH : CALM;
  }
}
