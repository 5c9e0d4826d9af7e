import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** One span as the service exported it. */
export interface ExportedSpan {
  name: string;
  kind: number;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  status: { code?: number };
  attributes: Record<string, unknown>;
  links?: { traceId: string; spanId: string }[];
}

interface OtlpSpan extends Omit<ExportedSpan, 'attributes'> {
  attributes: { key: string; value: Record<string, unknown> }[];
}

interface OtlpDocument {
  resourceSpans: { scopeSpans: { spans: OtlpSpan[] }[] }[];
}

export interface Collector {
  readonly url: string;
  /** All that came in, as it came. */
  text(): string;
  spans(): ExportedSpan[];
  close(): Promise<void>;
}

/** An OTLP collector (HTTP, JSON) that keeps what it gets. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (text: string) => (body += text));
    request.on('end', () => {
      bodies.push(body);
      response.setHeader('content-type', 'application/json').end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    text: () => bodies.join('\n'),
    spans: () =>
      bodies
        .map((body) => JSON.parse(body) as OtlpDocument)
        .flatMap(({ resourceSpans }) => resourceSpans.flatMap(({ scopeSpans }) => scopeSpans))
        .flatMap(({ spans }) => spans)
        .map((span) => ({
          ...span,
          attributes: Object.fromEntries(
            span.attributes.map(({ key, value }) => [key, Object.values(value)[0]]),
          ),
        })),
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
