import type { OpenAPIObject } from '@nestjs/swagger';

/** Calls of the gateway, the bank and machines: nobody programs a client for them. */
const PATHS = [
  [
    'get,post',
    '/v1/payments/{id}/return/{token}',
    'gateway',
    303,
    'Takes the payer back from the bank, asks the gateway, and sends the payer on to the shop.',
  ],
  [
    'get,post',
    '/v1/gateway/notifications',
    'gateway',
    200,
    'Takes a notification of the gateway. It makes us ask the gateway; it never moves a status by itself.',
  ],
  [
    'get,post',
    '/v1/gateway/notifications/{secret}',
    'gateway',
    200,
    'The same, with the secret in the address.',
  ],
  ['get', '/health/live', 'machines', 200, 'Whether the process answers.'],
  ['get', '/health/ready', 'machines', 200, 'Whether a payment could be recorded now; 503 if not.'],
  ['get', '/metrics', 'machines', 200, 'Metrics for Prometheus.'],
] as const;

export function addMachinePaths(document: OpenAPIObject): void {
  for (const [methods, path, tag, status, summary] of PATHS) {
    const parameters = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
      ...{ name, in: 'path', required: true, schema: { type: 'string' } },
    }));
    const name = path
      .replace(/^\/(?:v1\/)?/, '')
      .replace(/.\{\w+\}/g, '')
      .replaceAll('/', '.');
    const item = methods.split(',').map((method) => [
      method,
      {
        ...{
          operationId: `${name}${path.endsWith('{secret}') ? '.secret' : ''}.${method}`,
          tags: [tag],
          summary,
        },
        ...{ security: [], parameters, responses: { [status]: { description: 'Done.' } } },
      },
    ]);
    document.paths[path] = Object.fromEntries(item) as OpenAPIObject['paths'][string];
  }
}
