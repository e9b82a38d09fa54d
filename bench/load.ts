import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

export interface Load {
  url: string;
  /** Sent in turn, over and over. */
  calls: Call[];
  seconds: number;
  /** Requests a second; as many as it can without. */
  rate?: number;
}

export interface Outcome {
  perSecond: number;
  /** Milliseconds. */
  p50: number;
  p95: number;
  p99: number;
}

export const connections = 64;
export const generator = spawnSync('wrk', ['--version']).error ? 'autocannon' : 'wrk';

/** Sends requests over 64 connections, each after the answer to the one before. Any answer but 2xx is a failed run. */
export async function load(options: Load): Promise<Outcome> {
  const { failed, ...outcome } = await (generator === 'wrk' ? withWrk(options) : withAutocannon(options));
  if (failed > 0) throw new Error(`${failed} requests to ${options.calls[0]?.path} have failed`);
  return outcome;
}

async function withWrk({ url, calls, seconds, rate }: Load): Promise<Outcome & { failed: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'giftwire-bench-'));
  try {
    const script = join(folder, 'load.lua');
    await writeFile(script, wrkScript(calls, rate));
    const args = ['-t1', '--timeout', '20s', `-c${connections}`, `-d${seconds}s`, '-s', script, url];
    const { stdout, stderr } = await promisify(execFile)('wrk', args);
    const text = /^\{.*\}$/m.exec(stdout)?.[0];
    if (!text) throw new Error(`wrk has said: ${stdout}${stderr}`);
    return JSON.parse(text) as Outcome & { failed: number };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function wrkScript(calls: Call[], rate: number | undefined): string {
  const text = (value: string) => `[==[${value}]==]`;
  const formats = calls.map(({ method, path, headers, body }) => {
    const fields = Object.entries(headers).map(([name, value]) => `[ ${text(name)} ] = ${text(value)}`);
    return `wrk.format(${text(method)}, ${text(path)}, { ${fields.join(', ')} }, ${body ? text(body) : 'nil'})`;
  });
  // A connection waits between its requests, at random and on average as long as the rate asks for.
  const pause = rate ? `function delay() return math.random(0, ${Math.round((2_000 * connections) / rate)}) end` : '';
  return `
local requests, nth = {}, 0
function init() requests = { ${formats.join(',\n')} } end
function request() nth = nth % #requests + 1; return requests[nth] end
${pause}
function done(summary, latency)
  local e = summary.errors
  io.write(string.format('{"perSecond":%.3f,"failed":%d,"p50":%.3f,"p95":%.3f,"p99":%.3f}',
    summary.requests / summary.duration * 1000000, e.connect + e.read + e.write + e.status + e.timeout,
    latency:percentile(50) / 1000, latency:percentile(95) / 1000, latency:percentile(99) / 1000))
end`;
}

async function withAutocannon({ url, calls, seconds, rate }: Load): Promise<Outcome & { failed: number }> {
  const times: number[] = [];
  const requests = calls.map(({ body, ...call }) => ({ ...call, ...(body !== undefined && { body }) }));
  const pace = rate ? { overallRate: Math.round(rate) } : {};
  const result = await new Promise<autocannon.Result>((resolve, reject) => {
    const instance = autocannon({ url, connections, duration: seconds, requests, ...pace }, (error, done) =>
      error ? reject(error) : resolve(done),
    );
    instance.on('response', (_client, _status, _bytes, time) => times.push(time));
  });
  times.sort((a, b) => a - b);
  const percentile = (share: number) => times[Math.floor(times.length * share)] ?? Number.NaN;
  return {
    perSecond: result['2xx'] / result.duration,
    failed: result.non2xx + result.errors + result.timeouts,
    p50: percentile(0.5),
    p95: percentile(0.95),
    p99: percentile(0.99),
  };
}
