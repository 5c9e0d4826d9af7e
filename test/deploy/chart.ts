import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parse, parseAllDocuments } from 'yaml';
import { GoTemplates } from './go-template.js';

export const CHART = 'deploy/helm/tillfront';

/** One object that the chart makes. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; labels: Record<string, string>; annotations?: Record<string, string> };
  // The tests know what they look for.
  spec?: unknown;
  data?: Record<string, string>;
}

const read = (path: string): string => readFileSync(join(CHART, path), 'utf8');

/** The chart's own values. */
export function chartValues(): Record<string, unknown> {
  return parse(read('values.yaml')) as Record<string, unknown>;
}

/** Values as helm puts those of a file over the chart's. */
export function mergeValues(base: unknown, over: unknown): unknown {
  if (!isMap(base) || !isMap(over)) return over;
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(over))
    merged[name] = name in base ? mergeValues(base[name], value) : value;
  return merged;
}

/** What the chart makes of values, by template. */
export function renderChart(values: object): { manifests: Manifest[]; notes: string } {
  const names = readdirSync(join(CHART, 'templates'));
  const chart = parse(read('Chart.yaml')) as Record<string, string>;
  const templates = new GoTemplates(
    Object.fromEntries(names.map((name) => [name, read(join('templates', name))])),
    {
      Values: mergeValues(chartValues(), values),
      Chart: {
        Name: chart['name'] ?? '',
        Version: chart['version'] ?? '',
        AppVersion: chart['appVersion'] ?? '',
      },
      Release: { Name: 'shop', Namespace: 'payments', Service: 'Helm' },
      file: read,
    },
  );
  const manifests = names
    .filter((name) => name.endsWith('.yaml'))
    .flatMap((name) => parseAllDocuments(templates.render(name), { strict: true }))
    .map((document) => {
      if (document.errors.length > 0) throw document.errors[0] ?? new Error('no YAML');
      return document.toJS() as Manifest | null;
    })
    .filter((manifest) => manifest !== null);
  return { manifests, notes: templates.render('NOTES.txt') };
}

function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
