import type { Command } from 'commander';
import { auditRead } from '../../company/access/read-traces.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { letterheadOf } from '../../giving/delivery/compose/message.ts';
import { printGifts } from '../../giving/delivery/print/gifts.ts';
import { loadKeys } from '../../giving/gifts/token-keys.ts';
import { baseUrl } from '../../ground/config/config.ts';
import { Failure } from '../../ground/errors.ts';
import { forWorkspace, positiveIntegers, requestIdText } from './arguments.ts';
import { print } from './output.ts';
import { withDatabaseOf } from './session.ts';
import { createTextFile } from './text-file.ts';

interface Options {
  workspace: number;
  order?: string;
  ids?: number[];
  perPage: '1' | '8';
  json?: boolean;
}

export function addPrintCommand(gift: Command): void {
  const command = gift.command('print');
  forWorkspace(command)
    .description('write gifts to an HTML file to print, with their secret tokens')
    .argument('<file>', 'the file to write, for example gifts.html')
    .option('--order <requestId>', 'all gifts of this order', requestIdText)
    .option('--ids <list>', 'these gifts, with commas', positiveIntegers)
    .addOption(command.createOption('--per-page <n>', 'gifts on a page').choices(['1', '8']).default('1'))
    .action(async (path: string, { workspace, order, ids, perPage, json }: Options) => {
      if ((order === undefined) === (ids === undefined))
        throw new Failure('invalid', 'Name either --order, for all gifts of an order, or --ids 1,2 for some gifts.');
      await writePrint(path, workspace, { requestId: order, ids }, perPage === '8' ? 8 : 1);
      print(json, { file: path }, () => `${path} is written: open it in a browser and print it. Keep it secret.`);
    });
}

async function writePrint(
  path: string,
  workspace: number,
  choice: Parameters<typeof printGifts>[3],
  perPage: 1 | 8,
): Promise<void> {
  // Other users of this machine may not read it: it has the tokens of the gifts.
  const file = await createTextFile(path, 0o600);
  const page = await withDatabaseOf(workspace, async (database, config) => {
    const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
    const letterhead = letterheadOf(config, keys, baseUrl(config.host, config.port));
    const printed = await printGifts(database, letterhead, workspace, choice, perPage);
    await auditRead(database, workspace, atTheCommandLine, printed.read);
    return printed.page;
  });
  await file.write(page);
  await file.end();
}
