import type { Config } from '../../config/config.js';
import type { Profile } from '../../gateway/profile/format.js';
import { Naming } from '../../payments/named/naming.js';
import type { Store } from '../../store/store.js';
import { DifferencesRepository } from '../store/differences.repository.js';
import { KnownMoneyRepository } from '../store/known-money.repository.js';
import { MatchesRepository } from '../store/matches.repository.js';
import { SettlementRowsRepository } from '../store/settlement-rows.repository.js';
import { SettlementsRepository } from '../store/settlements.repository.js';
import { CompareFiles } from './compare-files.js';
import { CompareOrders } from './compare-orders.js';
import { MatchReport } from './match-report.js';
import { Matcher } from './matcher.js';
import { MatchingTurn } from './matching-turn.js';
import { Unsettled } from './unsettled.js';

/** What compares files where no service runs. */
export interface ComparisonAlone {
  readonly files: CompareFiles;
  readonly matcher: Matcher;
  readonly turn: MatchingTurn;
  readonly differences: DifferencesRepository;
  readonly settlements: SettlementsRepository;
}

/** Puts together what compares files with a store. */
export function compareAlone(
  store: Store,
  profile: Pick<Profile, 'reference'>,
  config: Pick<Config, 'settlementExpectedDays'>,
): ComparisonAlone {
  const settlements = new SettlementsRepository(store);
  const rows = new SettlementRowsRepository(store);
  const money = new KnownMoneyRepository(store);
  const matches = new MatchesRepository(store);
  const differences = new DifferencesRepository(store);
  const turn = new MatchingTurn(store);
  const matcher = new Matcher(store, settlements, rows, money, matches, differences, profile, config);
  const report = new MatchReport(
    store,
    settlements,
    rows,
    differences,
    matcher,
    turn,
    new Unsettled(store, money, matches, matcher, turn),
    new Naming(store, profile),
  );
  const orders = new CompareOrders(store, settlements, rows, money, differences, turn, config);
  const files = new CompareFiles(store, settlements, rows, money, report, orders);
  return { files, matcher, turn, differences, settlements };
}
