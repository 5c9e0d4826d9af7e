import { describe, expect, test } from '@jest/globals';
import { Metrics, worthName } from './metrics.js';

describe('metrics', () => {
  test.each<[string, (metrics: Metrics) => void, string]>([
    [
      'payments',
      (m) => m.payments.inc({ method: 'card', status: 'succeeded' }),
      'tillfront_payments_total{method="card",status="succeeded"} 1',
    ],
    [
      'gateway calls',
      (m) => m.gatewayCalls.observe({ operation: 'payCard', outcome: 'unknown' }, 0.02),
      'tillfront_gateway_request_duration_seconds_bucket{le="0.025",operation="payCard",outcome="unknown"} 1',
    ],
    [
      'requests',
      (m) => m.requests.inc({ route: '/v1/payments/:id', method: 'GET', status: 200 }),
      'tillfront_http_requests_total{route="/v1/payments/:id",method="GET",status="200"} 1',
    ],
    [
      'their duration',
      (m) => m.requestDuration.observe({ route: '/v1/payments/:id', method: 'GET' }, 0.003),
      'tillfront_http_request_duration_seconds_count{route="/v1/payments/:id",method="GET"} 1',
    ],
    ['unknown outcomes', (m) => m.store.unknownOpen.set(3), 'tillfront_outcome_unknown_open 3'],
    [
      'the oldest of them',
      (m) => m.store.unknownOldest.set(61.5),
      'tillfront_outcome_unknown_oldest_seconds 61.5',
    ],
    ['overdue inquiries', (m) => m.store.inquiryOverdue.set(7), 'tillfront_inquiry_overdue_seconds 7'],
    ['waiting events', (m) => m.store.eventsWaiting.set(2), 'tillfront_events_waiting 2'],
    ['the oldest of them', (m) => m.store.eventsOldest.set(9), 'tillfront_events_oldest_waiting_seconds 9'],
    ['readiness', (m) => m.ready(true), 'tillfront_ready 1'],
    ['no readiness', (m) => m.ready(false, 'store'), 'tillfront_ready 0'],
    ['its reason', (m) => m.ready(false, 'clock'), 'tillfront_not_ready{reason="clock"} 1'],
    ['lost lines', (m) => m.logLinesLost.inc(5), 'tillfront_log_lines_lost_total 5'],
    ['attention', (m) => m.store.needsAttention.set(2), 'tillfront_payments_needing_attention 2'],
    ['duplicates', (m) => m.store.duplicates.set(2), 'tillfront_duplicates 2'],
    [
      'inquiries',
      (m) => m.inquiries.inc({ result: 'paid', worth: worthName(2) }),
      'tillfront_inquiries_total{result="paid",worth="notified"} 1',
    ],
    [
      'what is due',
      (m) => m.store.questionsDue(new Map([[4, 7]])),
      'tillfront_questions_due{worth="follow_up"} 7',
    ],
    ['a pause', (m) => m.questionsPaused.set(3.5), 'tillfront_questions_paused_seconds 3.5'],
    [
      'a circuit',
      (m) => m.circuitOpen.set({ operation: 'transactionStatus' }, 1),
      'tillfront_gateway_circuit_open{operation="transactionStatus"} 1',
    ],
    ['their lag', (m) => m.inquiryLag.observe(0), 'tillfront_inquiry_lag_seconds_bucket{le="0.1"} 1'],
    [
      'deliveries',
      (m) => m.deliveries.inc({ result: 'accepted' }),
      'tillfront_deliveries_total{result="accepted"} 1',
    ],
    ['their lag', (m) => m.deliveryLag.observe(0.7), 'tillfront_delivery_lag_seconds_bucket{le="1"} 1'],
    [
      'notifications',
      (m) => m.notifications.inc({ result: 'received' }),
      'tillfront_notifications_total{result="received"} 1',
    ],
    [
      'refusals',
      (m) => m.refusals.inc({ code: 'rate-limited' }),
      'tillfront_refusals_total{code="rate-limited"} 1',
    ],
    [
      'store writes',
      (m) => m.storeWrites.observe(0.0003),
      'tillfront_store_write_duration_seconds_bucket{le="0.0005"} 1',
    ],
    ['store batches', (m) => m.storeBatch.observe(3), 'tillfront_store_batch_size_bucket{le="4"} 1'],
    [
      'card testing',
      (m) => m.cardTesting.inc({ result: 'refused-card' }),
      'tillfront_card_testing_total{result="refused-card"} 1',
    ],
  ])('%s are counted', async (_name, record, line) => {
    const metrics = new Metrics();
    record(metrics);
    expect((await metrics.render()).split('\n')).toContain(line);
  });

  test('a reason that is over is shown no longer', async () => {
    const metrics = new Metrics();
    metrics.ready(false, 'store');
    metrics.ready(false, 'stopping');
    expect(await metrics.render()).not.toContain('reason="store"');
    metrics.ready(true);
    expect(await metrics.render()).not.toContain('tillfront_not_ready{');
  });

  test('what is read from the store shows nothing before it was read, and while it cannot be', async () => {
    const metrics = new Metrics();
    const shown = async (): Promise<string[]> =>
      (await metrics.render())
        .split('\n')
        .filter((line) => /^tillfront_(events_waiting|duplicates|questions_due|store_loss)\b/.test(line));
    expect(await shown()).toEqual(['tillfront_store_loss 0']);
    metrics.store.eventsWaiting.set(2);
    metrics.store.duplicates.set(1);
    metrics.store.questionsDue(new Map());
    expect(await shown()).toHaveLength(7);
    metrics.store.unread();
    expect(await shown()).toEqual(['tillfront_store_loss 0']);
  });

  test('what is rare is shown before it happens, so that its first time is seen as an increase', async () => {
    const metrics = new Metrics();
    const lines = (await metrics.render()).split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'tillfront_deliveries_total{result="given_up"} 0',
        'tillfront_card_testing_total{result="refused-card"} 0',
        'tillfront_notifications_total{result="refused"} 0',
      ]),
    );
  });

  test('two applications in one process count apart', async () => {
    const first = new Metrics();
    first.payments.inc({ method: 'card', status: 'failed' });
    expect(await new Metrics().render()).not.toContain('tillfront_payments_total{');
  });

  test('the process is watched where that is asked for', async () => {
    const text = await new Metrics({ processMetrics: true }).render();
    expect(text).toContain('nodejs_eventloop_lag_seconds');
    expect(text).toContain('process_resident_memory_bytes');
    expect(await new Metrics().render()).not.toContain('process_');
  });
});
