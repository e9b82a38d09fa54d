import { type Queryable, queryCount } from '../../../ground/database/database.ts';

const needsAttention = `(failing_since is not null or disabled_reason <> 'BY_HAND')`;

/** How many webhooks fail, or were turned off by Giftwire. */
export function countFailing(on: Queryable, workspaceId: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from webhooks
      where workspace_id = $1
        and ${needsAttention}`,
    [workspaceId],
  );
}

export interface TroubledWebhook {
  workspaceId: number;
  id: number;
  since: Date;
  isDisabled: boolean;
}

/** Those of all workspaces, the longest first. */
export function listTroubled(on: Queryable): Promise<TroubledWebhook[]> {
  return on.query<TroubledWebhook>(
    `select workspace_id as "workspaceId", id, coalesce(disabled_at, failing_since) as since, disabled_at is not null as "isDisabled"
       from webhooks
      where ${needsAttention}
      order by since, workspace_id, id`,
  );
}
