import assert from 'node:assert/strict';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';
import { cleanUp } from './cleanup.ts';
import { addressOf, type OpenApiDocument, type Operation, operationsOf } from './openapi.ts';
import type { TestService } from './service.ts';
import type { Browser } from './sign-in.ts';
import type { TestWorkspace } from './workspace.ts';

// biome-ignore lint/suspicious/noExplicitAny: each operation answers with a form of its own.
type Json = any;

interface Sent {
  path?: Record<string, unknown>;
  query?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; text is sent unchanged. */
  body?: unknown;
  /** Null: none. */
  token?: string | null;
}

/** Prism as a proxy in front of the service. It reports what contradicts the document in the header sl-violations. */
export async function startPrism(service: TestService, described: OpenApiDocument): Promise<string> {
  const silent = { info() {}, warn() {}, error() {}, debug() {}, trace() {}, success() {}, child: () => silent };
  const config = {
    isProxy: true as const,
    upstream: new URL(service.url),
    upstreamProxy: undefined,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: true,
    errors: false,
    mock: { dynamic: false },
  };
  const server = createServer(await getHttpOperationsFromSpec(described), {
    components: { logger: silent as never },
    config,
    cors: false,
  });
  cleanUp(() => server.close());
  return server.listen(0, '127.0.0.1');
}

/** A walk over operations of the document, through Prism. */
export async function openWalk(service: TestService, workspace: TestWorkspace, document: OpenApiDocument) {
  const operations = operationsOf(document);
  const prism = await startPrism(service, document);
  const walked = new Map<string, number[]>();

  /** Calls an operation through Prism and returns the answer with the violations that Prism found. */
  async function send(operationId: string, { path = {}, query = '', headers = {}, body, token }: Sent, proxy = prism) {
    const operation = operations.get(operationId);
    assert.ok(operation, `${operationId} is not in the document`);
    const [mediaType] = Object.keys(operation.requestBody?.content ?? {});
    const response = await fetch(proxy + addressOf(operation.path, path) + query, {
      method: operation.method,
      headers: {
        ...(token !== null && { Authorization: `Bearer ${token ?? workspace.token}` }),
        'X-Workspace-id': String(workspace.id),
        ...(body !== undefined && mediaType !== undefined && { 'Content-Type': mediaType }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const violations = JSON.parse(response.headers.get('sl-violations') ?? '[]');
    return { status: response.status, body: (isJson && text !== '' ? JSON.parse(text) : text) as Json, violations };
  }

  /** One step of the walk: the operation answers with this status, and request and answer are as the document says. */
  async function step(operationId: string, expected: number, sent: Sent = {}): Promise<Json> {
    const { status, body, violations } = await send(operationId, sent);
    assert.deepEqual(violations, [], `${operationId} ${expected}: ${JSON.stringify(body)}`);
    assert.equal(status, expected, `${operationId}: ${JSON.stringify(body)}`);
    walked.set(operationId, [...(walked.get(operationId) ?? []), status]);
    return body;
  }

  /** Checks that the walk called every operation that fits, with success and with an error. */
  function checkComplete(fits: (operation: Operation) => boolean): void {
    // What a former path does, test/http/deprecated.test.ts holds.
    const wanted = [...operations].filter(([, operation]) => !operation.deprecated && fits(operation));
    for (const [operationId] of wanted) {
      const statuses = walked.get(operationId) ?? [];
      assert.ok(
        statuses.some((status) => status < 300),
        `${operationId} never succeeded`,
      );
      assert.ok(
        statuses.some((status) => status >= 400),
        `${operationId} never failed`,
      );
    }
  }

  return { send, step, walked, checkComplete };
}

/** As the browser of a person sends it. */
export function asPerson({ url }: TestService, { cookie }: Browser) {
  const own = { Cookie: `__Host-giftwire=none; ${cookie}`, Origin: url, Host: new URL(url).host };
  return { token: null, headers: { ...own, 'Sec-Fetch-Site': 'same-origin' } };
}

/** Operations about budgets and about how gifts are spent, which have a walk of their own. */
export function isAboutMoney({ path }: Operation): boolean {
  return /^\/api\/v1\/(budgets|balances|ledger|spending-options|pools|redemptions|payroll-exports|reports\/tax-log|me\/(gifts|spending|spending-options)|gifts\/(check|redemptions))(\/|$)/.test(
    path,
  );
}

/** Operations about recognition among employees, which have a walk of their own. */
export function isAboutTheFeed({ path }: Operation): boolean {
  return /^\/api\/v1\/(feed|me\/shoutouts)(\/|$)/.test(path);
}
