import type { Results } from './scenario.ts';

const COLOURS = ['#5b6770', '#9aa5ad', '#c3cad0', '#0b6e4f', '#2a9d74'];
const WIDTH = 860;
const BAR = 16;
const LEFT = 250;

/** CPU a payment in each scenario as bars: the shorter the better. */
export function drawPlot(results: Results): string {
  const groups = [...results].filter(([{ load }]) => !('concurrency' in load) || load.concurrency > 1);
  const most = Math.max(...groups.flatMap(([, figures]) => [...figures.values()].map(({ cpuMs }) => cpuMs)));
  const names = [...(groups[0]?.[1].keys() ?? [])];
  const parts: string[] = [];
  let y = 64;
  names.forEach((name, index) => {
    const x = 16 + index * 168;
    parts.push(`<rect x="${x}" y="34" width="12" height="12" fill="${COLOURS[index] ?? '#000'}"/>`);
    parts.push(`<text x="${x + 17}" y="44">${escapeXml(name)}</text>`);
  });
  for (const [scenario, figures] of groups) {
    const height = figures.size * (BAR + 3);
    parts.push(`<text x="16" y="${y + height / 2 + 4}">${escapeXml(scenario.name)}</text>`);
    for (const [index, name] of names.entries()) {
      const cpuMs = figures.get(name)?.cpuMs ?? 0;
      const width = Math.max(1, (cpuMs / most) * (WIDTH - LEFT - 90));
      parts.push(
        `<rect x="${LEFT}" y="${y}" width="${width.toFixed(1)}" height="${BAR}" fill="${COLOURS[index] ?? '#000'}"/>`,
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
