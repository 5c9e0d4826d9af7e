import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { needProgram } from '../setup/program.js';

/** Each alert rule, tried by Prometheus's own tool: when it fires, that it fires as long as it should, and that it ends. */

const RULES = resolve('deploy/observability/prometheus-rules.yaml');
const STEPS_A_MINUTE = 4;

/** A phase of a series: its value, or by how much it grows in a minute, and for how many minutes. */
type Phase = readonly [value: number, minutes: number];

const steps = (minutes: number): number => minutes * STEPS_A_MINUTE;

function gauge(...phases: Phase[]): string {
  return phases.map(([value, minutes]) => `${value}x${steps(minutes) - 1}`).join(' ');
}

function counter(...phases: Phase[]): string {
  let total = 0;
  return phases
    .flatMap(([perMinute, minutes]) =>
      Array.from({ length: steps(minutes) }, () => (total += perMinute / STEPS_A_MINUTE)),
    )
    .join(' ');
}

/** A histogram's buckets: how many calls a minute are fast, and how many are slow, by phase. */
function durations(
  name: string,
  labels: string,
  { fast, slow }: { fast: string; slow: string },
  ...phases: { fast: number; slow: number; minutes: number }[]
): Record<string, string> {
  const all = phases.map((phase): Phase => [phase.fast + phase.slow, phase.minutes]);
  return {
    [`${name}_bucket{${labels},le="${fast}"}`]: counter(
      ...phases.map((phase): Phase => [phase.fast, phase.minutes]),
    ),
    [`${name}_bucket{${labels},le="${slow}"}`]: counter(...all),
    [`${name}_bucket{${labels},le="+Inf"}`]: counter(...all),
  };
}

interface Case {
  alert: string;
  /** What is tried, where an alert is tried more than once. */
  what?: string;
  series: Record<string, string>;
  /** Minutes after which it fires. */
  fires: number[];
  /** Minutes after which it does not. */
  quiet: number[];
}

const JOB = 'job="tillfront"';
const CALLS = 'tillfront_gateway_request_duration_seconds';
const call = (outcome: string): string => `${CALLS}_count{${JOB},operation="payCard",outcome="${outcome}"}`;
const refusal = (code: string): string => `tillfront_refusals_total{${JOB},code="${code}"}`;
const requests = `tillfront_http_requests_total{${JOB},route="/v1/payments/card",method="POST",status="201"}`;

const slowCalls = (minutes: number): Record<string, string> =>
  durations(
    CALLS,
    `${JOB},operation="payCard",outcome="succeeded"`,
    { fast: '10', slow: '30' },
    { fast: 20, slow: 0, minutes: 10 },
    { fast: 0, slow: 20, minutes },
    { fast: 20, slow: 0, minutes: 20 },
  );
const slowCommits = (minutes: number): Record<string, string> =>
  durations(
    'tillfront_store_write_duration_seconds',
    `${JOB},instance="a"`,
    { fast: '0.1', slow: '0.5' },
    { fast: 60, slow: 0, minutes: 10 },
    { fast: 0, slow: 60, minutes },
    { fast: 60, slow: 0, minutes: 20 },
  );

/** A figure of the store that is too high from the fifth minute on, for `minutes`. */
const high = (name: string, value: number, minutes: number): Record<string, string> => ({
  [`${name}{${JOB},instance="a"}`]: gauge([0, 5], [value, minutes], [0, 10]),
  [`${name}{${JOB},instance="b"}`]: gauge([0, 5], [value, minutes], [0, 10]),
});

const CASES: Case[] = [
  {
    alert: 'TillfrontGatewayRejectsCredentials',
    series: { [call('credentials-rejected')]: counter([0, 5], [2, 5], [0, 10]) },
    fires: [7, 12],
    quiet: [4, 18],
  },
  {
    alert: 'TillfrontStoreForgot',
    series: high('tillfront_store_loss', 1, 30),
    fires: [6, 34],
    quiet: [4, 36],
  },
  {
    alert: 'TillfrontPaymentsNeedAttention',
    series: high('tillfront_payments_needing_attention', 1, 10),
    fires: [11, 14],
    quiet: [9, 16],
  },
  {
    alert: 'TillfrontOrdersPaidTwice',
    series: high('tillfront_duplicates', 1, 70),
    fires: [66],
    quiet: [60, 76],
  },
  {
    alert: 'TillfrontOutcomeUnknownForLong',
    series: high('tillfront_outcome_unknown_oldest_seconds', 2_000, 10),
    fires: [11],
    quiet: [9, 16],
  },
  {
    alert: 'TillfrontOutcomeUnknownForHours',
    series: high('tillfront_outcome_unknown_oldest_seconds', 22_000, 10),
    fires: [11],
    quiet: [9, 16],
  },
  {
    alert: 'TillfrontInquiriesOverdue',
    series: high('tillfront_inquiry_overdue_seconds', 130, 10),
    fires: [11],
    quiet: [9, 16],
  },
  {
    alert: 'TillfrontNotificationsUnmatched',
    series: {
      [`tillfront_notifications_total{${JOB},result="unmatched"}`]: counter([0, 10], [3, 10], [0, 25]),
      [`tillfront_notifications_total{${JOB},result="received"}`]: counter([10, 45]),
    },
    fires: [18, 25],
    quiet: [9, 44],
  },
  {
    alert: 'TillfrontNotificationsUnmatched',
    what: 'a few of many',
    series: {
      [`tillfront_notifications_total{${JOB},result="unmatched"}`]: counter([1, 45]),
      [`tillfront_notifications_total{${JOB},result="received"}`]: counter([30, 45]),
    },
    fires: [],
    quiet: [20, 44],
  },
  {
    alert: 'TillfrontMostPaymentsFail',
    series: {
      [`tillfront_payments_total{${JOB},method="card",status="failed"}`]: counter([0, 15], [5, 25], [0, 30]),
      [`tillfront_payments_total{${JOB},method="card",status="succeeded"}`]: counter(
        [5, 15],
        [0, 25],
        [5, 30],
      ),
    },
    fires: [35],
    quiet: [15, 65],
  },
  {
    alert: 'TillfrontCardTesting',
    series: {
      [`tillfront_card_testing_total{${JOB},result="refused-card"}`]: counter([0, 5], [10, 5], [0, 15]),
    },
    fires: [9],
    quiet: [4, 22],
  },
  {
    alert: 'TillfrontGatewayDoesNotAnswer',
    what: 'three minutes after the last answer, for as long as there is none',
    series: {
      [call('unknown')]: counter([0, 10], [10, 10], [0, 15]),
      [call('succeeded')]: counter([10, 10], [0, 10], [10, 15]),
    },
    fires: [13, 16, 20],
    quiet: [10, 23, 30],
  },
  {
    alert: 'TillfrontGatewayDoesNotAnswer',
    what: 'with one call a minute',
    series: {
      [call('not-sent')]: counter([0, 20], [1, 20], [0, 20]),
      [call('succeeded')]: counter([1, 20], [0, 20], [1, 20]),
    },
    fires: [29, 39],
    quiet: [20, 50],
  },
  {
    alert: 'TillfrontGatewaySlow',
    what: 'while it is slow, and no longer a minute later',
    series: slowCalls(12),
    fires: [17, 22],
    quiet: [14, 24, 28],
  },
  {
    alert: 'TillfrontGatewaySlow',
    what: 'not after the recovery',
    series: slowCalls(3),
    fires: [],
    quiet: [13, 14, 15, 16, 17, 18, 20, 21, 22, 23, 26],
  },
  {
    alert: 'TillfrontEventsNotAccepted',
    series: high('tillfront_events_oldest_waiting_seconds', 1_000, 10),
    fires: [11],
    quiet: [9, 16],
  },
  {
    alert: 'TillfrontEventsGivenUp',
    series: { [`tillfront_deliveries_total{${JOB},result="given_up"}`]: counter([0, 5], [1, 1], [0, 80]) },
    fires: [7, 50],
    quiet: [4, 70],
  },
  {
    alert: 'TillfrontAbsent',
    series: { [`tillfront_ready{${JOB},instance="a"}`]: `1x19 stale _x${steps(20)} 1x40` },
    fires: [8, 24],
    quiet: [4, 6, 27],
  },
  {
    alert: 'TillfrontNoReplicaReady',
    series: {
      [`tillfront_ready{${JOB},instance="a"}`]: gauge([1, 5], [0, 30], [1, 5]),
      [`tillfront_ready{${JOB},instance="b"}`]: gauge([1, 10], [0, 30]),
    },
    fires: [12, 34],
    quiet: [9, 36],
  },
  {
    alert: 'TillfrontStoreUnavailable',
    what: 'for as long as it is away, though no request is refused any longer',
    series: {
      [`tillfront_not_ready{${JOB},instance="a",reason="store"}`]: `_x${steps(5) - 1} 1x${steps(90)} stale`,
      [refusal('store-unavailable')]: counter([0, 5], [10, 1], [0, 100]),
    },
    fires: [7, 30, 90],
    quiet: [5, 100],
  },
  {
    alert: 'TillfrontStoreUnavailable',
    what: 'not for a replica that stops',
    series: { [`tillfront_not_ready{${JOB},instance="a",reason="stopping"}`]: gauge([1, 20]) },
    fires: [],
    quiet: [5, 15],
  },
  {
    alert: 'TillfrontReplicaNotReady',
    series: {
      [`tillfront_ready{${JOB},instance="a"}`]: gauge([1, 5], [0, 10], [1, 10]),
      [`tillfront_ready{${JOB},instance="b"}`]: gauge([1, 25]),
    },
    fires: [9, 14],
    quiet: [7, 16],
  },
  {
    alert: 'TillfrontReplicaDown',
    series: { [`up{job="shop/tillfront",instance="a"}`]: gauge([1, 5], [0, 10], [1, 10]) },
    fires: [8, 14],
    quiet: [6, 16],
  },
  {
    alert: 'TillfrontRestarts',
    series: { [`process_start_time_seconds{${JOB},instance="a"}`]: gauge([100, 5], [400, 3], [580, 20]) },
    fires: [9, 18],
    quiet: [7, 27],
  },
  {
    alert: 'TillfrontOverloaded',
    series: {
      [`tillfront_shed_total{${JOB},load="start"}`]: counter([0, 5], [60, 5], [0, 10]),
      [requests]: counter([600, 20]),
    },
    fires: [7, 10],
    quiet: [5, 13],
  },
  {
    alert: 'TillfrontConnectionsRefused',
    series: {
      [`tillfront_connections_cut_total{${JOB},reason="refused"}`]: counter([0, 5], [30, 5], [0, 10]),
    },
    fires: [8, 11],
    quiet: [5, 16],
  },
  {
    alert: 'TillfrontNoTraffic',
    series: {
      [requests]: counter([10, 30], [0, 60], [10, 30]),
      [`tillfront_http_requests_total{${JOB},route="/v1/gateway/notifications",method="POST",status="200"}`]:
        counter([10, 120]),
    },
    fires: [42, 60, 89],
    quiet: [29, 38, 92],
  },
  {
    alert: 'TillfrontNoTraffic',
    what: 'not for a shop that sleeps',
    series: { [requests]: counter([3, 60], [0, 60]) },
    fires: [],
    quiet: [65, 75, 100],
  },
  {
    alert: 'TillfrontLogLinesLost',
    series: { [`tillfront_log_lines_lost_total{${JOB},instance="a"}`]: counter([0, 5], [100, 5], [0, 10]) },
    fires: [6, 10],
    quiet: [4, 16],
  },
  {
    alert: 'TillfrontInternalErrors',
    series: { [refusal('internal-error')]: counter([0, 5], [1, 2], [0, 15]) },
    fires: [8],
    quiet: [4, 20],
  },
  {
    alert: 'TillfrontStoreSlow',
    what: 'while it is slow, and no longer a minute later',
    series: slowCommits(12),
    fires: [17, 22],
    quiet: [14, 24, 28],
  },
  {
    alert: 'TillfrontStoreSlow',
    what: 'not after the recovery',
    series: slowCommits(3),
    fires: [],
    quiet: [15, 18, 21],
  },
  {
    alert: 'TillfrontEventLoopBusy',
    series: {
      [`nodejs_eventloop_lag_p99_seconds{${JOB},instance="a"}`]: gauge([0.01, 5], [0.4, 15], [0.01, 5]),
    },
    fires: [16, 19],
    quiet: [14, 21],
  },
  {
    alert: 'TillfrontCallersTurnedAway',
    series: {
      [refusal('unauthorized')]: counter([0, 10], [10, 20], [0, 20]),
      [requests]: counter([50, 50]),
    },
    fires: [20, 30],
    quiet: [11, 42],
  },
  {
    alert: 'TillfrontCallersTurnedAway',
    what: 'a few of many',
    series: { [refusal('unauthorized')]: counter([20, 40]), [requests]: counter([600, 40]) },
    fires: [],
    quiet: [20, 39],
  },
];

let folder: string;
beforeAll(() => {
  needProgram('promtool');
  folder = mkdtempSync(join(tmpdir(), 'tillfront-alerts-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const rules = (
  parse(readFileSync(RULES, 'utf8')) as {
    groups: { rules: { alert: string; labels: { severity: string } }[] }[];
  }
).groups.flatMap((group) => group.rules);

test('each rule is seen to fire, and to be quiet before and after', () => {
  const fired = CASES.filter(({ fires }) => fires.length > 0);
  expect([...new Set(fired.map(({ alert }) => alert))].sort()).toEqual(
    rules.map(({ alert }) => alert).sort(),
  );
  for (const { alert, fires, quiet } of fired) {
    expect([alert, Math.min(...quiet) < Math.min(...fires), Math.max(...quiet) > Math.max(...fires)]).toEqual(
      [alert, true, true],
    );
  }
});

test.each(CASES.map((each) => [[each.alert, each.what ?? ''].join(' ').trim(), each] as const))(
  '%s',
  (_name, { alert, series, fires, quiet }) => {
    const asked = (minutes: readonly number[], count: number): object[] =>
      minutes.map((minute) => ({
        expr: `count(ALERTS{alertname="${alert}",alertstate="firing"}) > 0 or vector(0)`,
        eval_time: `${minute}m`,
        exp_samples: [{ labels: '{}', value: count }],
      }));
    const file = join(folder, 'test.yaml');
    writeFileSync(
      file,
      stringify({
        rule_files: [RULES],
        evaluation_interval: '15s',
        tests: [
          {
            interval: '15s',
            input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
            promql_expr_test: [...asked(fires, 1), ...asked(quiet, 0)],
          },
        ],
      }),
    );
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
    expect({ status, said: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, said: '' });
  },
);
