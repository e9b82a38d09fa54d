import type { Command } from 'commander';
import { listUndos, undoChange } from '../../company/undo/undo.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import type { UndoableChange, UndoKindName } from '../../ground/contract/undo.ts';
import { pools } from '../../ground/database/pools.ts';
import { undoKinds } from '../../undos.ts';
import { positiveInteger, requestIdText } from './arguments.ts';
import { print, table } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

export function addUndoCommand(program: Command): void {
  program
    .command('undo')
    .description('list what can still be undone, or undo one of these changes')
    .argument('[id]', 'the id of the change', requestIdText)
    .requiredOption('--workspace <id>', 'the workspace', positiveInteger)
    .option('--json', 'print JSON')
    .action(async (id: string | undefined, { workspace, json }: Options) => {
      if (id === undefined) return list(workspace, json);
      const change = await withDatabase(
        (database) =>
          undoChange(database, undoKinds, { workspaceId: workspace, id, actor: atTheCommandLine, allows: () => true }),
        pools.longCommands,
      );
      print(json, change, () => `Undone: ${describe(change)}.`);
    });
}

async function list(workspaceId: number, json: boolean | undefined): Promise<void> {
  const changes = await withDatabaseOf(workspaceId, (database) =>
    listUndos(database, undoKinds, workspaceId, () => true),
  );
  print(json, changes, () =>
    changes.length === 0
      ? 'There is nothing to undo.'
      : table(
          ['Id', 'Change', 'By', 'Until'],
          changes.map((one) => [one.id, describe(one), one.by.name ?? one.by.is, one.expiresAt]),
        ),
  );
}

const names: Readonly<Record<UndoKindName, string>> = {
  MEMBER_MERGE: 'merge of',
  MEMBER_IMPORT: 'import',
  USER_ROLE: 'role of',
  REASON: 'reason no longer offered',
};

function describe({ kind, subjectName, subjectId, counts }: UndoableChange): string {
  if (counts) return `${names[kind]}: ${counts.added} added, ${counts.changed} changed`;
  return `${names[kind]} ${subjectName ?? subjectId}`;
}
