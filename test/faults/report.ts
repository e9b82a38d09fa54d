import { type Journal, seconds } from './journal.ts';

export interface Total {
  seed: number;
  runs: number;
  injected: number;
  /** After how many of them the ledger agreed with everything. */
  verified: number;
  skipped: number;
  requests: number;
  violations: number;
  began: number;
}

export interface FaultReport {
  name: string;
  seed: number;
  ms: number;
  journal: Journal;
}

/** One line for the fault, and one for each violation. */
export function reportFault({ name, seed, ms, journal }: FaultReport): void {
  const mark = journal.violations === 0 ? '✓' : '✗';
  const answers = journal.statuses().map(([status, count]) => `${status} × ${grouped(count)}`);
  const facts = [
    `${mark} ${name.padEnd(20)}`,
    seconds(ms).padStart(7),
    `${grouped(journal.sent).padStart(7)} requests`,
    counted(journal.violations, 'violation'),
    answers.join(', '),
  ];
  console.log(facts.join('  '));
  for (const sentence of journal.sentences()) console.log(`    ${sentence}`);
  if (journal.violations > 0) console.log(`    Again: npm run test:faults -- --seed ${seed} --only ${name}`);
}

export function reportSummary({ seed, runs, injected, verified, skipped, requests, violations, began }: Total): void {
  const facts = [
    `seed ${seed}`,
    counted(runs, 'run'),
    `${counted(injected, 'fault')} injected${skipped > 0 ? ` (${skipped} skipped)` : ''}`,
    `ledger verified after ${verified}`,
    `${grouped(requests)} requests sent`,
    counted(violations, 'violation'),
    `in ${Math.round((Date.now() - began) / 1_000)} s`,
  ];
  console.log(`\n${facts.join(', ')}`);
}

function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}

function grouped(count: number): string {
  return count.toLocaleString('en');
}
