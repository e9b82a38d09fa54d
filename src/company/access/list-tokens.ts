import { type Queryable, queryOptional } from '../../ground/database/database.ts';
import { Failure } from '../../ground/errors.ts';
import { tokenEndSql } from './grant-rows.ts';
import { requestsByDay } from './token-uses.ts';
import { type TokenRecord, tokenColumns } from './tokens.ts';

export interface TokenFilters {
  /** Only tokens that work, or only those that have ended. */
  state?: 'ACTIVE' | 'ENDED';
  /** The id of the last one of the page before. */
  after?: number;
  size: number;
}

/** A token as one of its workspaces sees it. */
export interface TokenOfWorkspace extends TokenRecord {
  /** Requests to the workspace on each of the past 30 days, today last. */
  requestsByDay: number[];
}

const recordSql = `
  select ${tokenColumns},
         ${requestsByDay} as "requestsByDay",
         array(select workspace_id from api_token_workspaces where token_id = t.id order by 1)::int[] as workspaces
    from api_token_workspaces tw
    join api_tokens t on t.id = tw.token_id
    join workspaces w on w.id = tw.workspace_id
   where tw.workspace_id = $1`;

/** The tokens that may use a workspace, the newest first. */
export async function listTokensOf(
  database: Queryable,
  workspaceId: number,
  { state, after, size }: TokenFilters,
): Promise<{ tokens: TokenOfWorkspace[]; next: number | null }> {
  const found = await database.query<TokenOfWorkspace>(
    `${recordSql}
       and ($2::bigint is null or t.id < $2)
       and ($3::text is null
            or coalesce(${tokenEndSql} <= now(), false) = ($3 = 'ENDED'))
     order by t.id desc
     limit $4`,
    [workspaceId, after ?? null, state ?? null, size + 1],
  );
  const tokens = found.slice(0, size);
  return { tokens, next: found.length > size ? (tokens.at(-1)?.id ?? null) : null };
}

export async function readTokenOf(on: Queryable, workspaceId: number, id: number): Promise<TokenRecord> {
  const token = await queryOptional<TokenRecord>(on, `${recordSql} and t.id = $2`, [workspaceId, id]);
  if (!token) throw new Failure('missing', 'There is no token with this id in this workspace.');
  return token;
}
