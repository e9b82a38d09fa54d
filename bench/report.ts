import { readFile, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { drawChart } from './chart.ts';
import { connections, generator } from './load.ts';
import { type CpuTime, cpuTimes } from './measures/cpu.ts';
import { type Latency, latenciesOf } from './measures/latency.ts';
import type { Series } from './series.ts';
import { nameOf, readTargets, type Target } from './targets.ts';

export interface Results {
  date: string;
  machine: string;
  size: 'full' | 'quick';
  targets: Target[];
  latencies: Latency[];
  cpuTimes: CpuTime[];
}

/** What is kept of runs on one machine: rates are per second, times in ms or µs. */
interface Kept {
  date: string;
  machine: string;
  series: Series;
}

const here = import.meta.dirname;
const page = join(here, '../docs/benchmark.md');
const file = join(here, 'results.json');

const today = () => new Date().toISOString().slice(0, 10);

export function summarise(size: Results['size'], series: Series): Results {
  return {
    date: today(),
    machine: nameMachine(),
    size,
    targets: readTargets(series),
    latencies: latenciesOf(series),
    cpuTimes: cpuTimes(series),
  };
}

function nameMachine(): string {
  const gigabytes = Math.round(totalmem() / 1024 ** 3);
  return (
    `${availableParallelism()} cores (${cpus()[0]?.model ?? process.arch}), ${gigabytes} GB, ` +
    `Node ${process.versions.node}, ${generator} with ${connections} connections on the same machine`
  );
}

/** Keeps what was measured, beside other parts that were measured on the same machine, and writes the page. */
export async function keep(measured: Series): Promise<void> {
  const before = JSON.parse(await readFile(file, 'utf8')) as Kept;
  const machine = nameMachine();
  const series = before.machine === machine ? { ...before.series, ...measured } : measured;
  const kept: Kept = { date: today(), machine, series };
  await writeFile(file, `${asText(kept)}\n`);
  const results = summarise('full', series);
  await writeFile(join(here, 'chart.svg'), drawChart(results.targets));
  const text = await readFile(page, 'utf8');
  const section = `<!-- bench -->\n\n${markdown(results)}\n\n<!-- /bench -->`;
  await writeFile(
    page,
    text.replace(/<!-- bench -->.*<!-- \/bench -->/s, () => section),
  );
}

export function show({ date, machine, size, targets, latencies, cpuTimes }: Results): string {
  const rows = targets.map((row) => [row.met ? 'met' : 'MISSED', nameOf(row), shown(row), goal(row), range(row)]);
  const times = latencies.map(({ operation, perSecond, p50, p95, p99 }) => [
    operation,
    `${Math.round(perSecond)}/s`,
    ...[p50, p95, p99].map((ms) => `${ms.toFixed(1)} ms`),
  ]);
  return [
    `${date}, ${machine}${size === 'quick' ? ', small data' : ''}`,
    columns([['', 'measure', 'result', 'target', 'lowest to highest round'], ...rows]),
    columns([['CPU time of one request or gift', 'the program', 'PostgreSQL'], ...cpuTimes.map(cpuCells)]),
    columns([['at half load', 'rate', 'p50', 'p95', 'p99'], ...times]),
    missed(targets),
  ].join('\n\n');
}

function missed(targets: Target[]): string {
  const rows = targets.filter(({ met }) => !met);
  if (rows.length === 0) return 'Every target is met.';
  const by = ({ value, target }: Target) => `${Math.round(Math.abs(1 - value / target) * 100)} %`;
  return rows.map((row) => `Missed by ${by(row)}: ${nameOf(row)}.${row.limit ? ` ${row.limit}.` : ''}`).join('\n');
}

function markdown({ date, machine, targets, latencies, cpuTimes }: Results): string {
  const rows = targets.map(
    (row) =>
      `| ${row.measure} | ${row.comparedWith || '–'} | ${shown(row)} | ${range(row)} | ${goal(row)} ${row.met ? '✓' : '✗'} |`,
  );
  const times = latencies.map(
    ({ operation, p50, p95, p99 }) => `| ${operation} | ${p50.toFixed(1)} | ${p95.toFixed(1)} | ${p99.toFixed(1)} |`,
  );
  return [
    `Measured on ${date}: ${machine}.`,
    '',
    '![How far each measure is from its target](../bench/chart.svg)',
    '',
    '| Measure | What it is compared with | Result (median) | Lowest to highest round | Target |',
    '|---|---|---|---|---|',
    ...rows,
    '',
    '| CPU time of one request or gift, user and system | The program that answers it | PostgreSQL |',
    '|---|---|---|',
    ...cpuTimes.map((time) => `| ${cpuCells(time).join(' | ')} |`),
    '',
    '| Milliseconds at half load | p50 | p95 | p99 |',
    '|---|---|---|---|',
    ...times,
    '',
    missed(targets).replace(/^/gm, '- '),
  ].join('\n');
}

const cpuCells = ({ request, program, database }: CpuTime) => [request, inUs(program), inUs(database)];
const inUs = (value: number) => `${Math.round(value)} µs`;

export function figure({ value, unit }: Pick<Target, 'value' | 'unit'>): string {
  return unit ? `${value.toFixed(unit === 'MB' ? 0 : 1)} ${unit}` : value.toFixed(2);
}

const inWords = { rate: ' times as fast', time: ' times as long', size: ' times as much', amount: '' };
const shown = (row: Target) => `${figure(row)}${inWords[row.kind]}`;
const goal = ({ target, atLeast, unit }: Target) =>
  `${atLeast ? 'at least' : 'at most'} ${target}${unit && ` ${unit}`}`;
const range = ({ low, high, unit }: Target) =>
  low === high ? '' : `${figure({ value: low, unit })} – ${figure({ value: high, unit })}`;

function columns(rows: string[][]): string {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

const round = (value: number) => Math.round(value * 1_000) / 1_000;
/** A line for each measure. */
function asText(kept: Kept): string {
  return JSON.stringify(kept, rounded, 2).replace(/\[[^\]]*\]/g, (list) => list.replace(/\s+/g, ' '));
}

const rounded = (_key: string, value: unknown) => (typeof value === 'number' ? round(value) : value);
