import type { Command } from 'commander';
import { auditRead, fileRead } from '../../company/access/read-traces.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { checkWorkspace } from '../../company/workspaces/workspaces.ts';
import type { PayrollExport, PayrollPage } from '../../ground/contract/payroll.ts';
import type { Database } from '../../ground/database/database.ts';
import { amountText } from '../../ground/values/money.ts';
import { closePayroll } from '../../spending/redemptions/payroll.ts';
import { listPayroll, payrollFile, readPayroll } from '../../spending/redemptions/payroll-read.ts';
import { forWorkspace, limitOf, positiveInteger } from './arguments.ts';
import { cell, counted, print, table } from './output.ts';
import { withDatabase, withDatabaseOf } from './session.ts';
import { createTextFile, standardOutput } from './text-file.ts';

interface Options {
  workspace: number;
  json?: boolean;
}

export function addPayrollCommands(program: Command): void {
  const payroll = program.command('payroll').description('close payroll exports, and read them again');

  forWorkspace(
    payroll.command('export').description('close an export of what is to be paid with the salary, and write its file'),
  )
    .argument('[file]', 'the file to write (default: standard output)')
    .action((file: string | undefined, options: Options) =>
      write(file, options, async (database) => {
        await checkWorkspace(database, options.workspace);
        return (await database.transaction((tx) => closePayroll(tx, atTheCommandLine, options.workspace))).payroll;
      }),
    );

  forWorkspace(
    payroll.command('show').description('write the file of a closed export once more: it is always the same'),
  )
    .argument('<number>', 'the number of the export', positiveInteger)
    .argument('[file]', 'the file to write (default: standard output)')
    .action((number: number, file: string | undefined, options: Options) =>
      write(file, options, (database) => readPayroll(database, options.workspace, number)),
    );

  forWorkspace(payroll.command('list').description('list the closed exports, the newest first'))
    .option('--page <n>', 'which page, the first is 1', positiveInteger, 1)
    .option('--size <n>', 'how many on a page, up to 1000', limitOf(1_000), 20)
    .action(async ({ workspace, page, size, json }: Options & { page: number; size: number }) => {
      const found = await withDatabaseOf(workspace, (database) =>
        listPayroll(database, workspace, { page: page - 1, size }),
      );
      print(json, found, () => listed(found));
    });
}

/** Writes the file of an export. With --json and no file, only the record is printed. */
async function write(
  file: string | undefined,
  { workspace, json }: Options,
  find: (database: Database) => Promise<PayrollExport>,
): Promise<void> {
  const payroll = await withDatabase(async (database) => {
    // Before an export is closed: if the file cannot be written, none is.
    const output = file === undefined ? standardOutput() : await createTextFile(file);
    const found = await find(database);
    if (file === undefined && json) return found;
    await auditRead(database, workspace, atTheCommandLine, fileRead(`payroll-${found.number}`));
    for await (const piece of payrollFile(database, workspace, found.number)) await output.write(piece);
    await output.end();
    return found;
  });
  if (file !== undefined || json)
    print(
      json,
      payroll,
      () => `Export ${payroll.number} is in ${file}: ${counted(payroll.lines, 'line')}, ${totalsOf(payroll)}.`,
    );
}

function totalsOf({ totals }: PayrollExport): string {
  return totals.map(({ amount, currency }) => amountText(amount, currency)).join(', ');
}

function listed({ exports, waiting, page, totalPages }: PayrollPage): string {
  const next = `${counted(waiting, 'line')} would be in the next export.`;
  if (exports.length === 0) return `There is no export here. ${next}`;
  const rows = exports.map((one) => [
    one.number,
    cell(new Date(one.closedAt)),
    one.closedBy,
    one.lines,
    totalsOf(one),
    one.sha256,
  ]);
  const more = page + 1 < totalPages ? `\nOlder ones: add --page ${page + 2}` : '';
  return `${table(['Number', 'Closed', 'By', 'Lines', 'Total', 'SHA-256'], rows)}\n${next}${more}`;
}
