import { figuresOf, type Measurement } from './scenario.ts';

const COLOURS = ['#5b6770', '#8a6d3b', '#9aa5ad', '#b5651d', '#c3cad0', '#d9a066', '#0b6e4f', '#2a9d74'];
const NAMES_A_LINE = 4;
const WIDTH = 860;
const BAR = 16;
const LEFT = 290;

/** CPU a payment in each scenario as bars: the shorter the better. */
export function drawPlot(measurements: readonly Measurement[]): string {
  const groups = measurements
    .filter(({ scenario: { load } }) => !('concurrency' in load) || load.concurrency > 1)
    .map(({ scenario, servers }) => ({
      title: scenario.name,
      bars: servers.map(({ name, rounds }) => ({ name, cpuMs: figuresOf(rounds).cpuMs })),
    }));
  const most = Math.max(...groups.flatMap(({ bars }) => bars.map(({ cpuMs }) => cpuMs)));
  const names = groups[0]?.bars.map(({ name }) => name) ?? [];
  const colour = (name: string): string => COLOURS[names.indexOf(name)] ?? '#000';
  const parts: string[] = [];
  names.forEach((name, index) => {
    const x = 16 + (index % NAMES_A_LINE) * 205;
    const y = 34 + Math.floor(index / NAMES_A_LINE) * 20;
    parts.push(`<rect x="${x}" y="${y}" width="12" height="12" fill="${colour(name)}"/>`);
    parts.push(`<text x="${x + 17}" y="${y + 10}">${escapeXml(name)}</text>`);
  });
  let y = 44 + Math.ceil(names.length / NAMES_A_LINE) * 20;
  for (const { title, bars } of groups) {
    parts.push(`<text x="16" y="${y + (bars.length * (BAR + 3)) / 2 + 4}">${escapeXml(title)}</text>`);
    for (const { name, cpuMs } of bars) {
      const width = Math.max(1, (cpuMs / most) * (WIDTH - LEFT - 90));
      parts.push(
        `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${colour(name)}"/>`,
      );
      parts.push(`<text x="${(LEFT + width + 6).toFixed(1)}" y="${y + 12}">${cpuMs.toFixed(2)} ms</text>`);
      y += BAR + 3;
    }
    y += 14;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${y}" viewBox="0 0 ${WIDTH} ${y}" role="img" aria-label="CPU time a card payment" font-family="sans-serif" font-size="12" fill="#222">
<rect width="${WIDTH}" height="${y}" fill="#fff"/>
<text x="16" y="20" font-size="14" font-weight="bold">CPU time of the server a card payment (less is better)</text>
${parts.join('\n')}
</svg>
`;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
