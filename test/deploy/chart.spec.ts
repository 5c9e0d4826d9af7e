import { afterAll, describe, expect, test } from '@jest/globals';
import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '../../src/config/read-config.js';
import { VARIABLE_NAMES } from '../../src/config/env.js';
import { SECRET_VARIABLES } from '../../src/config/env.js';
import { CHART, Helm, type Manifest } from './helm.js';
import { faultsOfManifests } from './kubernetes-api.js';

const helm = new Helm();
afterAll(() => helm.end());

const needed = {
  config: { PUBLIC_BASE_URL: 'https://pay.shop.example', GATEWAY_BASE_URL: 'https://api.gateway.example' },
  secrets: { existingSecret: 'shop-secrets' },
};
const everything = {
  ...needed,
  config: { ...needed.config, TRUST_PROXY: '10.0.0.0/8' },
  gatewayProfile: { confirmed: ['void'] },
  ingress: { enabled: true, host: 'pay.shop.example', tlsSecretName: 'pay-tls', className: 'nginx' },
  metrics: { podMonitor: { enabled: true }, prometheusRule: { enabled: true }, dashboard: { enabled: true } },
};

interface Probe {
  httpGet: { path: string; port: string };
}
interface Container {
  image: string;
  command?: string[];
  env: { name: string; value: string }[];
  securityContext: object;
  ports: { name: string; containerPort: number }[];
  volumeMounts: { name: string; mountPath: string; readOnly?: boolean }[];
  lifecycle: { preStop: { sleep: { seconds: number } } };
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}
interface PodTemplate {
  metadata: { labels: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    containers: [Container];
    volumes: { name: string; secret?: { secretName: string } }[];
    securityContext: object;
    automountServiceAccountToken: boolean;
    terminationGracePeriodSeconds: number;
  };
}
interface Workload {
  replicas?: number;
  selector: { matchLabels: Record<string, string> };
  template: PodTemplate;
}

const find = (manifests: Manifest[], kind: string): Manifest => {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  expect(found).toHaveLength(1);
  return found[0] as Manifest;
};
const workload = (manifests: Manifest[], kind: 'Deployment' | 'Job') =>
  find(manifests, kind).spec as Workload;
const containerOf = (manifests: Manifest[], kind: 'Deployment' | 'Job') =>
  workload(manifests, kind).template.spec.containers[0];
const variable = ({ env }: Container, name: string) => env.find((entry) => entry.name === name)?.value;

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

describe.each(Object.entries(shapes))('with %s', (_name, values) => {
  test('helm finds nothing to say, and Kubernetes knows every object and every field', async () => {
    helm.lint(values);
    expect(await faultsOfManifests(helm.template(values))).toEqual([]);
  });
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
  const manifest = helm.template(needed).find(({ kind }) => kind === 'Deployment');
  if (!manifest) throw new Error('no Deployment');
  spoil(manifest);
  expect((await faultsOfManifests([manifest])).join('\n')).toContain(name);
});

describe('what the chart makes', () => {
  const manifests = helm.template(everything);

  test('is every kind of thing once, under one name', () => {
    expect(manifests.map(({ kind }) => kind).sort()).toEqual(
      [
        ...[
          'ConfigMap',
          'ConfigMap',
          'Deployment',
          'HorizontalPodAutoscaler',
          'Ingress',
          'Job',
          'NetworkPolicy',
        ],
        ...['PodDisruptionBudget', 'PodMonitor', 'PrometheusRule', 'Service', 'ServiceAccount'],
      ].sort(),
    );
    for (const { metadata } of manifests) {
      expect(metadata.name).toMatch(/^shop-tillfront(?:-(?:migrate|profile|dashboard))?$/);
      expect(metadata.labels).toMatchObject({ 'app.kubernetes.io/instance': 'shop' });
    }
    expect(helm.template(needed).map(({ kind }) => kind)).not.toContain('Ingress');
  });

  test('runs as nobody in particular, on a read-only file system, without privileges', () => {
    for (const kind of ['Deployment', 'Job'] as const) {
      const { spec } = workload(manifests, kind).template;
      expect(spec.automountServiceAccountToken).toBe(false);
      expect(spec.securityContext).toMatchObject({
        runAsNonRoot: true,
        runAsUser: 1000,
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(spec.containers[0].securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
    }
  });

  test('gives secrets as files only, and no other variable than the service has', () => {
    for (const kind of ['Deployment', 'Job'] as const) {
      const container = containerOf(manifests, kind);
      for (const { name, value } of container.env) {
        const secret = name.replace(/_FILE$/, '');
        if (SECRET_VARIABLES.some((name) => name === secret))
          expect(value).toBe(`/run/secrets/tillfront/${secret}`);
        else expect(VARIABLE_NAMES).toContain(name);
      }
      expect(container.volumeMounts).toContainEqual({
        name: 'secrets',
        mountPath: '/run/secrets/tillfront',
        readOnly: true,
      });
    }
  });

  test('gives each pod a folder of its own for the mark of the last confirmed write', () => {
    const { volumeMounts } = containerOf(manifests, 'Deployment');
    expect(volumeMounts).toContainEqual({ name: 'data', mountPath: '/data' });
  });

  test('is a configuration that the service starts with, and the migration too', () => {
    const folder = mkdtempSync(join(tmpdir(), 'chart-secrets-'));
    const key = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    const secrets: Record<string, string> = {
      GATEWAY_API_KEY: 'api-key',
      GATEWAY_ACCESS_TOKEN: 'access-token',
      DATABASE_URL: 'postgres://tillfront:x@postgres:5432/tillfront?sslmode=verify-full',
      MERCHANT_API_KEY: 'mk_7f2c91d0a84be356f1c08d9e5b607',
      SECRET_KEY: '3d94f1a86c07be25d8190e4b7f62ca53',
      CARD_ENCRYPTION_KEY: key.export({ type: 'pkcs8', format: 'pem' }).toString(),
      NOTIFICATION_SECRET: 'c60b8e2d4f19a7530e92',
    };
    for (const [name, value] of Object.entries(secrets)) writeFileSync(join(folder, name), value);
    const profile = join(folder, 'profile.json');
    writeFileSync(profile, renderedProfile());
    try {
      for (const kind of ['Deployment', 'Job'] as const) {
        const env = containerOf(manifests, kind).env.map(({ name, value }) => [
          name,
          value.replace('/run/secrets/tillfront', folder).replace('/etc/tillfront/profile.json', profile),
        ]);
        const config = readConfig(Object.fromEntries(env) as NodeJS.ProcessEnv).draft();
        expect(config.productionRules).toBe(true);
        expect(config.migrateOnStart).toBe(false);
        expect(config.store.kind).toBe('postgres');
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  const renderedProfile = () =>
    manifests.find(({ metadata }) => metadata.name.endsWith('-profile'))?.data?.['profile.json'] ?? '';

  test('hands over the profile, and replaces the pods when it changes', () => {
    expect(JSON.parse(renderedProfile())).toEqual(everything.gatewayProfile);
    expect(variable(containerOf(manifests, 'Deployment'), 'GATEWAY_PROFILE')).toBe(
      '/etc/tillfront/profile.json',
    );
    const checksum = (values: object) =>
      workload(helm.template(values), 'Deployment').template.metadata.annotations?.['checksum/profile'];
    expect(checksum(everything)).not.toBe(checksum(needed));
    expect(variable(containerOf(helm.template(needed), 'Deployment'), 'GATEWAY_PROFILE')).toBeUndefined();
  });

  test('asks for health where it is: on the management port, which neither Service nor Ingress shows', () => {
    const container = containerOf(manifests, 'Deployment');
    const port = container.ports.find(({ name }) => name === 'management')?.containerPort;
    expect(variable(container, 'MANAGEMENT_PORT')).toBe(String(port));
    expect(container.startupProbe?.httpGet).toEqual({ path: '/health/live', port: 'management' });
    expect(container.livenessProbe?.httpGet).toEqual({ path: '/health/live', port: 'management' });
    expect(container.readinessProbe?.httpGet).toEqual({ path: '/health/ready', port: 'management' });
    const { ports } = find(manifests, 'Service').spec as { ports: { targetPort: string }[] };
    expect(ports.map(({ targetPort }) => targetPort)).toEqual(['http']);
    expect(JSON.stringify(find(manifests, 'Ingress'))).not.toContain('management');
  });

  test('opens a listener of the merchant’s own where that is wanted, which the Ingress does not show', () => {
    const apart = helm.template({ ...everything, merchantDoor: { enabled: true } });
    const container = containerOf(apart, 'Deployment');
    expect(variable(container, 'MERCHANT_PORT')).toBe('3001');
    expect(container.ports.find(({ name }) => name === 'merchant')?.containerPort).toBe(3001);
    const services = apart.filter(({ kind }) => kind === 'Service');
    const listeners = services.map(({ metadata, spec }) => [
      metadata.name,
      (spec as { ports: { targetPort: string }[] }).ports.map(({ targetPort }) => targetPort),
    ]);
    expect(Object.fromEntries(listeners)).toEqual({
      'shop-tillfront': ['http'],
      'shop-tillfront-merchant': ['merchant'],
    });
    expect(JSON.stringify(find(apart, 'Ingress'))).not.toContain('-merchant');
    const { ingress } = find(apart, 'NetworkPolicy').spec as {
      ingress: { ports: { port: number }[]; from?: object[] }[];
    };
    expect(ingress.find(({ ports }) => ports[0]?.port === 3001)?.from).toEqual([{ podSelector: {} }]);
    expect(variable(containerOf(manifests, 'Deployment'), 'MERCHANT_PORT')).toBeUndefined();
  });

  test('has what is in flight end before the pod is killed', () => {
    const { spec } = workload(manifests, 'Deployment').template;
    const grace = Number(variable(spec.containers[0], 'SHUTDOWN_GRACE_MS'));
    const drain = spec.containers[0].lifecycle.preStop.sleep.seconds;
    expect(grace).toBe(40_000);
    expect(drain + grace / 1000).toBeLessThan(spec.terminationGracePeriodSeconds);
  });

  test('takes the image of a digest, whatever its tag is moved to', () => {
    const digest = `sha256:${'0a'.repeat(32)}`;
    const pinned = helm.template({ ...needed, image: { repository: 'registry.example/till', digest } });
    for (const kind of ['Deployment', 'Job'] as const)
      expect(containerOf(pinned, kind).image).toMatch(
        new RegExp(`^registry\\.example/till:\\d+\\.\\d+\\.\\d+@${digest}$`),
      );
  });

  test('migrates before the pods, with the same image', () => {
    const job = find(manifests, 'Job');
    expect(job.metadata.annotations).toMatchObject({ 'helm.sh/hook': 'pre-install,pre-upgrade' });
    const container = containerOf(manifests, 'Job');
    expect(container.image).toBe(containerOf(manifests, 'Deployment').image);
    expect(container.command).toEqual([
      'node',
      '--disable-sigusr1',
      '/app/dist/cli/main.js',
      'store',
      'migrate',
    ]);
    expect(variable(containerOf(manifests, 'Deployment'), 'MIGRATE_ON_START')).toBe('false');
  });

  test('finds the pods that serve, and not the one that migrates', () => {
    const serving = workload(manifests, 'Deployment').template.metadata.labels;
    const migrating = workload(manifests, 'Job').template.metadata.labels;
    const selectors = [
      workload(manifests, 'Deployment').selector.matchLabels,
      (find(manifests, 'Service').spec as { selector: Record<string, string> }).selector,
      (find(manifests, 'PodDisruptionBudget').spec as Workload).selector.matchLabels,
      (find(manifests, 'PodMonitor').spec as Workload).selector.matchLabels,
    ];
    for (const selector of selectors) {
      expect(serving).toMatchObject(selector);
      expect(migrating).not.toMatchObject(selector);
    }
    const policy = find(manifests, 'NetworkPolicy').spec as { podSelector: { matchLabels: object } };
    expect(serving).toMatchObject(policy.podSelector.matchLabels);
    expect(migrating).toMatchObject(policy.podSelector.matchLabels);
  });

  test('lets pods reach names, the database and https, and nobody but monitoring reach the management port', () => {
    const { egress, ingress } = find(manifests, 'NetworkPolicy').spec as {
      egress: { ports: { port: number }[]; to?: { ipBlock?: { except?: string[] } }[] }[];
      ingress: { ports: { port: number }[]; from?: object[] }[];
    };
    expect(egress.map(({ ports }) => ports.map(({ port }) => port))).toEqual([[53, 53], [5432], [443]]);
    expect(egress[2]?.to?.[0]?.ipBlock?.except).toEqual(['169.254.169.254/32']);
    expect(ingress.map(({ ports, from }) => [ports[0]?.port, from?.length ?? 0])).toEqual([
      [3000, 0],
      [9090, 1],
    ]);
  });

  test.each([
    [{ GATEWAY_BASE_URL: 'https://api.gateway.example:8443/v2?a:1' }, [], [8443]],
    [
      {
        GATEWAY_BASE_URL: 'https://[fd00::1]/pay',
        MERCHANT_WEBHOOK_URL: 'https://shop.example:9443/hooks/a:7',
      },
      [4318, 443],
      [443, 9443, 4318],
    ],
    [{ MERCHANT_WEBHOOK_URL: 'http://[fd00::1]:8080' }, [], [443, 8080]],
    [{ MERCHANT_WEBHOOK_URL: 'http://shop' }, [], [443, 80]],
  ])('lets pods reach the gateway and the merchant’s server where they are: %j', (config, more, ports) => {
    const values = {
      ...needed,
      config: { ...needed.config, ...config },
      networkPolicy: { httpsPorts: more },
    };
    const { egress } = find(helm.template(values), 'NetworkPolicy').spec as {
      egress: { ports: { port: number }[] }[];
    };
    expect(egress[2]?.ports.map(({ port }) => port)).toEqual(ports);
  });

  test.each<[object, number | string]>([
    [{}, 1],
    [{ autoscaling: { minReplicas: 3 } }, '50%'],
    [{ autoscaling: { enabled: false }, replicaCount: 1 }, 1],
  ])('with %j lets %j of the pods be evicted at once', (values, maxUnavailable) => {
    const made = helm.template({
      ...needed,
      ...values,
      podDisruptionBudget: { maxUnavailable },
    });
    expect(find(made, 'PodDisruptionBudget').spec).toMatchObject({ maxUnavailable });
  });

  test('leaves the number of pods to the autoscaler, or keeps it', () => {
    expect(workload(manifests, 'Deployment').replicas).toBeUndefined();
    const fixed = helm.template({ ...needed, autoscaling: { enabled: false }, replicaCount: 3 });
    expect(workload(fixed, 'Deployment').replicas).toBe(3);
    expect(fixed.map(({ kind }) => kind)).not.toContain('HorizontalPodAutoscaler');
  });

  test('has the alert rules and the dashboard of deploy/observability, packaged too', () => {
    const rules = find(manifests, 'PrometheusRule').spec as {
      groups: { rules: { annotations: object }[] }[];
    };
    expect(rules).toEqual(parse(readFileSync('deploy/observability/prometheus-rules.yaml', 'utf8')));
    const dashboard = manifests.find(({ metadata }) => metadata.name.endsWith('-dashboard'))?.data;
    expect(JSON.parse(dashboard?.['tillfront.json'] ?? '')).toEqual(
      JSON.parse(readFileSync('deploy/observability/grafana-dashboard.json', 'utf8')),
    );
    expect(helm.packaged()).toEqual(
      expect.arrayContaining([
        'tillfront/files/prometheus-rules.yaml',
        'tillfront/files/grafana-dashboard.json',
      ]),
    );
  });
});

describe('an installation is stopped', () => {
  test.each([
    ['with a value that the chart does not have', { ...needed, replicas: 3 }, /replicas/],
    ['with a port that is a text', { ...needed, ports: { http: 'web' } }, /ports/],
    [
      'with a number for a variable',
      { ...needed, config: { ...needed.config, GATEWAY_TIMEOUT_MS: 20_000 } },
      /GATEWAY_TIMEOUT_MS/,
    ],
    ['without a Secret', { config: needed.config }, /secrets\.existingSecret/],
    ['without addresses', { secrets: needed.secrets }, /config\.PUBLIC_BASE_URL/],
    [
      'with a variable of the chart',
      { ...needed, config: { ...needed.config, PORT: '1' } },
      /config\.PORT is the chart's own/,
    ],
    ['with an ingress for no name', { ...everything, ingress: { enabled: true, host: '' } }, /ingress\.host/],
    [
      'with an ingress whose addresses nobody trusts',
      { ...everything, config: needed.config },
      /config\.TRUST_PROXY: with an ingress/,
    ],
    ...[0, '0%', 'one', 2, '51%', '100%'].map((maxUnavailable): [string, object, RegExp] => [
      `with a disruption budget of ${maxUnavailable} of two pods`,
      { ...needed, podDisruptionBudget: { maxUnavailable } },
      /podDisruptionBudget\.maxUnavailable: /,
    ]),
    [
      'with a time to end that the drain fills',
      { ...needed, terminationGracePeriodSeconds: 30, drainSeconds: 21 },
      /terminationGracePeriodSeconds: at least 10 more than drainSeconds/,
    ],
  ])('%s', (_what, values, message) => {
    expect(() => helm.template(values)).toThrow(message);
  });
});

test('the versions of chart, image, packages, API and documentation go together', () => {
  const read = (path: string) => JSON.parse(readFileSync(path, 'utf8')) as { version: string };
  const { version } = read('package.json');
  expect(read('package-lock.json').version).toBe(version);
  expect(read('browser/package.json').version).toBe(version);
  expect((read('docs/openapi.json') as unknown as { info: { version: string } }).info.version).toBe(version);
  expect(parse(readFileSync(join(CHART, 'Chart.yaml'), 'utf8'))).toMatchObject({
    version,
    appVersion: version,
  });
  expect(readFileSync('docs/container.md', 'utf8')).toContain(`tag: '${version}'`);
  expect(containerOf(helm.template(needed), 'Deployment').image).toBe(`tillfront:${version}`);
});
