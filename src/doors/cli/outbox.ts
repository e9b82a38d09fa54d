import { spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import { auditRead } from '../../company/access/read-traces.ts';
import { atTheCommandLine } from '../../company/workspaces/audit.ts';
import { type Letterhead, letterheadOf } from '../../giving/delivery/compose/message.ts';
import { findInOutbox, type KeptMail, listOutbox, mailRead, type SentHead } from '../../giving/delivery/outbox.ts';
import { loadKeys } from '../../giving/gifts/token-keys.ts';
import { baseUrl, type Config } from '../../ground/config/config.ts';
import type { Database } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { limitOf, positiveInteger } from './arguments.ts';
import { giftwire } from './call.ts';
import { cell, fields, print, table } from './output.ts';
import { withDatabase } from './session.ts';

const openerMs = 1_500;

interface Options {
  workspace?: number;
  limit: number;
  before?: string;
  json?: boolean;
}

export function addOutboxCommands(program: Command): void {
  const outbox = program.command('outbox').description('look at the emails that were sent, in the test environment');

  outbox
    .command('list')
    .description('list emails, the latest first')
    .option('--workspace <id>', 'only those of this workspace', positiveInteger)
    .option('--limit <n>', 'how many, up to 1000', limitOf(1_000), 20)
    .option('--before <id>', 'only emails older than this one')
    .option('--json', 'print one JSON array')
    .action(async ({ workspace, limit, before, json }: Options) => {
      const mails = await withOutbox((database, letterhead) =>
        listOutbox(database, letterhead, { workspaceId: workspace ?? null, limit, before: before ?? null }),
      );
      const more = mails.length < limit ? '' : `\n\nOlder ones: add --before ${mails.at(-1)?.id}`;
      print(json, mails, () => `${listed(mails)}${more}`);
    });

  outbox
    .command('show')
    .description('print an email as text')
    .argument('[id]', 'its id (default: the latest)')
    .option('--json', 'print one JSON object')
    .action(async (id: string | undefined, { json }: Options) => {
      const mail = await findMail(id);
      print(json, mail, () => `${head(mail)}\n\n${mail.text.split('\n').map(cell).join('\n')}`);
    });

  outbox
    .command('open')
    .description('open an email in the browser')
    .argument('[id]', 'its id (default: the latest)')
    .option('--json', 'print one JSON object')
    .action(async (id: string | undefined, { json }: Options) => {
      const mail = await findMail(id);
      const file = await writePage(mail);
      const isOpen = await openInBrowser(file);
      print(json, { id: mail.id, file, isOpen }, () => (isOpen ? `Mail ${mail.id} is open: ${file}` : file));
    });
}

function findMail(id: string | undefined): Promise<KeptMail> {
  return withOutbox(async (database, letterhead) => {
    const mail = await findInOutbox(database, letterhead, id ?? null);
    await auditRead(database, mail.workspaceId, atTheCommandLine, mailRead(mail));
    return mail;
  });
}

/** Emails contain gift links, so production does not show them. */
function withOutbox<T>(work: (database: Database, letterhead: Letterhead) => Promise<T>): Promise<T> {
  return withDatabase(async (database: Database, config: Config) => {
    if (config.environment === 'production')
      throw new Failure('setup', 'The outbox exists in the test environment only: production sends its mails.');
    const keys = await loadKeys(config.tokenKeys, config.dataDir, database);
    return work(database, letterheadOf(config, keys, baseUrl(config.host, config.port)));
  });
}

function listed(mails: readonly SentHead[]): string {
  if (mails.length === 0)
    return `The outbox is empty. The service puts emails there while it runs: "${giftwire} serve".`;
  return table(
    ['Id', 'Sent', 'To', 'Subject', 'Kind'],
    mails.map(({ id, sentAt, to, subject, kind }) => [id, sentAt, to, subject, kind]),
  );
}

function head({ id, sentAt, from, to, subject, kind }: SentHead): string {
  return fields({ id, kind, sent: sentAt, from, to, subject });
}

/** Only the user may read it: it has the gift's link. */
async function writePage({ id, html }: KeptMail): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'giftwire-mail-')), `${id}.html`);
  await writeFile(file, html, { mode: 0o600 });
  return file;
}

/** Returns whether there is a browser to open it: the opener succeeds, or is still at it after a while. */
function openInBrowser(file: string): Promise<boolean> {
  return new Promise((resolve) => {
    const opener = spawn(process.platform === 'darwin' ? 'open' : 'xdg-open', [file], {
      stdio: 'ignore',
      detached: true,
    });
    opener.unref();
    const late = setTimeout(() => resolve(true), openerMs);
    opener.once('error', () => {
      clearTimeout(late);
      resolve(false);
    });
    opener.once('exit', (code) => {
      clearTimeout(late);
      resolve(code === 0);
    });
  });
}
