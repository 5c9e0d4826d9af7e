import { expect, jest, test } from '@jest/globals';
import { until } from '../../test/harness/until.js';
import { Metrics } from '../telemetry/metrics.js';
import { MetricsPage } from './metrics-page.js';

test('metrics are rendered once a second, however many ask', async () => {
  const metrics = new Metrics();
  const render = jest.spyOn(metrics, 'render');
  const page = new MetricsPage(metrics);
  const answers = await Promise.all(Array.from({ length: 500 }, () => page.text()));
  expect(new Set(answers).size).toBe(1);
  expect(render).toHaveBeenCalledTimes(1);
  metrics.refusals.inc({ code: 'rate-limited' });
  const began = performance.now();
  await until(async () => (await page.text()).includes('tillfront_refusals_total{code="rate-limited"} 1'));
  // By however much a busy machine has overslept.
  expect(render.mock.calls.length).toBeLessThanOrEqual(2 + (performance.now() - began) / 1_000);
});
