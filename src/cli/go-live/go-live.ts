import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { PAYMENT_METHODS } from '../../config/payment-method.js';
import type { PaymentMethod } from '../../config/payment-method.js';
import { usedAssumptions } from '../../methods/profile-assumptions.js';
import { loadProfile, ProfileError, type Profile } from '../../gateway/profile/load.js';
import { readCommandEnvironment } from '../../config/environment.js';
import { type CommandContext, CommandFailure, EXIT, type ExitCode } from '../command.js';
import { serviceOf, ServiceRefusal, type ServiceClient } from '../service-client.js';
import { conclude, misunderstood, type Tried, type NotificationsSeen, type Conclusion } from './evidence.js';
import { SCENARIOS, type Scenario } from './scenarios.js';
import { readScenarios, SANDBOX_SCENARIOS } from './scenarios-file.js';
import { ScenarioFailure, TestShop } from './test-shop.js';

/** The gateway may send its notification shortly after its answer. */
const LAST_NOTIFICATION_MS = 3_000;

export interface GoLiveOptions {
  scenarios: string | undefined;
  report: string;
  unattended: boolean;
  waitSeconds: number;
  /** Only prints a scenarios file. */
  example: boolean;
}

/** Tries the running service against the gateway's test system, writes a report, and says what that confirms. */
export async function goLive(context: CommandContext, options: GoLiveOptions): Promise<ExitCode> {
  const { reporter } = context;
  if (options.example) {
    reporter.report({ text: [JSON.stringify(SANDBOX_SCENARIOS, null, 2)], json: SANDBOX_SCENARIOS });
    return EXIT.done;
  }
  const result = await tryAll(context, options);
  writeReport(options.report, reportText(result));
  const { tried, conclusion } = result;
  const failed = tried.filter((one) => one.result === 'failed');
  reporter.report({
    text: [
      ...tried.map(({ scenario, result: became, remark }) =>
        [became.padEnd(8), scenario.title, ...(remark === undefined ? [] : [`(${remark})`])].join(' '),
      ),
      '',
      'The evidence supports, in the gateway profile:',
      `  "confirmed": ${JSON.stringify(conclusion.confirmed)}`,
      ...(conclusion.unconfirmed.length === 0 ? [] : ['', 'Still unconfirmed:']),
      ...conclusion.unconfirmed.map(({ assumption, why }) => `  ${assumption}: ${why}`),
      '',
      `The report is in ${options.report}.`,
    ],
    json: {
      ...result,
      tried: tried.map(({ scenario, ...one }) => ({ scenario: scenario.name, ...one })),
      confirmed: conclusion.confirmed,
      report: options.report,
    },
  });
  if (failed.length > 0) return EXIT.found;
  return conclusion.unconfirmed.length > 0 ? EXIT.unconfirmed : EXIT.done;
}

async function tryAll(context: CommandContext, options: GoLiveOptions): Promise<GoLiveResult> {
  const { env, reporter } = context;
  const file = options.scenarios === undefined ? SANDBOX_SCENARIOS : readScenarios(options.scenarios);
  const profile = profileOf(env);
  const service = serviceOf(context);
  const ask = (line: string): void => reporter.ask(line);
  const shop = new TestShop({ service, file, ask, waitSeconds: options.waitSeconds });
  const methods = await enabledMethods(shop);
  const startedAt = new Date().toISOString();
  const before = await countNotifications(env);
  const scenarios = SCENARIOS.filter(({ method }) => methods.includes(method));
  const progress = reporter.progress('Trying', scenarios.length);
  const tried: Tried[] = [];
  for (const scenario of scenarios) {
    tried.push(await tryOne(scenario, shop, options.unattended));
    progress.step();
  }
  progress.end();
  if (before) await sleep(LAST_NOTIFICATION_MS);
  const notifications = between(before, await countNotifications(env));
  const used = usedAssumptions(profile, methods, { notificationSecretSet: hasNotificationSecret(env) });
  return {
    startedAt,
    endedAt: new Date().toISOString(),
    serviceUrl: service.url,
    version: await versionOf(service),
    methods,
    profile: env['GATEWAY_PROFILE'] ? 'the file of GATEWAY_PROFILE' : 'built-in',
    tried,
    notifications,
    conclusion: conclude(used, tried, notifications),
  };
}

/** The methods that the service offers. Refuses to run where real money would move. */
async function enabledMethods(shop: TestShop): Promise<PaymentMethod[]> {
  const order = await shop.order();
  await order.close();
  if (order.session.livemode) {
    throw new CommandFailure(
      'The service runs in live mode, where this would move real money. Run it with GATEWAY_MODE=test against the test system.',
      'live-mode',
    );
  }
  return PAYMENT_METHODS.filter((method) => order.session.methods.includes(method));
}

async function tryOne(scenario: Scenario, shop: TestShop, unattended: boolean): Promise<Tried> {
  const notRun = (remark: string): Tried => ({
    scenario,
    result: 'not-run',
    remark,
    timeline: [],
    seconds: 0,
  });
  const run = scenario.run(shop.file);
  if (!run) return notRun('the scenarios file has nothing for it');
  if (scenario.person && unattended) return notRun('it needs a person, and --unattended was given');
  const begun = performance.now();
  shop.begin();
  let failure: string | undefined;
  try {
    await run(shop);
  } catch (error) {
    if (error instanceof ServiceRefusal) failure = `${error.message} [${error.requestId}]`;
    else if (error instanceof ScenarioFailure) failure = error.message;
    else throw error;
  }
  const { payment } = shop;
  const timeline = payment ? await shop.timeline(payment) : [];
  const unclear = misunderstood(timeline);
  const remark = failure ?? (unclear.length > 0 ? `on the way: ${unclear.join(', ')}` : undefined);
  return {
    scenario,
    result: failure === undefined ? 'passed' : 'failed',
    ...(remark !== undefined && { remark }),
    ...(payment && { paymentId: payment.id, gatewayReference: payment.gatewayReference }),
    timeline,
    seconds: (performance.now() - begun) / 1000,
  };
}

function profileOf(env: CommandContext['env']): Profile {
  try {
    return loadProfile(env['GATEWAY_PROFILE'] || undefined);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    throw new CommandFailure(error.message, 'profile');
  }
}

function hasNotificationSecret(env: CommandContext['env']): boolean {
  return Boolean(env['NOTIFICATION_SECRET'] || env['NOTIFICATION_SECRET_FILE']);
}

async function versionOf(service: ServiceClient): Promise<string> {
  try {
    const { info } = await service.get<{ info: { version: string } }>('/openapi.json');
    return info.version;
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return 'of an unknown version';
  }
}

function writeReport(path: string, text: string): void {
  try {
    writeFileSync(path, text);
  } catch {
    throw new CommandFailure(`The report cannot be written to ${path}.`, 'file');
  }
}

const TIMEOUT_MS = 5_000;

/** What the service has counted so far. Undefined where its metrics cannot be read from here. */
export async function countNotifications(env: CommandContext['env']): Promise<NotificationsSeen | undefined> {
  const { serviceUrl, merchantKey } = readCommandEnvironment(env);
  const port = env['MANAGEMENT_PORT'];
  // Production's rules ask for it, but at the management port, which has no need of it.
  const headers: Record<string, string> =
    port || merchantKey === undefined ? {} : { authorization: `Bearer ${merchantKey}` };
  const base = port ? `http://${new URL(serviceUrl).hostname}:${port}` : serviceUrl;
  try {
    const response = await fetch(`${base}/metrics`, {
      redirect: 'error',
      headers,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const text = await response.text();
    const count = (result: string): number | undefined => {
      const line = new RegExp(`^tillfront_notifications_total\\{result="${result}"\\} ([0-9]+)$`, 'm').exec(
        text,
      );
      return line ? Number(line[1]) : undefined;
    };
    const [received, unmatched, refused] = ['received', 'unmatched', 'refused'].map(count);
    if (received === undefined || unmatched === undefined || refused === undefined) return undefined;
    return { received, unmatched, refused };
  } catch {
    return undefined;
  }
}

/** The notifications that arrived between two counts. */
export function between(
  before: NotificationsSeen | undefined,
  after: NotificationsSeen | undefined,
): NotificationsSeen | undefined {
  if (!before || !after) return undefined;
  return {
    received: after.received - before.received,
    unmatched: after.unmatched - before.unmatched,
    refused: after.refused - before.refused,
  };
}

/** The complete results of a run. */
export interface GoLiveResult {
  startedAt: string;
  endedAt: string;
  serviceUrl: string;
  version: string;
  methods: readonly string[];
  profile: string;
  tried: readonly Tried[];
  notifications: NotificationsSeen | undefined;
  conclusion: Conclusion;
}

/** The report for the merchant's records, in Markdown, without any card, credential or payer data. */
export function reportText(result: GoLiveResult): string {
  const { tried, conclusion, notifications } = result;
  return [
    '# Go-live report',
    '',
    `Tillfront ${result.version} at ${result.serviceUrl}, in test mode, from ${result.startedAt} to ${result.endedAt}.`,
    `Methods: ${result.methods.join(', ')}. Gateway profile: ${result.profile}.`,
    '',
    '## Scenarios',
    '',
    '| scenario | result | payment | at the gateway | seconds | remark |',
    '|---|---|---|---|---|---|',
    ...tried.map(scenarioRow),
    '',
    notifications
      ? `Notifications of the gateway meanwhile: ${notifications.received} about our payments, ` +
        `${notifications.unmatched} about payments that could not be found, ${notifications.refused} refused.`
      : "Notifications of the gateway: not known, because the service's metrics could not be read.",
    '',
    '## What this confirms',
    '',
    'Check each scenario above, then put this in the gateway profile:',
    '',
    '```json',
    JSON.stringify({ confirmed: conclusion.confirmed }, null, 2),
    '```',
    '',
    ...(conclusion.unconfirmed.length === 0
      ? ['Everything that the enabled methods use is confirmed.']
      : [
          'Still unconfirmed:',
          '',
          ...conclusion.unconfirmed.map(({ assumption, why }) => `- \`${assumption}\`: ${cell(why)}`),
        ]),
    '',
    '## Timelines',
    '',
    ...tried.flatMap(timelineLines),
  ].join('\n');
}

function scenarioRow({ scenario, result, paymentId, gatewayReference, seconds, remark }: Tried): string {
  const cells = [
    `${scenario.name}: ${scenario.title}`,
    result,
    paymentId ?? '',
    gatewayReference ?? '',
    result === 'not-run' ? '' : seconds.toFixed(1),
    remark ?? '',
  ];
  return `| ${cells.map(cell).join(' | ')} |`;
}

function timelineLines({ scenario, paymentId, timeline }: Tried): string[] {
  if (timeline.length === 0) return [];
  return [
    `### ${scenario.name}, ${paymentId ?? ''}`,
    '',
    ...timeline.map(({ at, type, from, to, detail }) => {
      const move = to === undefined ? '' : ` ${from === undefined ? '' : `${from} -> `}${to}`;
      const members = Object.entries(detail ?? {}).map(([name, value]) => ` ${name}: ${value}`);
      return `- ${at} ${type}${cell(move + members.join(','))}`;
    }),
    '',
  ];
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll(/\s+/g, ' ');
