import { styleText } from 'node:util';
import type { Command } from 'commander';
import { tokenEndSql } from '../../company/access/grant-rows.ts';
import { readLoops } from '../../company/directory/manager-loops.ts';
import { type NamedMember, readNames } from '../../company/directory/members.ts';
import { readStayingOwners } from '../../company/directory/planned-leaving.ts';
import { readBackfills } from '../../company/workspaces/backfills.ts';
import { listWorkspaces } from '../../company/workspaces/workspaces.ts';
import { findKeyProblem } from '../../giving/gifts/token-keys.ts';
import { readBacklog } from '../../giving/orders/pending.ts';
import { baseUrl, type Config, readConfig } from '../../ground/config/config.ts';
import { type Database, type Queryable, queryOne } from '../../ground/database/database.ts';
import { readOwner } from '../../ground/database/environment.ts';
import { type History, readHistories } from '../../ground/database/history.ts';
import { explainMarks } from '../../ground/database/marks.ts';
import { type DatabaseSchema, readSchema } from '../../ground/database/schema.ts';
import { Failure } from '../../ground/errors.ts';
import { readVerificationStates } from '../../insight/books/outcomes.ts';
import { giftwire } from './call.ts';
import { examineBackup } from './doctor-backup.ts';
import { examineDeliveries } from './doctor-deliveries.ts';
import { examineErasures } from './doctor-erasures.ts';
import { examineMail } from './doctor-mail.ts';
import { examineReplica } from './doctor-replica.ts';
import { examineServer } from './doctor-server.ts';
import { examineServers } from './doctor-servers.ts';
import { exitCodeOf, type Finding } from './finding.ts';
import { counted, firstToLast, print } from './output.ts';
import { withRawDatabase } from './session.ts';

const longestQueueAgeSeconds = 30;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, database, its server, migrations, queue, email and service, and say what to do')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine();
      const ok = findings.every((finding) => finding.ok);
      print(json, { ok, findings }, () => findings.map(describe).join('\n'));
      process.exitCode = exitCodeOf(findings);
    });
}

async function examine(): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig();
  } catch (error) {
    const detail = error instanceof Failure ? error.message : String(error);
    return [{ check: 'settings', ok: false, detail, advice: 'Correct them; "giftwire env" lists every setting.' }];
  }
  const where = config.databaseUrl === null ? `the embedded database in ${config.dataDir}` : 'DATABASE_URL';
  const settings: Finding = {
    check: 'settings',
    ok: true,
    detail: `${config.environment}, role ${config.role}, ${where}`,
  };
  const servers = await examineServers(config);
  const findings = await withRawDatabase(config, examineDatabase).catch((error): Finding[] => [
    { check: 'database', ok: false, ...explain(error, where) },
  ]);
  return [settings, ...servers, ...findings, ...(await examineMail(config)), await examineService(config)];
}

/** Setup errors already say what to do, so they get no further advice. */
function explain(error: unknown, where: string): Pick<Finding, 'detail' | 'advice'> {
  if (error instanceof Failure && error.kind === 'setup') return { detail: error.message };
  const reason =
    error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
  return { detail: reason, advice: `Make ${where} reachable.` };
}

async function examineDatabase(database: Database, config: Config): Promise<Finding[]> {
  const { version } = await queryOne<{ version: string }>(
    database,
    `select current_setting('server_version') as version`,
  );
  const found: Finding[] = [{ check: 'database', ok: true, detail: `PostgreSQL ${version}` }];
  const migrations = examineSchema(await readSchema(database));
  found.push(migrations);
  // The other checks read tables, which another schema may not have.
  if (!migrations.ok) return found;
  found.push(await examineEnvironment(database, config), ...(await examineKeys(database, config)));
  found.push(await examineHistory(database), ...(await examineErasures(database, config)));
  found.push(await examineAccess(database), await examineQueue(database));
  found.push(...(await examineManagers(database)), ...(await examineOwners(database)));
  found.push(...(await examineBooks(database)), await examineBackup(database, config));
  found.push(...(await examineDeliveries(database, config)));
  found.push(...(await examineBackfills(database)), ...(await examineServer(database, config)));
  found.push(...(await examineReplica(database, config)));
  return found;
}

function examineSchema({ pending, next, unknown, edited }: DatabaseSchema): Finding {
  const check = 'migrations';
  const marked = explainMarks(unknown);
  if (marked) return { check, ok: false, detail: marked.message };
  if (unknown.length > 0) {
    const detail = `a newer version has run ${firstToLast(unknown)}`;
    const advice = 'Install that version, or restore the backup that was made before the upgrade.';
    return { check, ok: false, detail, advice };
  }
  if (edited.length > 0) {
    const detail = `not the files that this database was migrated with: ${edited.join(', ')}`;
    return { check, ok: false, detail, advice: 'Install Giftwire again as it was released.' };
  }
  if (pending.length > 0) {
    const detail = `${pending.length} pending: ${firstToLast(pending)}`;
    return { check, ok: false, detail, advice: 'Run "giftwire migrate" or start the service.' };
  }
  if (next.length > 0) {
    const detail = `the next version has run ${firstToLast(next)}, and this version serves beside it: upgrade this node too`;
    return { check, ok: true, isNote: true, detail };
  }
  return { check, ok: true, detail: 'up to date' };
}

/** Background work for the schema that has not ended. */
async function examineBackfills(database: Queryable): Promise<Finding[]> {
  const unfinished = (await readBackfills(database)).filter(({ isFinished }) => !isFinished);
  return unfinished.map(({ name, rowsDone, rowsExpected, failures, failure }): Finding => {
    const check = 'background';
    const detail = `${name} has filled ${rowsDone.toLocaleString('en')} of about ${counted(rowsExpected, 'row')}`;
    if (failures === 0) return { check, ok: true, isNote: true, detail };
    const advice = 'The logs of the workers say why. All else goes on; the next release may need that it has ended.';
    return { check, ok: false, detail: `${detail}, and has failed ${counted(failures, 'time')} (${failure})`, advice };
  });
}

/** Problems that the verification of the books has found, and how far the one under way has come. */
async function examineBooks(database: Queryable): Promise<Finding[]> {
  return (await readVerificationStates(database)).map((state): Finding => {
    const { workspaceId, isFinished, finishedAt, problems, rowsDone, rowsExpected, failures, failure } = state;
    const check = 'ledger';
    if (isFinished) {
      const detail = `the verification of ${finishedAt?.slice(0, 10)} has found ${counted(problems, 'problem')} in workspace ${workspaceId}`;
      return {
        check,
        ok: false,
        detail,
        advice: 'Run "giftwire ledger verify --full"; docs/money.md says what to do.',
      };
    }
    const detail = `the verification of workspace ${workspaceId} has compared ${rowsDone.toLocaleString('en')} of about ${counted(rowsExpected, 'row')}`;
    if (failures < mostFailures) return { check, ok: true, isNote: true, detail };
    return {
      check,
      ok: false,
      detail: `${detail}, and has failed ${counted(failures, 'time')} (${failure})`,
      advice: 'The logs of the workers say why. It is tried again, after at most nine minutes.',
    };
  });
}

/** A node that meets another one, or a busy database, tries a piece again. */
const mostFailures = 10;

async function examineEnvironment(database: Queryable, { environment }: Config): Promise<Finding> {
  const owner = await readOwner(database);
  const ok = owner === null || owner === environment;
  return {
    check: 'environment',
    ok,
    detail: `the database's environment is ${owner ?? 'not set yet'}`,
    ...(!ok && { advice: `Set GIFTWIRE_ENV=${owner} or use another database.` }),
  };
}

/** With DATABASE_URL alone, the service may run elsewhere and have the key there. */
async function examineKeys(database: Queryable, config: Config): Promise<Finding[]> {
  if (config.databaseUrl !== null && config.tokenKeys === null) return [];
  const detail = await findKeyProblem(config.tokenKeys, config.dataDir, database);
  if (detail === null) return [];
  return [{ check: 'token key', ok: false, detail, advice: 'The service does not start without it.' }];
}

async function examineHistory(database: Queryable): Promise<Finding> {
  const [{ startedAt, reason, base } = {} as History, ...earlier] = await readHistories(database);
  const check = 'history';
  if (earlier.length === 0) return { check, ok: true, detail: 'the database never went back in time' };
  const detail = `new since ${startedAt.toISOString()}: ${reason}; ids and numbers continue above ${base}`;
  return { check, ok: true, isNote: true, detail };
}

async function examineAccess(database: Queryable): Promise<Finding> {
  const { workspaces, tokens } = await queryOne<{ workspaces: number; tokens: number }>(
    database,
    `select (select count(*) from workspaces) as workspaces,
            (select count(*) from api_tokens t
              where ${tokenEndSql} is null or ${tokenEndSql} > now()) as tokens`,
  );
  const ok = workspaces > 0 && tokens > 0;
  return {
    check: 'access',
    ok,
    detail: `${counted(workspaces, 'workspace')}, ${counted(tokens, 'usable token')}`,
    ...(!ok && { advice: `Create one: ${accessAdvice(workspaces)}` }),
  };
}

/** People who manage each other in a loop. */
async function examineManagers(database: Queryable): Promise<Finding[]> {
  const loops: string[] = [];
  for (const { id: workspaceId } of await listWorkspaces(database))
    for (const ids of await readLoops(database, workspaceId)) {
      const names = await readNames(database, workspaceId, ids);
      const nameOf = new Map(names.map((one) => [one.id, nameFor(one)]));
      loops.push(`${[...ids, ids[0] as number].map((id) => nameOf.get(id)).join(' → ')} in workspace ${workspaceId}`);
    }
  if (loops.length === 0) return [];
  const detail = `people manage each other in a loop, and count as people without a manager: ${loops.join('; ')}`;
  return [{ check: 'managers', ok: false, detail, advice: 'Give one person of each loop another manager, or none.' }];
}

/** Owners whose last day has ended, and who stay because their workspace would have no owner. */
async function examineOwners(database: Queryable): Promise<Finding[]> {
  const staying = await readStayingOwners(database);
  if (staying.length === 0) return [];
  const people: string[] = [];
  for (const { workspaceId, id, lastDay } of staying) {
    const [named] = await readNames(database, workspaceId, [id]);
    if (named) people.push(`${nameFor(named)} in workspace ${workspaceId}, since ${lastDay}`);
  }
  const detail = `the last day of the only owner has ended, and they are not marked as left: ${people.join('; ')}`;
  return [{ check: 'owners', ok: false, detail, advice: 'Make another user of the workspace an owner.' }];
}

function nameFor({ id, firstName, lastName, email, employeeNumber }: NamedMember): string {
  return `${`${firstName} ${lastName}`.trim() || email || employeeNumber || 'a person'} (member ${id})`;
}

async function examineQueue(database: Queryable): Promise<Finding> {
  const { depth, oldestAgeSeconds } = await readBacklog(database);
  const ok = oldestAgeSeconds <= longestQueueAgeSeconds;
  return {
    check: 'queue',
    ok,
    detail: depth === 0 ? 'empty' : describeQueue(depth, oldestAgeSeconds),
    ...(!ok && { advice: 'Start a service with GIFTWIRE_ROLE=all or worker, and look at its log.' }),
  };
}

function accessAdvice(workspaces: number): string {
  return workspaces === 0
    ? `${giftwire} workspace create --name "Acme", then: ${giftwire} token create --workspace 1 --name "Payroll"`
    : `${giftwire} token create --workspace 1 --name "Payroll"`;
}

function describeQueue(depth: number, oldestAgeSeconds: number): string {
  const seconds = Math.round(oldestAgeSeconds);
  return depth === 1 ? `1 order waits, for ${seconds} s` : `${depth} orders wait, the oldest for ${seconds} s`;
}

/** A service that is not running is not a problem: the commands work without it. */
async function examineService({ host, port }: Config): Promise<Finding> {
  const url = `${baseUrl(host, port)}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  if (!response) {
    const detail = `not running at ${url}; "${giftwire} serve" starts it`;
    return { check: 'service', ok: true, isNote: true, detail };
  }
  const { checks } = (await response.json().catch(() => ({}))) as { checks?: Record<string, Check> };
  if (!checks) {
    const detail = `something else answers at ${url}`;
    return { check: 'service', ok: false, detail, advice: 'Stop it, or set PORT to another port.' };
  }
  if (response.ok) return { check: 'service', ok: true, detail: `ready at ${url}` };
  const bad = Object.entries(checks).filter(([, check]) => !check.ok);
  const detail = `not ready: ${bad.map(([name, check]) => `${name} ${check.detail}`).join(', ')}`;
  return { check: 'service', ok: false, detail, advice: 'Look at its log.' };
}

interface Check {
  ok: boolean;
  detail: string;
}

function describe({ check, ok, isNote, detail, advice }: Finding): string {
  const mark = isNote ? styleText('dim', '–') : ok ? styleText('green', '✓') : styleText('red', '✗');
  return `${mark} ${check.padEnd(13)}${detail}${advice ? `\n  → ${advice}` : ''}`;
}
