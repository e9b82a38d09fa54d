import { sqlKindsWith } from '../../../ground/values/spending-kinds.ts';

/** What a recipient asked for with a part of a gift, or of several, as it was decided. */
export interface DecidedRequest {
  isDone: boolean;
  /** What the spending option was called. */
  option: string;
  amount: number;
  /** What the company says about it. */
  note: string | null;
}

/** The request that the email `q` of a workspace is about, as an SQL expression: the nth of the gift. Null for emails of other kinds. */
export const decisionOf = (workspaceId: string) => `
  case q.kind when 'DECISION' then
    (select jsonb_build_object('isDone', d.state = 'DONE', 'option', d.spending_option_name, 'amount',
                              coalesce((select sum(part.amount) from redemptions part
                                         where part.workspace_id = ${workspaceId} and part.spending_id = d.spending_id), d.amount),
                              'note', d.detail ->> 'note')
       from redemptions d
      where d.workspace_id = ${workspaceId}
        and d.request_id = q.request_id
        and d.position = q.position
        and d.kind in ${sqlKindsWith('fulfilledBy', 'colleague')}
      order by d.id
     offset q.nth - 1
      limit 1)
  end`;
