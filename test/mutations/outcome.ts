import type { Mutation } from './mutation.ts';
import type { Judgement } from './workshop.ts';

/** What became of one mutation. */
export type Outcome = Pick<Mutation, 'name' | 'promise' | 'file'> & Judgement & { seconds: number };

export function describe(outcome: Outcome): string {
  const mark = outcome.verdict === 'caught' ? '✔' : '✖';
  return `${mark} ${outcome.name.padEnd(26)} ${outcome.verdict}${explain(outcome)}`;
}

function explain(outcome: Outcome): string {
  const time = `(${outcome.seconds} s)`;
  switch (outcome.verdict) {
    case 'caught':
      return ` by ${quoted(outcome.by)} ${time}`;
    case 'survived':
      return `: ${outcome.promise}, and no test noticed ${time}`;
    case 'broken':
      return `: ${outcome.reason} ${time}\n${indented(outcome.lastLines)}`;
    case 'does not apply':
      return `: ${outcome.reason} ${time}`;
  }
}

export function quoted(tests: string[]): string {
  return tests.map((test) => `"${test}"`).join(', ');
}

export function indented(lines: string[]): string {
  return lines.map((line) => `    ${line}`).join('\n');
}

/** How many mutations had which outcome, as numbers and as a sentence. */
export function summary(outcomes: readonly Outcome[]) {
  const count = (verdict: Judgement['verdict']) => outcomes.filter((one) => one.verdict === verdict).length;
  const counts = {
    tried: outcomes.length,
    caught: count('caught'),
    survived: count('survived'),
    broken: count('broken'),
    doNotApply: count('does not apply'),
  };
  const { tried, caught, survived, broken, doNotApply } = counts;
  const text = `${caught} of ${tried} caught, ${survived} survived, ${broken} with broken runs, ${doNotApply} no longer apply.`;
  return { ...counts, text };
}
