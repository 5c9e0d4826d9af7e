import { afterAll, describe, expect, test } from '@jest/globals';
import { renderChart, type Manifest } from './chart.js';
import { Helm } from './helm.js';
import { faultsOfManifests } from './kubernetes-api.js';

/**
 * The chart in the hands of helm itself, and what comes of it against the API of Kubernetes. No package of Debian or npm brings
 * kubeconform or a cluster; the kinds are those that `kubernetes-models` and the Prometheus operator's package describe.
 */

const needed = {
  config: { PUBLIC_BASE_URL: 'https://pay.shop.example', GATEWAY_BASE_URL: 'https://api.gateway.example' },
  secrets: { existingSecret: 'shop-secrets' },
};
const pod = { podSelector: { matchLabels: { app: 'till' } } };
const shapes: Record<string, object> = {
  'what is needed': needed,
  'everything on': {
    ...needed,
    config: {
      PUBLIC_BASE_URL: 'https://pay.shop.example',
      GATEWAY_BASE_URL: 'https://[fd00::1]:8443/v2',
      MERCHANT_WEBHOOK_URL: 'http://shop.example/hooks/a:7',
      TRUST_PROXY: '10.0.0.0/8',
    },
    podDisruptionBudget: { maxUnavailable: '50%' },
    gatewayProfile: { confirmed: ['void'] },
    merchantDoor: { enabled: true },
    ingress: {
      enabled: true,
      host: 'pay.shop.example',
      tlsSecretName: 'pay-tls',
      className: 'nginx',
      annotations: { 'nginx.ingress.kubernetes.io/limit-rps': '20' },
    },
    metrics: {
      podMonitor: { enabled: true, labels: { release: 'monitoring' } },
      prometheusRule: { enabled: true, labels: { release: 'monitoring' } },
      dashboard: { enabled: true },
    },
    imagePullSecrets: [{ name: 'registry' }],
    networkPolicy: {
      httpFrom: [pod],
      merchantFrom: [pod],
      postgres: { to: [pod], port: 6432 },
      httpsPorts: [8443, 9443],
      extraEgress: [{ ports: [{ port: 4318, protocol: 'TCP' }] }],
    },
    serviceAccount: { annotations: { owner: 'payments' } },
    podAnnotations: { owner: 'payments' },
    podLabels: { team: 'payments' },
    nodeSelector: { disk: 'ssd' },
    tolerations: [{ key: 'payments', operator: 'Exists', effect: 'NoSchedule' }],
    affinity: { podAntiAffinity: {} },
    priorityClassName: 'high',
    extraEnv: [{ name: 'TZ', value: 'UTC' }],
  },
  'everything off': {
    ...needed,
    autoscaling: { enabled: false },
    podDisruptionBudget: { enabled: false },
    networkPolicy: { enabled: false },
    serviceAccount: { create: false, name: 'payments' },
    topologySpread: false,
  },
};

const helm = Helm.find();
afterAll(() => helm?.end());

describe.each(Object.entries(shapes))('with %s', (_name, values) => {
  test('every object is one that the API of Kubernetes takes, and none has a field that it does not know', async () => {
    expect(await faultsOfManifests(renderChart(values).manifests)).toEqual([]);
  });

  // On a machine that cannot run helm the chart is held by what renders it there, which is held to helm everywhere else.
  if (helm) {
    test('helm finds nothing to say, and makes of it what the other tests look at', () => {
      helm.lint(values);
      expect(byName(helm.template(values))).toEqual(byName(renderChart(values).manifests));
    });
  }
});

test.each<[string, (manifest: Manifest) => void, string]>([
  ['a field that is misspelt', ({ spec }) => Object.assign(spec as object, { replica: 2 }), 'replica'],
  ['a number as a text', ({ spec }) => Object.assign(spec as object, { replicas: 'two' }), 'replicas'],
  [
    'a part that is missing',
    (manifest) => delete (manifest.spec as { selector?: object }).selector,
    'selector',
  ],
])('%s would be found', async (_what, spoil, name) => {
  const manifest = renderChart(needed).manifests.find(({ kind }) => kind === 'Deployment');
  if (!manifest) throw new Error('no Deployment');
  spoil(manifest);
  expect((await faultsOfManifests([manifest])).join('\n')).toContain(name);
});

if (helm) {
  test.each([
    ['a value that the chart does not have', { ...needed, replicas: 3 }, /replicas/],
    ['a port that is a text', { ...needed, ports: { http: 'web' } }, /ports/],
    [
      'an ingress whose addresses nobody trusts',
      { ...needed, ingress: { enabled: true, host: 'pay.shop.example' } },
      /config\.TRUST_PROXY: with an ingress, the addresses of its controller/,
    ],
    ['no Secret', { config: needed.config }, /secrets\.existingSecret: name a Secret/],
    [
      'a variable of the chart',
      { ...needed, config: { ...needed.config, PORT: '1' } },
      /config\.PORT is the chart's own/,
    ],
    ...[0, '0%', 'one', 2, '51%'].map((maxUnavailable): [string, object, RegExp] => [
      `a disruption budget of ${maxUnavailable} of two pods`,
      { ...needed, podDisruptionBudget: { maxUnavailable } },
      /podDisruptionBudget\.maxUnavailable: /,
    ]),
    [
      'a time to end that the drain fills',
      { ...needed, terminationGracePeriodSeconds: 30, drainSeconds: 21 },
      /terminationGracePeriodSeconds: at least 10 more than drainSeconds/,
    ],
  ])('helm refuses %s', (_what, values, message) => {
    expect(() => helm.template(values)).toThrow(message);
  });
}

if (helm) {
  test('the merchant’s port stands beside the payers’: in the pod, in a Service, and in what the network lets in', () => {
    const made = byName(helm.template({ ...needed, merchantDoor: { enabled: true, port: 8080 } }));
    expect(made['Deployment shop-tillfront']?.spec).toMatchObject({
      template: {
        spec: {
          containers: [
            {
              env: expect.arrayContaining([{ name: 'MERCHANT_PORT', value: '3001' }]),
              ports: expect.arrayContaining([
                { name: 'http', containerPort: 3000 },
                { name: 'merchant', containerPort: 3001 },
              ]),
            },
          ],
        },
      },
    });
    expect(made['Service shop-tillfront-merchant']?.spec).toMatchObject({
      type: 'ClusterIP',
      ports: [{ name: 'merchant', port: 8080, targetPort: 'merchant' }],
    });
    expect(made['NetworkPolicy shop-tillfront']?.spec).toMatchObject({
      ingress: expect.arrayContaining([
        { ports: [{ port: 3001, protocol: 'TCP' }], from: [{ podSelector: {} }] },
      ]),
    });
  });
}

function byName(manifests: readonly Manifest[]): Record<string, Manifest> {
  return Object.fromEntries(manifests.map((one) => [`${one.kind} ${one.metadata.name}`, one]));
}
