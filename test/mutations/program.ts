import { Command, InvalidArgumentError } from 'commander';
import { globalSetup, globalTeardown } from '../support/postgres.ts';
import type { Mutation } from './mutation.ts';
import { describe, indented, type Outcome, quoted, summary } from './outcome.ts';
import { runTests } from './test-run.ts';
import { type Judgement, openWorkshop, testRuns, tryMutation, unfit, type Workshop } from './workshop.ts';

interface Options {
  only?: string[];
  list?: true;
  json?: true;
  baseline: boolean;
  jobs: number;
}

/** Does with these mutations what the command line asks for. The exit code is 0 only if every mutation was caught. */
export async function runMutations(mutations: readonly Mutation[]): Promise<number> {
  const options = readOptions(mutations);
  const chosen = mutations.filter(({ name }) => options.only?.includes(name) ?? true);
  return (options.list ? list(chosen, options) : await tryAll(chosen, options)) ? 0 : 1;
}

function readOptions(mutations: readonly Mutation[]): Options {
  const names = (text: string) => mutationNames(text, mutations);
  return new Command('npm run test:mutations --')
    .description('Breaks one promise at a time in a copy of the project, and says which breaks no test notices.')
    .option('--only <names>', 'some mutations alone, separated by commas', names)
    .option('--list', 'list the mutations, and those that no longer apply; nothing is run')
    .option('--json', 'print one JSON object')
    .option('--jobs <n>', 'how many to try at the same time', jobCount, 1)
    .option('--no-baseline', 'do not check first that the tests pass on the program as it is')
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
    .parse()
    .opts<Options>();
}

function list(chosen: readonly Mutation[], { json }: Options): boolean {
  const listed = chosen.map((mutation) => {
    const { name, promise, file } = mutation;
    return { name, promise, file, unfit: unfit(mutation) };
  });
  const width = Math.max(...listed.map(({ name }) => name.length)) + 2;
  if (json) console.log(JSON.stringify(listed));
  else
    for (const { name, promise, unfit: reason } of listed)
      console.log(
        `${name.padEnd(width)}${promise}${reason ? `\n${' '.repeat(width)}✖ does not apply: ${reason}` : ''}`,
      );
  return listed.every((one) => one.unfit === null);
}

async function tryAll(chosen: readonly Mutation[], { jobs, baseline, json }: Options): Promise<boolean> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const workshops: Workshop[] = [];
  await globalSetup();
  try {
    for (let job = 0; job < jobs; job++) workshops.push(await openWorkshop());
    const unsound = baseline ? await runUnchanged(workshops, chosen, stop.signal) : new Map<string, string>();
    const outcomes: Outcome[] = [];
    await share(workshops, chosen, async (workshop, mutation) => {
      const start = performance.now();
      const reason = testRuns([mutation]).flatMap((run) => unsound.get(keyOf(run)) ?? [])[0];
      const judgement: Judgement = reason
        ? { verdict: 'broken', reason, lastLines: [] }
        : await tryMutation(workshop, mutation, stop.signal);
      const { name, promise, file } = mutation;
      const outcome = { name, promise, file, ...judgement, seconds: Math.round((performance.now() - start) / 1000) };
      outcomes.push(outcome);
      if (!json) console.log(describe(outcome));
    });
    const { text, ...counts } = summary(outcomes);
    console.log(json ? JSON.stringify({ ...counts, outcomes }) : `\n${text}`);
    return counts.caught === counts.tried;
  } finally {
    for (const workshop of workshops) await workshop.remove();
    await globalTeardown();
  }
}

/**
 * Runs the tests of these mutations on the program as it is. Returns those that do not pass, with the reason: such a test would take
 * every mutation for caught.
 */
async function runUnchanged(
  workshops: readonly Workshop[],
  chosen: readonly Mutation[],
  signal: AbortSignal,
): Promise<Map<string, string>> {
  const runs = testRuns(chosen);
  console.error(`First the ${runs.length} test runs without any mutation.`);
  const unsound = new Map<string, string>();
  let done = 0;
  await share(workshops, runs, async ({ folder }, args) => {
    showProgress(`${done + 1} of ${runs.length}: ${args.at(-1)}`);
    const run = await runTests(folder, args, signal);
    done++;
    if (run.result === 'passed') return;
    const told = run.result === 'failed' ? `fails: ${quoted(run.tests)}` : `is broken: ${run.reason}`;
    unsound.set(keyOf(args), `without any mutation, ${args.at(-1)} ${told}`);
    if (run.result === 'broken') console.error(indented(run.lastLines));
  });
  showProgress('');
  return unsound;
}

const keyOf = (run: readonly string[]) => run.join('\n');

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

function mutationNames(text: string, mutations: readonly Mutation[]): string[] {
  const names = text.split(',').map((name) => name.trim());
  const unknown = names.filter((name) => !mutations.some((mutation) => mutation.name === name));
  if (unknown.length > 0) throw new InvalidArgumentError(`There is no ${unknown.join(', ')}: --list shows them.`);
  return names;
}

function jobCount(text: string): number {
  if (!/^[1-8]$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 1 to 8.');
  return Number(text);
}
