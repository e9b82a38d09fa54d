import { type Queryable, queryCount } from '../../../ground/database/database.ts';

/** Webhooks whose deliveries fail, or that Giftwire has turned off. */
export function countFailing(on: Queryable, workspaceId: number): Promise<number> {
  return queryCount(
    on,
    `select count(*)
       from webhooks
      where workspace_id = $1
        and (failing_since is not null or disabled_reason <> 'BY_HAND')`,
    [workspaceId],
  );
}
