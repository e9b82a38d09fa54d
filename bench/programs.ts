import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scopes } from '../src/company/access/scopes.ts';
import { createToken } from '../src/company/access/tokens.ts';
import { theService } from '../src/company/workspaces/audit.ts';
import { createWorkspace } from '../src/company/workspaces/workspaces.ts';
import { type Database, openDatabase } from '../src/ground/database/database.ts';
import { administrator, connectionUrl, serviceRole } from '../src/ground/database/embedded/roles.ts';
import { openEmbeddedServer } from '../src/ground/database/embedded/server.ts';
import type { Call } from './load.ts';

const root = join(import.meta.dirname, '..');
const { config } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { config: { v8: string } };
/** The flags of V8 that `giftwire serve` runs with. */
export const startFlags = config.v8.split(' ');

export interface Program {
  url: string;
  pid: number;
}

export interface Service extends Program {
  database: Database;
  workspaceId: number;
  /** A request as an integrator sends it. */
  call(method: 'GET' | 'POST', path: string, body?: unknown, workspaceId?: number): Call;
}

export interface Bench {
  /** For files of the bench. */
  folder: string;
  /** The process of PostgreSQL that has started all of its others. */
  databasePid: number;
  databaseUrl(name: string): string;
  createDatabase(name: string): Promise<Database>;
  /** Giftwire as `npm start` runs it, on a database of its own. */
  startService(name: string, env?: Record<string, string>): Promise<Service>;
  /** Another node of a service that was started. */
  startNode(name: string, env?: Record<string, string>): Promise<Program>;
  startComparison(file: string, env: Record<string, string>, flags?: string[]): Promise<Program>;
  /** After a database was filled, so that what is measured next does not pay for it. */
  checkpoint(): Promise<void>;
  close(): Promise<void>;
}

/** One embedded PostgreSQL with the settings that it has in service, and the programs that run on it. */
export async function openBench(dataDir: string): Promise<Bench> {
  const server = await openEmbeddedServer({ dataDir, exclusive: true });
  const opened: (() => Promise<unknown>)[] = [server.stop];
  const socket = new URL(server.url).searchParams.get('host') as string;
  const databaseUrl = (name: string) => connectionUrl(socket, serviceRole, name);
  const open = (url: string) => {
    const database = openDatabase({ url, name: 'bench', maxConnections: 4, statementTimeoutMs: 3_600_000 });
    opened.push(() => database.close());
    return database;
  };
  const admin = open(connectionUrl(socket, administrator, 'postgres'));

  const run = async (command: string, args: string[], env: Record<string, string>): Promise<Program> => {
    const port = await freePort();
    const path = `${join(root, 'node_modules/.bin')}:${process.env.PATH}`;
    const child = spawn(command, args, {
      cwd: root,
      env: { HOME: process.env.HOME ?? '', PATH: path, PORT: String(port), ...env },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    opened.push(() => end(child));
    const url = `http://127.0.0.1:${port}`;
    while (!(await fetch(`${url}/health/live`).catch(() => null))) {
      if (child.exitCode !== null) throw new Error(`${command} ${args.join(' ')} does not start`);
      await sleep(50);
    }
    return { url, pid: child.pid as number };
  };

  const createDatabase = async (name: string) => {
    await admin.pool.query(`create database ${name} owner ${serviceRole}`);
    return open(databaseUrl(name));
  };

  const startNode = (name: string, env: Record<string, string> = {}) => {
    const settings = {
      DATABASE_URL: databaseUrl(name),
      GIFTWIRE_DATA_DIR: dataDir,
      GIFTWIRE_DEMO: '0',
      GIFTWIRE_SMTP_URL: 'off',
      ...env,
    };
    return run('node', [join(root, 'bin/giftwire.js'), 'serve'], settings);
  };

  return {
    folder: dirname(dataDir),
    databasePid: Number.parseInt(readFileSync(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10),
    databaseUrl,
    createDatabase,
    startNode,
    async startService(name, env = {}) {
      const database = await createDatabase(name);
      const program = await startNode(name, env);
      const { workspaceId, token } = await createAccess(database, 4);
      const call: Service['call'] = (method, path, body, workspace = workspaceId) => ({
        method,
        path,
        headers: {
          Authorization: `Bearer ${token}`,
          'X-Workspace-id': String(workspace),
          'Content-Type': 'application/json',
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { ...program, database, workspaceId, call };
    },
    startComparison: (file, env, flags = []) => run('node', [...flags, join(root, 'bench/comparison', file)], env),
    async checkpoint() {
      await admin.pool.query('checkpoint');
    },
    async close() {
      for (const close of opened.splice(0).reverse()) await close();
    },
  };
}

/** So many workspaces, numbered from the one that is returned, and a token with every right to them. */
export async function createAccess(database: Database, count: number) {
  return database.transaction(async (tx) => {
    const workspaces: number[] = [];
    while (workspaces.length < count) {
      const workspace = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false };
      workspaces.push((await createWorkspace(tx, theService, workspace)).id);
    }
    const rights = { name: 'Payroll', scopes, workspaces, lastsMs: null, rateLimitPerMinute: null };
    const { token } = await createToken(tx, theService, 'test', rights);
    return { workspaceId: workspaces[0] as number, token };
  });
}

/** Below the ports that the system gives to outgoing connections, one of which could take it before the program listens, or while it starts again. */
export async function freePort(): Promise<number> {
  const port = randomInt(20_000, 32_000);
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return freePort();
  }
  server.close();
  await once(server, 'close');
  return port;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** Resident memory; null where the process has gone, or the system does not tell. */
export function residentMegabytes(pid: number): number | null {
  return statusMegabytes(pid, 'VmRSS');
}

/** The most resident memory that the process has had. */
export function peakMegabytes(pid: number): number | null {
  return statusMegabytes(pid, 'VmHWM');
}

function statusMegabytes(pid: number, name: string): number | null {
  try {
    const kilobytes = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
    return kilobytes ? Number(kilobytes) / 1024 : null;
  } catch {
    return null;
  }
}
