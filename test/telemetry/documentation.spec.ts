import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { startScene, type Scene } from '../harness/scene.js';

const read = (path: string): string => readFileSync(path, 'utf8');

/** The first cells of the rows of a document's tables, without their backticks. */
const rows = (text: string): string[][] =>
  [...text.matchAll(/^\| `(.+)$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim().replaceAll('`', '')),
  );

describe('docs/logs.md', () => {
  const sources = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts') && !path.startsWith('cli/'))
    .map((path) => read(join('src', path)))
    .join('\n');

  const logged = [...sources.matchAll(/\bevent: (?:\w+ === '\w+' \? )?'([^']+)'(?: : '([^']+)')?/g)].flatMap(
    ([, one = '', other]) => (other === undefined ? [one] : [one, other]),
  );

  test('names every event that the service logs, and no other', () => {
    const documented = rows(read('docs/logs.md')).flatMap(([events = '']) => events.split(', '));
    expect(documented.sort()).toEqual([...new Set(logged)].sort());
  });
});

describe('of the running service', () => {
  let scene: Scene;
  let types: Map<string, string>;

  beforeAll(async () => {
    scene = await startScene('embedded');
    const text = await (await fetch(`${scene.tillfront.url}/metrics`)).text();
    types = new Map(
      [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [name, type]),
    );
  });
  afterAll(() => scene?.stop());

  /** Names of series of metrics that it has. */
  const series = (): Set<string> => {
    const names = [...types].flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
    // Prometheus's own, about each scrape.
    return new Set([...names, 'up']);
  };

  test('docs/metrics.md lists each metric with its type and its labels', () => {
    const documented = rows(read('docs/metrics.md')).map(([name, type]) => [name, type]);
    const own = [...types].filter(([name]) => name.startsWith('tillfront_'));
    expect(documented.sort()).toEqual(own.sort());
  });

  const dashboard = JSON.parse(read('deploy/observability/grafana-dashboard.json')) as {
    panels: { id: number; type: string; title: string; targets?: { expr: string }[] }[];
    templating: { list: { definition?: string }[] };
  };
  const alerts = (
    parse(read('deploy/observability/prometheus-rules.yaml')) as {
      groups: {
        rules: { alert: string; expr: string; labels: object; annotations: Record<string, string> }[];
      }[];
    }
  ).groups.flatMap(({ rules }) => rules);

  const panels = dashboard.panels.filter(({ type }) => type !== 'row');
  const expressions: [string, string][] = [
    ...panels.flatMap(({ title, targets = [] }): [string, string][] =>
      targets.map(({ expr }) => [`panel "${title}"`, expr]),
    ),
    ...dashboard.templating.list.flatMap(({ definition }): [string, string][] =>
      definition === undefined ? [] : [['variable', definition]],
    ),
    ...alerts.map(({ alert, expr }): [string, string] => [alert, expr]),
  ];

  test('every metric of the dashboard and the alerts is there', () => {
    expect(expressions.length).toBeGreaterThan(25);
    for (const [where, expression] of expressions) {
      const names = expression.match(/\b(?:(?:tillfront|nodejs|process)_\w+|up)(?=[{[,)\s]|$)/g) ?? [];
      expect({ where, names: names.length > 0 }).toEqual({ where, names: true });
      for (const name of names)
        expect({ where, name, there: series().has(name) }).toMatchObject({ there: true });
    }
  });

  test('every label that they select or group by is one of the metric, and every value one that it takes', () => {
    const labels = new Set(rows(read('docs/metrics.md')).flatMap(([, , list = '']) => list.split(', ')));
    for (const name of ['job', 'instance', 'le']) labels.add(name);
    for (const [where, expression] of expressions) {
      const selected = [...expression.matchAll(/[{,]\s*(\w+)\s*(?:=~|!=|!~|=)\s*"/g)].map(
        ([, label]) => label,
      );
      const grouped = [...expression.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list = '']) =>
        list.split(/,\s*/),
      );
      for (const label of [...selected, ...grouped])
        expect([where, label, labels.has(label ?? '')]).toContain(true);
    }
  });

  test('the dashboard has every metric of the service somewhere, and ids that differ', () => {
    const shown = expressions
      .filter(([where]) => where.startsWith('panel'))
      .map(([, expression]) => expression)
      .join('\n');
    for (const name of types.keys()) if (name.startsWith('tillfront_')) expect(shown).toContain(name);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });

  test('every alert says how bad it is and which section of the runbook helps', () => {
    const anchors = [...read('docs/runbook.md').matchAll(/^#{2,3} (.+)$/gm)].map(([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^a-z0-9 -]/g, '')
        .replaceAll(' ', '-'),
    );
    expect(new Set(alerts.map(({ alert, labels }) => JSON.stringify([alert, labels]))).size).toBe(
      alerts.length,
    );
    for (const { alert, labels, annotations } of alerts) {
      expect(labels).toEqual({ severity: expect.stringMatching(/^(?:warning|critical)$/) });
      expect([alert, annotations['summary']?.length ?? 0]).toEqual([alert, expect.any(Number)]);
      expect(anchors).toContain(annotations['runbook']);
    }
  });
});
