import { Command, InvalidArgumentError } from 'commander';
import { globalSetup, globalTeardown } from '../support/postgres.ts';
import { accessMutations } from './access.ts';
import { budgetMutations } from './budgets.ts';
import { cliMutations } from './cli.ts';
import { codePoolMutations } from './code-pools.ts';
import { contractMutations } from './contract.ts';
import { databaseMutations } from './database.ts';
import { deliveryMutations } from './delivery.ts';
import { directoryMutations } from './directory.ts';
import { eventMutations } from './events.ts';
import { peopleEventMutations } from './events-people.ts';
import { giftPageMutations } from './gift-page.ts';
import { giftRepairMutations } from './gift-repairs.ts';
import { httpMutations } from './http.ts';
import { importMutations } from './import.ts';
import type { Mutation } from './mutation.ts';
import { orderMutations } from './orders.ts';
import { recognitionMutations } from './recognition.ts';
import { redemptionMutations } from './redemptions.ts';
import { reportMutations } from './reports.ts';
import { sdkMutations } from './sdk.ts';
import { runTests } from './test-run.ts';
import { type Judgement, openWorkshop, testRuns, tryMutation, unfit, type Workshop } from './workshop.ts';

interface Options {
  only?: string[];
  list?: true;
  json?: true;
  baseline: boolean;
  jobs: number;
}

type Outcome = Pick<Mutation, 'name' | 'promise' | 'file'> & Judgement & { seconds: number };

const mutations: Mutation[] = [
  ...accessMutations,
  ...httpMutations,
  ...giftPageMutations,
  ...orderMutations,
  ...giftRepairMutations,
  ...directoryMutations,
  ...recognitionMutations,
  ...reportMutations,
  ...sdkMutations,
  ...contractMutations,
  ...databaseMutations,
  ...importMutations,
  ...deliveryMutations,
  ...eventMutations,
  ...budgetMutations,
  ...codePoolMutations,
  ...redemptionMutations,
  ...cliMutations,
  ...peopleEventMutations,
];

const options = new Command('npm run test:mutations --')
  .description('Breaks one promise at a time in a copy of the project, and says which breaks no test notices.')
  .option('--only <names>', 'some mutations alone, separated by commas', mutationNames)
  .option('--list', 'list the mutations, and those that no longer apply; nothing is run')
  .option('--json', 'print one JSON object')
  .option('--jobs <n>', 'how many to try at the same time', jobCount, 1)
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
  const workshops: Workshop[] = [];
  await globalSetup();
  try {
    for (let job = 0; job < options.jobs; job++) workshops.push(await openWorkshop());
    if (options.baseline && !(await passesUnchanged(workshops, stop.signal))) return false;
    const outcomes: Outcome[] = [];
    await share(workshops, chosen, async (workshop, mutation) => {
      const start = performance.now();
      const judgement = await tryMutation(workshop, mutation, stop.signal);
      const { name, promise, file } = mutation;
      const outcome = { name, promise, file, ...judgement, seconds: Math.round((performance.now() - start) / 1000) };
      outcomes.push(outcome);
      if (!options.json) console.log(describe(outcome));
    });
    return conclude(outcomes);
  } finally {
    for (const workshop of workshops) await workshop.remove();
    await globalTeardown();
  }
}

/** A test that fails on the program as it is would take every mutation for caught. */
async function passesUnchanged(workshops: readonly Workshop[], signal: AbortSignal): Promise<boolean> {
  const runs = testRuns(chosen);
  console.error(`First the ${runs.length} test runs without any mutation.`);
  const faults: string[] = [];
  let done = 0;
  await share(workshops, runs, async ({ folder }, args) => {
    showProgress(`${done + 1} of ${runs.length}: ${args.at(-1)}`);
    const run = await runTests(folder, args, signal);
    done++;
    if (run.result === 'failed') faults.push(`${args.at(-1)} fails: ${quoted(run.tests)}`);
    if (run.result === 'broken') faults.push(`${args.at(-1)} is broken: ${run.reason}\n${indented(run.lastLines)}`);
  });
  showProgress('');
  for (const fault of faults) console.error(`Without any mutation, ${fault}`);
  return faults.length === 0;
}

function showProgress(line: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${line}`);
}

/** Each workshop takes the next task when it has finished one. */
async function share<Task>(
  workshops: readonly Workshop[],
  tasks: readonly Task[],
  work: (workshop: Workshop, task: Task) => Promise<void>,
): Promise<void> {
  const waiting = tasks.values();
  await Promise.all(
    workshops.map(async (workshop) => {
      for (const task of waiting) await work(workshop, task);
    }),
  );
}

function describe(outcome: Outcome): string {
  const mark = outcome.verdict === 'caught' ? '✔' : '✖';
  return `${mark} ${outcome.name.padEnd(26)}${outcome.verdict}${explain(outcome)}`;
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

function quoted(tests: string[]): string {
  return tests.map((test) => `"${test}"`).join(', ');
}

function indented(lines: string[]): string {
  return lines.map((line) => `    ${line}`).join('\n');
}

function conclude(outcomes: Outcome[]): boolean {
  const count = (verdict: Judgement['verdict']) => outcomes.filter((one) => one.verdict === verdict).length;
  const [tried, caught, survived, broken, doNotApply] = [
    outcomes.length,
    count('caught'),
    count('survived'),
    count('broken'),
    count('does not apply'),
  ];
  if (options.json) console.log(JSON.stringify({ tried, caught, survived, broken, doNotApply, outcomes }));
  else
    console.log(
      `\n${caught} of ${tried} caught, ${survived} survived, ${broken} with broken runs, ${doNotApply} no longer apply.`,
    );
  return caught === tried;
}

function mutationNames(text: string): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !mutations.some((mutation) => mutation.name === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}: --list shows them.`);
  return names;
}

function jobCount(text: string): number {
  if (!/^[1-8]$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 8.');
  return Number(text);
}
