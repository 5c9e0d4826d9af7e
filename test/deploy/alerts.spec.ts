import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { needProgram } from '../setup/program.js';

/** Each alert rule, tried by Prometheus's own tool: it fires while its cause lasts, and not before. */

const RULES = resolve('deploy/observability/prometheus-rules.yaml');
const JOB = 'job="tillfront",instance="a"';

/** Quiet for an hour, then the cause for two: a value that holds, or a counter that grows each minute. */
const holds = (quiet: number, cause: number): string => `${quiet}x59 ${cause}x119`;
const grows = (perMinute: number): string => `0x59 0+${perMinute}x119`;

test('the alerts ask for outcomes that there are', () => {
  const asked = [...readFileSync(RULES, 'utf8').matchAll(/outcome=~?"([^"]+)"/g)].flatMap(([, words = '']) =>
    words.split('|'),
  );
  expect(asked.length).toBeGreaterThan(3);
  const [described = ''] = /`outcome` is .*/.exec(readFileSync('docs/metrics.md', 'utf8')) ?? [];
  for (const word of asked) expect(described).toContain(`\`${word}\``);
});

const call = (outcome: string): string =>
  `tillfront_gateway_request_duration_seconds_count{${JOB},operation="payCard",outcome="${outcome}"}`;

/** By alert: its series, and how many minutes after the cause begins it must fire. */
const CASES: Record<string, [series: Record<string, string>, within: number]> = {
  TillfrontGatewayRejectsCredentials: [{ [call('credentials-rejected')]: grows(1) }, 3],
  TillfrontGatewayDoesNotAnswer: [
    { [call('unknown')]: grows(20), [call('answered')]: `0+20x59 ${20 * 59}+0x119` },
    5,
  ],
  TillfrontMostPaymentsFail: [
    { [`tillfront_payments_total{${JOB},method="card",status="failed"}`]: grows(10) },
    12,
  ],
  TillfrontRestored: [{ [`tillfront_restored{${JOB}}`]: holds(0, 1) }, 1],
  TillfrontPaymentsNeedAttention: [{ [`tillfront_attention{${JOB},reason="differs"}`]: holds(0, 1) }, 7],
  TillfrontOrdersPaidTwice: [{ [`tillfront_duplicates{${JOB}}`]: holds(0, 1) }, 65],
  TillfrontOutcomesUnknown: [{ [`tillfront_unknown_payments{${JOB}}`]: holds(0, 1) }, 35],
  TillfrontChecksOverdue: [{ [`tillfront_overdue_check_seconds{${JOB}}`]: holds(0, 300) }, 7],
  TillfrontEventsUndelivered: [{ [`tillfront_undelivered_events{${JOB}}`]: holds(0, 1) }, 20],
  TillfrontNoReplicaReady: [{ [`tillfront_ready{${JOB}}`]: holds(1, 0) }, 3],
  TillfrontReplicaNotReady: [
    { [`tillfront_ready{${JOB}}`]: holds(1, 0), 'tillfront_ready{job="tillfront",instance="b"}': '1x180' },
    5,
  ],
  TillfrontReplicaDown: [{ [`up{${JOB}}`]: holds(1, 0) }, 4],
  TillfrontOverloaded: [{ [`tillfront_overloaded_total{${JOB}}`]: grows(30) }, 5],
  TillfrontServerErrors: [
    {
      [`tillfront_http_request_duration_seconds_count{${JOB},method="GET",route="/x",status="500"}`]:
        grows(1),
    },
    3,
  ],
};

const { groups } = parse(readFileSync(RULES, 'utf8')) as {
  groups: {
    rules: { alert: string; labels: Record<string, string>; annotations: Record<string, string> }[];
  }[];
};
const alerts = groups.flatMap(({ rules }) => rules.map(({ alert }) => alert));

let folder: string;
beforeAll(() => {
  needProgram('promtool');
  folder = mkdtempSync(join(tmpdir(), 'tillfront-test-alerts-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

test('each rule has a case', () => {
  expect(Object.keys(CASES).sort()).toEqual(alerts.sort());
});

test.each(Object.entries(CASES))('%s fires while its cause lasts', (alert, [series, within]) => {
  const file = join(folder, `${alert}.yaml`);
  // Which alerts fire is asked as a series: their texts are not at stake.
  const firing = (minute: number, samples: object[]): object => ({
    expr: `count by (alertname) (ALERTS{alertname="${alert}",alertstate="firing"})`,
    eval_time: `${minute}m`,
    exp_samples: samples,
  });
  const fires = { labels: `{alertname="${alert}"}`, value: 1 };
  writeFileSync(
    file,
    stringify({
      rule_files: [RULES],
      evaluation_interval: '1m',
      tests: [
        {
          interval: '1m',
          input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
          promql_expr_test: [firing(55, []), firing(60 + within, [fires])],
        },
      ],
    }),
  );
  const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', file], { encoding: 'utf8' });
  expect({ status, output: status === 0 ? '' : stdout + stderr }).toEqual({ status: 0, output: '' });
});
