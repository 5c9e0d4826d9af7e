import type { Conclusion, NotificationsSeen, Tried } from './evidence.js';

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
