import { styleText } from 'node:util';
import type { Command } from 'commander';
import { baseUrl, type Config, readConfig } from '../config.ts';
import type { Database } from '../database/database.ts';
import { readSchema } from '../database/schema.ts';
import { Failure } from '../errors.ts';
import { findKeyProblem } from '../gifts/token-keys.ts';
import { readBacklog } from '../orders/pending.ts';
import { counted, print } from './output.ts';
import { withRawDatabase } from './session.ts';

interface Finding {
  check: string;
  ok: boolean;
  detail: string;
  /** What to do about it. */
  advice?: string;
}

const longestQueueAgeSeconds = 30;

export function addDoctorCommand(program: Command): void {
  program
    .command('doctor')
    .description('check settings, database, migrations, queue and service, and say what to do')
    .option('--json', 'print one JSON object')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = await examine();
      const ok = findings.every((finding) => finding.ok);
      print(json, { ok, findings }, () => findings.map(describe).join('\n'));
      if (!ok) process.exitCode = 1;
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
  const findings = await withRawDatabase(config, examineDatabase).catch((error): Finding[] => [
    { check: 'database', ok: false, ...explain(error, where) },
  ]);
  return [settings, ...findings, await examineService(config)];
}

/** Setup errors already say what to do, so they get no further advice. */
function explain(error: unknown, where: string): Pick<Finding, 'detail' | 'advice'> {
  if (error instanceof Failure && error.kind === 'setup') return { detail: error.message };
  const reason =
    error instanceof Error ? ((error.cause as Error | undefined)?.message ?? error.message) : String(error);
  return { detail: reason, advice: `Make ${where} reachable.` };
}

async function examineDatabase(database: Database, config: Config): Promise<Finding[]> {
  const [server] = await database.query<{ version: string }>(`select current_setting('server_version') as version`);
  const found: Finding[] = [{ check: 'database', ok: true, detail: `PostgreSQL ${server?.version}` }];
  const { pending, unknown, edited } = await readSchema(database);
  if (unknown.length > 0) {
    const detail = `a newer version has run ${unknown.join(', ')}`;
    const advice = 'Install that version, or restore the backup that was made before the upgrade.';
    return [...found, { check: 'migrations', ok: false, detail, advice }];
  }
  if (edited.length > 0) {
    const detail = `not the files that this database was migrated with: ${edited.join(', ')}`;
    return [...found, { check: 'migrations', ok: false, detail, advice: 'Install Giftwire again as it was released.' }];
  }
  if (pending.length > 0) {
    const detail = `${pending.length} pending: ${pending.join(', ')}`;
    return [
      ...found,
      { check: 'migrations', ok: false, detail, advice: 'Run "giftwire migrate" or start the service.' },
    ];
  }
  found.push({ check: 'migrations', ok: true, detail: 'up to date' });

  const [owner] = await database.query<{ environment: string }>('select environment from installation');
  const mismatch = owner !== undefined && owner.environment !== config.environment;
  found.push({
    check: 'environment',
    ok: !mismatch,
    detail: `the database's environment is ${owner?.environment ?? 'not set yet'}`,
    ...(mismatch && { advice: `Set GIFTWIRE_ENV=${owner.environment} or use another database.` }),
  });

  // With DATABASE_URL alone, the service may run elsewhere and have the key there.
  const hasKey = config.databaseUrl === null || config.tokenKeys !== null;
  const keyProblem = hasKey ? await findKeyProblem(config.tokenKeys, config.dataDir, database) : null;
  if (keyProblem !== null)
    found.push({ check: 'token key', ok: false, detail: keyProblem, advice: 'The service does not start without it.' });

  const [access] = await database.query<{ workspaces: number; tokens: number }>(
    `select (select count(*) from workspaces) as workspaces,
            (select count(*) from api_tokens
              where revoked_at is null and (expires_at is null or expires_at > now())) as tokens`,
  );
  const { workspaces = 0, tokens = 0 } = access ?? {};
  const usable = workspaces > 0 && tokens > 0;
  found.push({
    check: 'access',
    ok: usable,
    detail: `${counted(workspaces, 'workspace')}, ${counted(tokens, 'usable token')}`,
    ...(!usable && { advice: `Make one: ${accessAdvice(workspaces)}` }),
  });

  const { depth, oldestAgeSeconds } = await readBacklog(database);
  const late = oldestAgeSeconds > longestQueueAgeSeconds;
  found.push({
    check: 'queue',
    ok: !late,
    detail: depth === 0 ? 'empty' : describeQueue(depth, oldestAgeSeconds),
    ...(late && { advice: 'Start a service with GIFTWIRE_ROLE=all or worker, and look at its log.' }),
  });
  return found;
}

function accessAdvice(workspaces: number): string {
  return workspaces === 0
    ? 'npx giftwire workspace create --name "Acme", then: npx giftwire token create --workspace 1 --name "Payroll"'
    : 'npx giftwire token create --workspace 1 --name "Payroll"';
}

function describeQueue(depth: number, oldestAgeSeconds: number): string {
  const seconds = Math.round(oldestAgeSeconds);
  return depth === 1 ? `1 order waits, for ${seconds} s` : `${depth} orders wait, the oldest for ${seconds} s`;
}

/** A service that is not running is not a problem: the commands work without it. */
async function examineService({ host, port }: Config): Promise<Finding> {
  const url = `${baseUrl(host, port)}/health/ready`;
  const response = await fetch(url, { signal: AbortSignal.timeout(5_000) }).catch(() => null);
  if (!response) return { check: 'service', ok: true, detail: `not running at ${url}; "npm start" starts it` };
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

function describe({ check, ok, detail, advice }: Finding): string {
  const mark = ok ? styleText('green', '✓') : styleText('red', '✗');
  return `${mark} ${check.padEnd(13)}${detail}${advice ? `\n  → ${advice}` : ''}`;
}
