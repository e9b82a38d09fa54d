import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import { scopes } from '../../src/company/access/scopes.ts';
import { createToken, type TokenTerms } from '../../src/company/access/tokens.ts';
import { theService } from '../../src/company/workspaces/audit.ts';
import { createWorkspace, type NewWorkspace } from '../../src/company/workspaces/workspaces.ts';
import { type Config, readConfig } from '../../src/ground/config/config.ts';
import { parseTokenKeys } from '../../src/ground/config/texts.ts';
import type { OrderRecord, OrderRequestStatus } from '../../src/ground/contract/order.ts';
import { type ConnectionPool, pools } from '../../src/ground/database/pools.ts';
import { cleanUp } from './cleanup.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { eventually, whileBusy } from './eventually.ts';

export interface Answer<Body = Record<string, unknown>> {
  status: number;
  headers: Headers;
  body: Body;
}

export interface Call {
  method?: string;
  token?: string | null;
  workspace?: string | number | null;
  headers?: Record<string, string>;
  /** Sent as JSON; text and bytes are sent unchanged. */
  body?: unknown;
}

export interface TestService {
  url: string;
  database: TestDatabase;
  workspaceId: number;
  token: string;
  /** Calls an address with the service's token and workspace unless told otherwise. The answer may be a 503. */
  call<Body = Record<string, unknown>>(path: string, call?: Call): Promise<Answer<Body>>;
  create(order: unknown, headers?: Record<string, string>): Promise<Answer<OrderRequestStatus>>;
  /** Creates an order, waits until it is finished and finds it with all its certificates. */
  fulfilled(order: unknown): Promise<OrderRecord>;
  finished(requestId: string): Promise<OrderRequestStatus>;
  addWorkspace(workspace?: Partial<NewWorkspace>): Promise<number>;
  addToken(token?: Partial<TokenTerms>): Promise<{ id: number; token: string }>;
  logLines(): Record<string, unknown>[];
  stop(): Promise<void>;
}

/**
 * The disk of a machine that runs tests may stall for seconds. Requests wait for it, so that a test sees a 503 only where it brought that about. The limits
 * of the program itself are tested where it runs as a process.
 */
for (const pool of Object.values<ConnectionPool>(pools))
  if (pool.openedBy === 'api' && pool.statementTimeoutMs !== null)
    pool.statementTimeoutMs = Math.max(pool.statementTimeoutMs, 10_000);

/** Settings of the service, its token key as the environment has it, or an existing database. */
export type ServiceOptions = Partial<Config> & { tokenKey?: string; database?: TestDatabase };

/** The whole service on a real port and a database of its own, with one workspace and one token. */
export async function startService({
  tokenKey,
  database: given,
  ...overrides
}: ServiceOptions = {}): Promise<TestService> {
  const database = given ?? (await createTestDatabase());
  const dataDir = await mkdtemp(join(tmpdir(), 'giftwire-data-'));
  const lines: string[] = [];
  const config: Config = {
    ...readConfig({}),
    databaseUrl: database.url,
    dataDir,
    port: 0,
    demo: false,
    // The tests of mail say which server they want.
    mailServer: 'off',
    logLevel: 'info',
    ...(tokenKey !== undefined && { tokenKeys: parseTokenKeys(tokenKey) }),
    ...overrides,
  };
  const log = pino({ level: config.logLevel }, { write: (line: string) => lines.push(line) });
  const app = await startApp(config, log).catch((cause) => {
    // test/mutations/reporter.ts knows by these words that no promise was tested.
    throw new Error(`the service did not start: ${cause.message}`, { cause });
  });
  const addWorkspace = (workspace: Partial<NewWorkspace> = {}) =>
    database.transaction(async (tx) => {
      const defaults = { name: 'Acme', language: 'EN_CA', refusesUnknownEmployeeNumbers: false };
      return (await createWorkspace(tx, theService, { ...defaults, ...workspace })).id;
    });
  const addToken = (token: Partial<TokenTerms> = {}) =>
    database.transaction((tx) =>
      createToken(tx, theService, config.environment, {
        name: 'Payroll',
        scopes,
        workspaces: [workspaceId],
        lastsMs: null,
        rateLimitPerMinute: null,
        ...token,
      }),
    );
  const workspaceId = await addWorkspace();
  const { token } = await addToken();
  const call = createCaller(app.url, token, workspaceId);
  const finished = (requestId: string) =>
    eventually(
      async () => (await call<OrderRequestStatus>(`/api/v1/orders/status/${requestId}`)).body,
      ({ requestStatus }) => requestStatus === 'COMPLETED' || requestStatus === 'FAILED',
    );
  const create = (order: unknown, headers: Record<string, string> = {}) =>
    whileBusy(() => call<OrderRequestStatus>('/api/v1/orders', { method: 'POST', body: order, headers }));

  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= app.stop().then(() => rm(dataDir, { recursive: true }));
    return stopped;
  };
  cleanUp(stop);

  return {
    url: app.url,
    database,
    workspaceId,
    token,
    call,
    create,
    finished,
    async fulfilled(order) {
      const { status, body } = await create(order);
      if (status !== 201) throw new Error(`the order was not accepted: ${JSON.stringify(body)}`);
      await finished(body.requestId);
      return (await call<OrderRecord>(`/api/v1/orders/${body.requestId}?size=1000`)).body;
    },
    addWorkspace,
    addToken,
    logLines: () => lines.map((line) => JSON.parse(line) as Record<string, unknown>),
    stop,
  };
}

function createCaller(url: string, ownToken: string, ownWorkspace: number): TestService['call'] {
  return async <Body>(path: string, { method = 'GET', token, workspace, headers, body }: Call = {}) => {
    const sent: Record<string, string> = {};
    if (token !== null) sent.Authorization = `Bearer ${token ?? ownToken}`;
    if (workspace !== null) sent['X-Workspace-id'] = String(workspace ?? ownWorkspace);
    if (body !== undefined) sent['Content-Type'] = 'application/json';
    const response = await fetch(url + path, {
      method,
      headers: { ...sent, ...headers },
      ...(body !== undefined && { body: isRaw(body) ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as Body };
  };
}

function isRaw(body: unknown): body is string | Uint8Array<ArrayBuffer> {
  return typeof body === 'string' || body instanceof Uint8Array;
}
