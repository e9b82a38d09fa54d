import { type Command, Option } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { inWorkspace } from '../../company/workspaces/lock.ts';
import { listOccurrences, readsAllOccurrences } from '../../giving/automations/list.ts';
import { changeAutomation, listAutomations, pauseAll, readAutomation } from '../../giving/automations/manage.ts';
import { planOf } from '../../giving/automations/plan.ts';
import type { Automation, AutomationChange } from '../../ground/contract/automation.ts';
import { type Occurrence, type OccurrenceState, occurrenceStates } from '../../ground/contract/occurrence.ts';
import { forWorkspace, limitOf, nameText, positiveInteger } from './arguments.ts';
import { cell, fields, print, table } from './output.ts';
import { withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  note?: string;
  automation?: number;
  state?: OccurrenceState;
  size: number;
  json?: boolean;
}

export function addAutomationCommands(program: Command): void {
  const automation = program
    .command('automation')
    .description('see, pause and resume what the service does for people on their days');

  forWorkspace(automation.command('list').description('list the automations by name')).action(
    async ({ workspace, json }: Options) => {
      const list = await withDatabaseOf(workspace, (database) => listAutomations(database, workspace));
      print(json, list, () => listed(list.automations, list.isPaused));
    },
  );

  one(automation.command('show').description('show an automation')).action(
    async (id: number, { workspace, json }: Options) => {
      const found = await withDatabaseOf(workspace, (database) => readAutomation(database, workspace, id));
      print(json, found, () => describe(found));
    },
  );

  forWorkspace(automation.command('pause').description('pause one automation, or all of them'))
    .argument('[id]', 'its id; all automations if it is left out', positiveInteger)
    .option('--note <text>', 'why, for one automation', nameText)
    .action((id: number | undefined, { note, ...options }: Options) =>
      set(id, { state: 'PAUSED', ...(note !== undefined && { pauseNote: note }) }, options),
    );

  forWorkspace(automation.command('resume').description('let one automation continue, or all of them'))
    .argument('[id]', 'its id; all automations if it is left out', positiveInteger)
    .action((id: number | undefined, options: Options) => set(id, { state: 'ON' }, options));

  forWorkspace(
    automation.command('occurrences').description('list what automations did and could not do, the latest first'),
  )
    .option('--automation <id>', 'only of this automation', positiveInteger)
    .addOption(new Option('--state <state>', 'only in this state').choices(occurrenceStates))
    .option('--size <number>', 'how many, 1000 at most', limitOf(1_000), 20)
    .action(async ({ workspace, automation: id, state, size, json }: Options) => {
      const query = { page: 0, size, bom: false, ...(id && { automation: id }), ...(state && { state }) };
      const { content } = await withDatabaseOf(workspace, (database) =>
        listOccurrences(database, workspace, query, readsAllOccurrences),
      );
      print(json, content, () => happened(content));
    });

  one(automation.command('plan').description('show the next twelve months of an automation')).action(
    async (id: number, { workspace, json }: Options) => {
      const plan = await withDatabaseOf(workspace, async (database) => {
        const before = await readAutomation(database, workspace, id);
        return planOf(database, workspace, before, { before, month: undefined });
      });
      print(json, plan, () =>
        table(
          ['Month', 'People', 'Amount', 'Short'],
          plan.months.map(({ month, people, amount, short }) => [month, people, amount, short || '']),
        ),
      );
    },
  );
}

function one(command: Command): Command {
  return forWorkspace(command).argument('<id>', 'its id', positiveInteger);
}

/** Pauses or resumes one automation, or all of them. */
async function set(id: number | undefined, change: AutomationChange, { workspace, json }: Options): Promise<void> {
  const isPaused = change.state === 'PAUSED';
  if (id === undefined) {
    const list = await withDatabaseOf(workspace, (database) =>
      inWorkspace(database, workspace, async (tx) => {
        await pauseAll(tx, atTheCommandLine, workspace, isPaused);
        return listAutomations(tx, workspace);
      }),
    );
    return print(json, list, () => (isPaused ? 'All automations are paused.' : 'The automations continue.'));
  }
  const changed = await withDatabaseOf(workspace, (database) =>
    inWorkspace(database, workspace, (tx) => changeAutomation(tx, atTheCommandLine, workspace, id, change)),
  );
  print(json, changed, () => describe(changed));
}

function listed(automations: readonly Automation[], isPaused: boolean): string {
  if (automations.length === 0) return 'There are no automations.';
  const rows = automations.map(({ id, name, state, trigger, action }) => [id, name, state, trigger.is, action.is]);
  const text = table(['Id', 'Name', 'State', 'Trigger', 'Action'], rows);
  return isPaused ? `${text}\n\nAll automations are paused.` : text;
}

function describe({ id, name, state, trigger, action, hour, onSince, pauseNote }: Automation): string {
  return fields({
    id,
    name,
    state,
    trigger: trigger.is,
    action: action.is,
    hour: `${hour}:00`,
    'on since': onSince ?? '',
    ...(pauseNote !== null && { note: pauseNote }),
  });
}

function happened(occurrences: readonly Occurrence[]): string {
  if (occurrences.length === 0) return 'No occurrences found.';
  return table(
    ['Id', 'Due', 'Automation', 'Person', 'State', 'Reason'],
    occurrences.map((one) => [
      one.id,
      cell(new Date(one.dueAt)),
      one.automationName,
      `${one.firstName} ${one.lastName}`.trim(),
      one.state,
      one.reason ?? '',
    ]),
  );
}
