import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts CPU time in ticks of 10 ms. */
const tickUs = 10_000;

interface Counted {
  pid: number;
  parent: number;
  ticks: number;
}

/**
 * The CPU time, user and system, that a process has used so far, with all processes that it started: in µs. On a busy machine a
 * rate says more about the neighbours than this does. NaN where the system does not tell.
 */
export function cpuTimeUs(pid: number): number {
  const all = readProcesses();
  if (!all.some((one) => one.pid === pid)) return Number.NaN;
  const sum = (counted: Counted): number =>
    all.filter(({ parent }) => parent === counted.pid).reduce((ticks, child) => ticks + sum(child), counted.ticks);
  return sum(all.find((one) => one.pid === pid) as Counted) * tickUs;
}

function readProcesses(): Counted[] {
  return pidsHere().flatMap((pid) => {
    try {
      // The name of the program, in parentheses, may have spaces and parentheses of its own.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
        .map(Number);
      const [user = 0, system = 0, ofEnded = 0, systemOfEnded = 0] = fields.slice(11, 15);
      return [{ pid, parent: fields[1] as number, ticks: user + system + ofEnded + systemOfEnded }];
    } catch {
      // It has ended in between.
      return [];
    }
  });
}

function pidsHere(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number);
  } catch {
    return [];
  }
}
