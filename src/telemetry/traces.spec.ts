import { afterEach, describe, expect, test } from '@jest/globals';
import { type Server, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Tracing, createTracing } from './traces.js';

interface OtlpSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: { key: string; value: Record<string, unknown> }[];
}
interface OtlpDocument {
  resourceSpans: {
    resource: { attributes: { key: string; value: { stringValue?: string } }[] };
    scopeSpans: { spans: OtlpSpan[] }[];
  }[];
}

let server: Server | undefined;
let unanswered: ServerResponse[] = [];
afterEach(() => {
  // The exporter would go on trying for a while.
  for (const response of unanswered) response.setHeader('connection', 'close').end('{}');
  unanswered = [];
  server?.close();
});

async function collector(
  answer: boolean,
): Promise<{ endpoint: string; documents: OtlpDocument[]; paths: string[] }> {
  const documents: OtlpDocument[] = [];
  const paths: string[] = [];
  server = createServer((request, response) => {
    paths.push(request.url ?? '');
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      documents.push(JSON.parse(Buffer.concat(chunks).toString()) as OtlpDocument);
      if (answer) response.setHeader('connection', 'close').end('{}');
      else unanswered.push(response);
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { endpoint: `http://127.0.0.1:${port}`, documents, paths };
}

const spansOf = (documents: OtlpDocument[]) =>
  documents.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)),
  );

describe('without a collector', () => {
  test('work runs as if nothing were there', async () => {
    const tracing = await createTracing({});
    expect(tracing.enabled).toBe(false);
    expect(tracing.span('x', {}, () => 7)).toBe(7);
    expect(tracing.root('x', {}, () => 7)).toBe(7);
    await expect(tracing.span('x', {}, () => Promise.resolve(8))).resolves.toBe(8);
    expect(() =>
      tracing.span('x', {}, () => {
        throw new Error('y');
      }),
    ).toThrow('y');
    expect(tracing.correlation()).toEqual({});
    await tracing.shutdown();
  });
});

describe('with a collector', () => {
  async function traced(work: (tracing: Tracing) => unknown): Promise<OtlpSpan[]> {
    const { endpoint, documents, paths } = await collector(true);
    const tracing = await createTracing({ endpoint: `${endpoint}/` });
    await work(tracing);
    await tracing.shutdown();
    expect(new Set(paths)).toEqual(new Set(['/v1/traces']));
    const names = documents[0]?.resourceSpans[0]?.resource.attributes.find(
      ({ key }) => key === 'service.name',
    );
    expect(names?.value.stringValue).toBe('tillfront');
    return spansOf(documents);
  }

  test("spans nest, across awaits, under the caller's own", async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const spans = await traced((tracing) =>
      tracing.span(
        'request',
        { route: '/v1/payments/card' },
        async () => {
          await sleep(1);
          expect(tracing.correlation().traceId).toBe('4bf92f3577b34da6a3ce929d0e0e4736');
          await tracing.span('gateway', {}, () => sleep(1), {
            traceparent: '00-11111111111111111111111111111111-1111111111111111-01',
          });
        },
        { role: 'server', traceparent, trusted: true },
      ),
    );
    const request = spans.find(({ name }) => name === 'request');
    const gateway = spans.find(({ name }) => name === 'gateway');
    expect(request).toMatchObject({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      parentSpanId: '00f067aa0ba902b7',
    });
    expect(gateway).toMatchObject({ traceId: request?.traceId, parentSpanId: request?.spanId });
    expect([request?.kind, gateway?.kind]).toEqual([2, 1]);
  });

  test('a stranger’s trace is not joined: ours is sampled all the same', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00';
    const [request] = await traced((tracing) =>
      tracing.span('request', {}, () => sleep(1), { role: 'server', traceparent }),
    );
    expect(request?.name).toBe('request');
    expect(request?.parentSpanId ?? '').toBe('');
    expect(request?.traceId).not.toBe('4bf92f3577b34da6a3ce929d0e0e4736');
  });

  test('work that a timer begins has a trace of its own, whoever set the timer', async () => {
    const spans = await traced((tracing) =>
      tracing.span('request', {}, async () => {
        await sleep(1);
        await tracing.root('later', {}, () => sleep(1), 'client');
        expect(tracing.correlation().traceId).toMatch(/^[0-9a-f]{32}$/);
      }),
    );
    const later = spans.find(({ name }) => name === 'later');
    expect(later?.parentSpanId ?? '').toBe('');
    expect(later?.kind).toBe(3);
    expect(later?.traceId).not.toBe(spans.find(({ name }) => name === 'request')?.traceId);
  });

  test('a span can be marked as failed by what its work finds out', async () => {
    const [span] = await traced((tracing) =>
      tracing.span('x', {}, (active) => {
        active.fail();
      }),
    );
    expect(span).toMatchObject({ name: 'x', status: { code: 2 } });
  });

  test.each([
    '',
    'x',
    '00-00000000000000000000000000000000-00f067aa0ba902b7-01',
    'ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
  ])('a malformed traceparent %j begins a trace of its own', async (traceparent) => {
    const [span] = await traced((tracing) => tracing.span('x', {}, () => undefined, { traceparent }));
    expect(span?.parentSpanId ?? '').toBe('');
  });

  test('a failure is told by its kind alone, and attributes are scrubbed', async () => {
    const spans = await traced(async (tracing) => {
      const failing = tracing.span('x', { note: 'cvv=987' }, (span) => {
        span.set({ text: '5060990580000217499', attempts: 2 });
        return Promise.reject(new TypeError('card 5060990580000217499'));
      });
      await expect(failing).rejects.toThrow(TypeError);
      expect(() =>
        tracing.span('y', {}, () => {
          throw new RangeError('z');
        }),
      ).toThrow(RangeError);
    });
    // Ids and times are random and may hold any digits; nothing else may.
    const told = JSON.stringify(spans, (key, value: unknown) =>
      /(?:Id|TimeUnixNano)$/.test(key) ? undefined : value,
    );
    expect(told).not.toMatch(/5060|987|"z"/);
    expect(spans.map(({ status }) => status.code)).toEqual([2, 2]);
    expect(spans[0]?.attributes).toContainEqual({ key: 'error.type', value: { stringValue: 'TypeError' } });
    expect(spans[0]?.attributes).toContainEqual({ key: 'attempts', value: { intValue: 2 } });
  });

  test('a collector that never answers holds up no shutdown', async () => {
    const { endpoint } = await collector(false);
    const tracing = await createTracing({ endpoint });
    tracing.span('x', {}, () => undefined);
    const start = performance.now();
    await tracing.shutdown();
    // A collector is otherwise given 10 s.
    expect(performance.now() - start).toBeLessThan(8_000);
  });

  test('no signal handler is installed', async () => {
    const before = process.listenerCount('SIGTERM') + process.listenerCount('SIGINT');
    await traced((tracing) => tracing.span('x', {}, () => undefined));
    expect(process.listenerCount('SIGTERM') + process.listenerCount('SIGINT')).toBe(before);
  });
});
