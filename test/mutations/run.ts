import { Command, InvalidArgumentError } from 'commander';
import { accessMutations } from './access.ts';
import { contractMutations } from './contract.ts';
import { httpMutations } from './http.ts';
import type { Mutation } from './mutation.ts';
import { orderMutations } from './orders.ts';
import { baseline, type Judgement, openWorkshop, tryMutation, unfit } from './workshop.ts';

interface Options {
  only?: string[];
  list?: true;
  json?: true;
  baseline: boolean;
}

type Outcome = Pick<Mutation, 'name' | 'promise' | 'file'> & Judgement & { seconds: number };

const mutations: Mutation[] = [...accessMutations, ...httpMutations, ...orderMutations, ...contractMutations];

const options = new Command('npm run test:mutations --')
  .description('Breaks one promise at a time in a copy of the project, and says which breaks no test notices.')
  .option('--only <names>', 'some mutations alone, separated by commas', mutationNames)
  .option('--list', 'list the mutations, and those that no longer apply; nothing is run')
  .option('--json', 'print one JSON object')
  .option('--no-baseline', 'do not check first that the tests pass on the program as it is')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<Options>();

const chosen = mutations.filter(({ name }) => options.only?.includes(name) ?? true);
process.exitCode = (options.list ? list() : await runAll()) ? 0 : 1;

function list(): boolean {
  const listed = chosen.map(({ name, promise, file, ...one }) => ({
    name,
    promise,
    file,
    unfit: unfit({ ...one, name, promise, file }),
  }));
  if (options.json) console.log(JSON.stringify(listed));
  else
    for (const { name, promise, unfit: reason } of listed)
      console.log(`${name.padEnd(26)}${promise}${reason ? `\n${' '.repeat(26)}✖ does not apply: ${reason}` : ''}`);
  return listed.every((one) => one.unfit === null);
}

async function runAll(): Promise<boolean> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const workshop = await openWorkshop();
  try {
    const broken = options.baseline ? await baseline(workshop, chosen, stop.signal) : null;
    if (broken !== null) {
      console.error(`Without any mutation a test fails already: ${broken}`);
      return false;
    }
    const outcomes: Outcome[] = [];
    for (const mutation of chosen) {
      const start = performance.now();
      const judgement = await tryMutation(workshop, mutation, stop.signal);
      const { name, promise, file } = mutation;
      outcomes.push({ name, promise, file, ...judgement, seconds: Math.round((performance.now() - start) / 1000) });
      if (!options.json) console.log(describe(outcomes.at(-1) as Outcome));
    }
    return conclude(outcomes);
  } finally {
    await workshop.remove();
  }
}

function describe(outcome: Outcome): string {
  const { name, promise, verdict, seconds } = outcome;
  const how = { caught: `by "${'by' in outcome ? outcome.by : ''}"`, survived: `: ${promise}, and no test noticed` };
  const more = verdict === 'does not apply' ? `: ${'reason' in outcome ? outcome.reason : ''}` : how[verdict];
  return `${verdict === 'caught' ? '✔' : '✖'} ${name.padEnd(26)}${verdict} ${more} (${seconds} s)`;
}

function conclude(outcomes: Outcome[]): boolean {
  const count = (verdict: Judgement['verdict']) => outcomes.filter((one) => one.verdict === verdict).length;
  const caught = count('caught');
  const survived = count('survived');
  const unfitted = count('does not apply');
  if (options.json)
    console.log(JSON.stringify({ tried: outcomes.length, caught, survived, doNotApply: unfitted, outcomes }));
  else console.log(`\n${caught} of ${outcomes.length} caught, ${survived} survived, ${unfitted} no longer apply.`);
  return caught === outcomes.length;
}

function mutationNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !mutations.some((mutation) => mutation.name === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}: --list shows them.`);
  return names;
}
