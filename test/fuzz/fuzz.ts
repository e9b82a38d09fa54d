import { Pool } from 'undici';
import type { Caller } from '../support/callers.ts';
import { type OpenApiDocument, type Operation, operationsOf } from '../support/openapi.ts';
import { Random } from '../support/random.ts';
import type { TestService } from '../support/service.ts';
import { openFuzzCallers } from './callers.ts';
import { createJudge, type Received } from './judge.ts';
import { addOwnRecords } from './own.ts';
import { readRecords } from './records.ts';
import { draftOf, type FuzzRequest, write } from './request.ts';
import { spoilAll, spoilOne } from './spoil.ts';

export interface FuzzOptions {
  document: OpenApiDocument;
  /** The workspace of the demo company, which has records of every kind. */
  workspace: number;
  requests: number;
  seed: number;
  /** Only this operation. */
  only?: string;
  /** Requests under way at the same time. */
  atOnce?: number;
  /** How often a 503 or a lost connection is repeated, on a machine that does other things too. 0 when absent: each one is a problem. */
  patience?: number;
  onRound?: (sent: number) => void;
}

export interface FuzzProblem {
  operationId: string;
  request: string;
  problem: string;
}

export interface FuzzResult {
  problems: FuzzProblem[];
  /** How many responses had each status, by operation. */
  statuses: Map<string, Map<number, number>>;
}

/** Callers and records are read again after this many requests. */
const roundSize = 250;

/**
 * Sends requests for all operations of the document in turn: as it describes them, with one thing spoilt, and with all of them. Returns
 * every response that the document does not describe, and every 5xx.
 */
export async function fuzz(service: TestService, options: FuzzOptions): Promise<FuzzResult> {
  const { document, workspace, requests, seed, only, atOnce = 4, patience = 0, onRound } = options;
  const operations = [...operationsOf(document).values()].filter(
    ({ operationId }) => only === undefined || operationId === only,
  );
  if (operations.length === 0) throw new Error(`there is no operation ${only}`);
  const judge = createJudge(document);
  const random = new Random(seed);
  const result: FuzzResult = { problems: [], statuses: new Map() };
  const pool = new Pool(service.url, { connections: atOnce });
  try {
    for (let sent = 0; sent < requests; sent += roundSize) {
      const callers = await openFuzzCallers(service, workspace, sent / roundSize);
      const own = await addOwnRecords(service, callers);
      const records = { ...(await readRecords(service, callers.token, workspace)), own };
      const nths = Array.from({ length: Math.min(roundSize, requests - sent) }, (_, nth) => sent + nth).values();
      const sendNext = async () => {
        for (const nth of nths) {
          const drawn = random.fork(`${nth}`);
          const operation = operations[nth % operations.length] as Operation;
          const draft = draftOf(document, operation, records, drawn);
          const kind = drawn.next();
          const request = write(kind < 0.4 ? draft : kind < 0.9 ? spoilOne(draft, drawn) : spoilAll(draft, drawn));
          const caller = callers.pick(drawn, operation);
          const received = await sendPatiently(pool, request, caller, patience);
          if (received instanceof Error) {
            const problem = `no response: ${received.message}`;
            result.problems.push({ operationId: operation.operationId, request: say(request), problem });
            continue;
          }
          count(result, operation, received.status);
          const problem = judge(operation, received);
          if (problem) result.problems.push({ operationId: operation.operationId, request: say(request), problem });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, sendNext));
      onRound?.(Math.min(sent + roundSize, requests));
    }
  } finally {
    await pool.destroy();
  }
  return result;
}

/** Repeats what a client repeats: a 503, and a request on a connection that the service has just closed because it was idle. */
async function sendPatiently(
  pool: Pool,
  request: FuzzRequest,
  caller: Caller,
  patience: number,
): Promise<Received | Error> {
  for (let left = patience; ; left -= 1) {
    const received = await send(pool, request, caller).catch((error: Error & { code?: string }) => error);
    const isOver = received instanceof Error ? received.code !== 'UND_ERR_SOCKET' : received.status !== 503;
    if (left <= 0 || isOver) return received;
  }
}

async function send(pool: Pool, { method, url, headers, body }: FuzzRequest, caller: Caller): Promise<Received> {
  const response = await pool.request({
    method: method as 'GET',
    path: url,
    headers: {
      ...(!url.startsWith('/scim/') && { 'X-Workspace-id': String(caller.workspace) }),
      ...caller.headers,
      ...headers,
    },
    body: method === 'GET' ? null : body,
  });
  const type = response.headers['content-type'];
  return {
    status: response.statusCode,
    type: typeof type === 'string' ? type : null,
    text: await response.body.text(),
    invalidFields: (response.headers['x-invalid-fields'] as string | undefined) ?? null,
  };
}

function count({ statuses }: FuzzResult, { operationId }: Operation, status: number): void {
  const of = statuses.get(operationId) ?? new Map<number, number>();
  statuses.set(operationId, of.set(status, (of.get(status) ?? 0) + 1));
}

function say({ method, url, headers, body }: FuzzRequest): string {
  const sent = body instanceof Uint8Array ? `${body.length} bytes` : (body ?? '').slice(0, 2_000);
  return `${method} ${url} ${JSON.stringify(headers)} ${sent}`;
}
