import { nameOf, type Target } from './targets.ts';

const width = 1040;
const rowHeight = 30;
const lineHeight = 14;
const top = 44;
const labels = 640;
/** So many letters fit into a line of a label. */
const lineLength = 100;
const barsWidth = width - labels - 90;
/** The axis goes from a quarter of the target to sixteen times better than it, in powers of two. */
const lowest = -2;
const highest = 4;
const colours = { met: '#2a7f62', missed: '#c8553d', text: '#24292f', faint: '#8c959f', line: '#d0d7de' };

/** A bar for each measure: how many times better than its target it is. */
export function drawChart(targets: readonly Target[]): string {
  const names = targets.map((row) => inLines(nameOf(row)));
  const tops = [top];
  for (const lines of names) tops.push((tops.at(-1) as number) + rowHeight + (lines.length - 1) * lineHeight);
  const height = (tops.at(-1) as number) + 16;
  const x = (factor: number) => {
    const power = Math.min(highest, Math.max(lowest, Math.log2(factor)));
    return labels + ((power - lowest) / (highest - lowest)) * barsWidth;
  };
  const ticks = [0.25, 0.5, 1, 2, 4, 8, 16].map((factor) => {
    const stroke = factor === 1 ? colours.text : colours.line;
    const label = factor === 1 ? 'target' : `${factor}×`;
    return (
      `<line x1="${x(factor)}" y1="${top - 8}" x2="${x(factor)}" y2="${height - 12}" stroke="${stroke}"/>` +
      `<text x="${x(factor)}" y="${top - 16}" text-anchor="middle" fill="${colours.faint}">${label}</text>`
    );
  });
  const bars = targets.map((row, index) => {
    const { value, target, atLeast, met, unit } = row;
    const factor = atLeast ? value / target : target / value;
    const y = tops[index] as number;
    const from = Math.min(x(1), x(factor));
    const length = Math.max(2, Math.abs(x(factor) - x(1)));
    const shown = `${unit === 'MB' ? Math.round(value) : Number(value.toPrecision(3))}${unit && ` ${unit}`}`;
    return (
      `<text y="${y + 16}" text-anchor="end" fill="${colours.text}">${names[index]?.map(asLine).join('')}</text>` +
      `<rect x="${from}" y="${y + 3}" width="${length}" height="18" rx="2" fill="${met ? colours.met : colours.missed}"/>` +
      `<text x="${width - 80}" y="${y + 16}" fill="${colours.text}">${shown}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="11">`,
    `<title>How many times better than its target each measure is</title>`,
    `<rect width="${width}" height="${height}" fill="#ffffff"/>`,
    ...ticks,
    ...bars,
    '</svg>',
    '',
  ].join('\n');
}

function asLine(line: string, nth: number): string {
  return `<tspan x="${labels - 12}" dy="${nth === 0 ? 0 : lineHeight}">${escapeXml(line)}</tspan>`;
}

function inLines(text: string): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) as string;
    if (line.length + word.length < lineLength) lines[lines.length - 1] = `${line} ${word}`.trim();
    else lines.push(word);
  }
  return lines;
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
