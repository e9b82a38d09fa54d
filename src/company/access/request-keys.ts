import type { Database, Queryable } from '../../ground/database/database.ts';
import { queryOptional } from '../../ground/database/database.ts';
import { removePieces } from '../workspaces/each.ts';

/** A request with an Idempotency-Key, which its caller may repeat. */
export interface KeyedRequest {
  workspaceId: number;
  callerId: number;
  key: string;
  /** Names this try of the request. */
  attempt: string;
  operation: string;
  /** A hash of everything that was sent. */
  fingerprint: Buffer;
}

/** The request that used a key first. */
export interface KnownRequest extends Pick<KeyedRequest, 'attempt' | 'operation' | 'fingerprint'> {
  /** Whether what it changes is committed. */
  isDone: boolean;
  /** Whether its response is kept: one about a person who was erased since is not. */
  isAnswered: boolean;
  response: unknown;
  ageSeconds: number;
}

const pieceRows = 1_000;

export async function findRequest(
  on: Queryable,
  { workspaceId, callerId, key }: KeyedRequest,
): Promise<KnownRequest | null> {
  const found = await queryOptional<KnownRequest & { response: string | null }>(
    on,
    `select attempt, operation, fingerprint,
            is_done or answered_at is not null               as "isDone",
            response is not null                             as "isAnswered",
            response::text                                   as response,
            extract(epoch from now() - created_at)::float8   as "ageSeconds"
       from request_keys
      where workspace_id = $1
        and caller_id = $2
        and key = $3`,
    [workspaceId, callerId, key],
  );
  return found && { ...found, response: found.response === null ? null : JSON.parse(found.response) };
}

/**
 * Takes the key for this request. Returns whether it has it: another request may have been faster. `isDone` says that the transaction
 * also has what the request changes.
 */
export async function takeKey(tx: Queryable, request: KeyedRequest, isDone: boolean): Promise<boolean> {
  const { workspaceId, callerId, key, attempt, operation, fingerprint } = request;
  const taken = await tx.query(
    `insert into request_keys as k (workspace_id, caller_id, key, attempt, operation, fingerprint, is_done)
     values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (workspace_id, caller_id, key) do update
        set is_done = k.is_done or excluded.is_done
      where k.attempt = excluded.attempt
     returning k.key`,
    [workspaceId, callerId, key, attempt, operation, fingerprint, isDone],
  );
  return taken.length > 0;
}

/** Keeps the response for requests that repeat this one. Returns whether the request has its key. */
export async function keepResponse(on: Queryable, request: KeyedRequest, response: unknown): Promise<boolean> {
  const { workspaceId, callerId, key, attempt } = request;
  const kept = await on.query(
    `update request_keys
        set response = $5, answered_at = now()
      where workspace_id = $1
        and caller_id = $2
        and key = $3
        and attempt = $4
     returning key`,
    [workspaceId, callerId, key, attempt, JSON.stringify(response ?? null)],
  );
  return kept.length > 0;
}

/** Gives the key of a request back that has changed nothing. */
export async function releaseKey(on: Queryable, { workspaceId, callerId, key, attempt }: KeyedRequest): Promise<void> {
  await on.query(
    'delete from request_keys where workspace_id = $1 and caller_id = $2 and key = $3 and attempt = $4 and not is_done',
    [workspaceId, callerId, key, attempt],
  );
}

/** Removes keys that are older than 30 days. Returns how many; 0 when none is left. */
export function removeOldKeys(database: Database): Promise<number> {
  return removePieces(database, dueSql, removeSql);
}

const isOld = `created_at < now() - interval '30 days'`;

const dueSql = `
  select w.id as "workspaceId"
    from workspaces w
   where exists (select from request_keys k where k.workspace_id = w.id and k.${isOld})`;

const removeSql = `
  delete from request_keys k
   using (select caller_id, key
            from request_keys
           where workspace_id = $1
             and ${isOld}
           order by created_at
           limit ${pieceRows}) old
   where k.workspace_id = $1
     and k.caller_id = old.caller_id
     and k.key = old.key
  returning k.key`;
