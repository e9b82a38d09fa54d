import type { Command } from 'commander';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { noWorkspace } from '../../company/workspaces/workspaces.ts';
import { addReason, changeReason, listReasons, retireReason } from '../../giving/recognition/reasons.ts';
import type { Reason, ReasonChange } from '../../ground/contract/reason.ts';
import { Failure } from '../../ground/errors.ts';
import { forWorkspace, positiveInteger, reasonText } from './arguments.ts';
import { fields, print, table } from './output.ts';
import { inTransaction, withDatabase } from './session.ts';

interface Options {
  workspace: number;
  description?: string;
  default?: true;
  json?: boolean;
}

export function addReasonCommands(program: Command): void {
  const reason = program.command('reason').description('list, add, rename and retire what people are recognized for');

  forWorkspace(reason.command('list').description('list the reasons, the default first')).action(
    async ({ workspace, json }: Options) => {
      const reasons = await withDatabase((database) => listReasons(database, workspace));
      if (reasons.length === 0) throw noWorkspace(workspace);
      print(json, reasons, () =>
        table(
          ['Id', 'Description', 'Default'],
          reasons.map((one) => [one.id, one.description, one.isDefault ? 'yes' : '']),
        ),
      );
    },
  );

  forWorkspace(reason.command('add').description('add a reason'))
    .argument('<description>', 'what it says', reasonText)
    .option('--default', 'use it for gifts and shoutouts without a reason')
    .action(async (description: string, { workspace, default: isDefault, json }: Options) => {
      const added = await inTransaction((tx) =>
        addReason(tx, atTheCommandLine, workspace, { description, ...(isDefault && { isDefault }) }),
      );
      print(json, added, () => describe(added));
    });

  forWorkspace(reason.command('update').description('rename a reason, or make it the default'))
    .argument('<id>', 'its id', positiveInteger)
    .option('--description <text>', 'what it says', reasonText)
    .option('--default', 'use it for gifts and shoutouts without a reason')
    .action(async (id: number, { workspace, description, default: isDefault, json }: Options) => {
      const wanted: ReasonChange = {
        ...(description !== undefined && { description }),
        ...(isDefault && { isDefault }),
      };
      if (Object.keys(wanted).length === 0)
        throw new Failure('invalid', 'Say what to change: --description, --default or both.');
      const changed = await inTransaction((tx) => changeReason(tx, atTheCommandLine, workspace, id, wanted));
      print(json, changed, () => describe(changed));
    });

  forWorkspace(
    reason.command('retire').description('retire a reason: it is no longer offered, and past recognition keeps it'),
  )
    .argument('<id>', 'its id', positiveInteger)
    .action(async (id: number, { workspace, json }: Options) => {
      await inTransaction((tx) => retireReason(tx, atTheCommandLine, workspace, id));
      print(json, { id, retired: true }, () => `Reason ${id} is retired: add it again to have it back.`);
    });
}

function describe({ id, description, isDefault }: Reason): string {
  return fields({ id, description, default: isDefault ? 'yes' : 'no' });
}
