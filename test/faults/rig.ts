import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, startFlags } from '../../bench/programs.ts';
import type { ProcessRole } from '../../src/ground/config/config.ts';
import { type Database, openDatabase } from '../../src/ground/database/database.ts';
import { eventually } from '../support/eventually.ts';
import type { Scope } from '../support/scope.ts';
import { signal } from '../support/system.ts';
import { type Cluster, makeFolder } from './cluster.ts';
import type { Journal } from './journal.ts';

export const root = join(import.meta.dirname, '../..');
const readyWithinMs = 60_000;
const lookEveryMs = 100;
const tokenKey = 'the-key-of-the-fault-program-'.repeat(2);

/** One process of the service. */
export class Program {
  readonly role: ProcessRole;
  readonly url: string;
  readonly pid: number;
  readonly #child: ChildProcess;
  readonly #exit: Promise<unknown>;
  #wasEnded = false;

  constructor(role: ProcessRole, url: string, child: ChildProcess) {
    this.role = role;
    this.url = url;
    this.pid = child.pid as number;
    this.#child = child;
    this.#exit = once(child, 'exit');
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** How it ended, if the fault did not end it. */
  get ownEnd(): string | null {
    if (this.isRunning || this.#wasEnded) return null;
    return this.#child.signalCode ?? `exit code ${this.#child.exitCode}`;
  }

  signal(name: NodeJS.Signals): void {
    signal(this.pid, name);
  }

  async end(name: NodeJS.Signals): Promise<{ code: number | null; ms: number }> {
    const askedAt = performance.now();
    this.#wasEnded = true;
    if (this.isRunning) this.#child.kill(name);
    if (name === 'SIGKILL') this.#child.kill('SIGCONT');
    await this.#exit;
    return { code: this.#child.exitCode, ms: performance.now() - askedAt };
  }
}

export interface StartOptions {
  folder?: string;
  /** Listens at an address of its own, behind a load balancer. */
  isBehindBalancer?: boolean;
  env?: Record<string, string>;
}

/** A database of its own and the processes of the service on it. */
export class Rig {
  readonly cluster: Cluster;
  readonly name: string;
  readonly database: Database;
  readonly programs: Program[] = [];
  readonly #scope: Scope;
  #started = 0;
  /** The folder of its processes' logs, removed with the rig. */
  readonly #folder: string;
  /** The address of the API, whichever process answers it. */
  readonly url: string;

  private constructor(scope: Scope, folder: string, cluster: Cluster, name: string, port: number) {
    this.#folder = folder;
    this.cluster = cluster;
    this.name = name;
    this.url = `http://127.0.0.1:${port}`;
    this.#scope = scope;
    this.database = openDatabase({
      url: cluster.url(name),
      name: 'faults',
      maxConnections: 2,
      statementTimeoutMs: 60_000,
    });
  }

  static async open(
    scope: Scope,
    cluster: Cluster,
    name: string,
    kind: 'migrated' | 'empty' = 'migrated',
  ): Promise<Rig> {
    await cluster.create(name, kind);
    await scope.defer(() => cluster.drop(name));
    const folder = await makeFolder(scope);
    if (scope.keepsFolders) console.log(`  ${name} logs to ${folder}`);
    const rig = new Rig(scope, folder, cluster, name, await freePort());
    await scope.defer(() => rig.database.close());
    return rig;
  }

  /** Starts a process as `npm start` does, here or in another copy of the project, and waits until it is ready. */
  async start(
    role: ProcessRole,
    { folder: cwd = root, isBehindBalancer = false, env = {} }: StartOptions = {},
  ): Promise<Program> {
    const url = role === 'worker' || isBehindBalancer ? `http://127.0.0.1:${await freePort()}` : this.url;
    const log = await open(join(this.#folder, `${this.name}-${this.#started++}-${role}.log`), 'w');
    const child = spawn(process.execPath, [...startFlags, 'bin/giftwire.js', 'serve'], {
      cwd,
      env: { ...this.env(role), PORT: new URL(url).port, ...env },
      stdio: ['ignore', log.fd, log.fd],
    });
    await log.close();
    const program = new Program(role, url, child);
    this.programs.push(program);
    await this.#scope.defer(() => program.end('SIGKILL'));
    const isReadyOrOver = async () => (await isReady(url)) || !program.isRunning;
    await eventually(isReadyOrOver, Boolean, {
      withinMs: readyWithinMs * this.#scope.patience,
      everyMs: lookEveryMs,
    });
    if (!program.isRunning) throw new Error(`the ${role} process does not start: ${program.ownEnd ?? 'it was ended'}`);
    return program;
  }

  /** Runs a command of the command line on this database. */
  command(...args: string[]): Promise<{ stdout: string }> {
    return this.commandIn(root, ...args);
  }

  /** Runs a command of another copy of the project. */
  commandIn(cwd: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
    const options = { cwd, env: this.env('all') };
    // A finding of the doctor is an exit code, and no failure to run.
    return promisify(execFile)(process.execPath, ['bin/giftwire.js', ...args], options).catch((error) => error);
  }

  /** What all its processes have logged. */
  async readLog(): Promise<string> {
    return (await this.readLogs()).join('');
  }

  /** What each of its processes has logged. */
  async readLogs(): Promise<string[]> {
    const files = (await readdir(this.#folder)).filter((name) => name.endsWith('.log'));
    return Promise.all(files.map((name) => readFile(join(this.#folder, name), 'utf8')));
  }

  /** The environment of a process on this database. */
  env(role: ProcessRole): Record<string, string> {
    return {
      PATH: process.env.PATH ?? '',
      HOME: process.env.HOME ?? tmpdir(),
      NODE_COMPILE_CACHE: join(tmpdir(), 'giftwire-test-cache'),
      NODE_OPTIONS: process.env.NODE_OPTIONS ?? '',
      PORT: '0',
      DATABASE_URL: this.cluster.url(this.name),
      GIFTWIRE_DATA_DIR: join(this.#folder, 'data'),
      GIFTWIRE_TOKEN_KEY: tokenKey,
      GIFTWIRE_ROLE: role,
      GIFTWIRE_DEMO: '0',
      // As bin/giftwire.js does.
      MALLOC_MMAP_THRESHOLD_: '1048576',
      // The fault about mail sets a server.
      GIFTWIRE_SMTP_URL: 'off',
    };
  }

  /** Reports processes that ended although nobody ended them. */
  reportEnds(journal: Journal): void {
    for (const { role, ownEnd } of this.programs)
      if (ownEnd) journal.violated(`The ${role} process ended by itself (${ownEnd}).`);
  }

  async databaseAnswers(): Promise<boolean> {
    return this.database.query('select 1').then(
      () => true,
      () => false,
    );
  }

  async pending(): Promise<number> {
    const [row] = await this.database.query<{ count: number }>(
      `select count(*) as count
         from order_requests r
        where not exists (select from orders o
                           where o.workspace_id = r.workspace_id and o.request_id = r.request_id)`,
    );
    return (row as { count: number }).count;
  }
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(2_000) }).then(
    async (response) => {
      await response.arrayBuffer();
      return response.status === 200;
    },
    () => false,
  );
}
