/**
 * What people have drawn in a month on budgets with a cap for each person, as rows of workspace_id and problem: it is what their orders cost, without
 * gifts whose money went back. `rows` limits a table to a workspace, `which` chooses months.
 */
export function shareProblems(
  rows: (table: string) => string,
  which = (month: string) => `${month} is not null`,
): string {
  return `
  select workspace_id,
         case when coalesce(kept, 0) <> coalesce(drawn, 0)
                   then format('Member %s has drawn %s on budget %s in the month of %s, and their orders add up to %s.',
                               member_id, coalesce(kept, 0), budget_id, month, coalesce(drawn, 0))
         end as problem
    from (select workspace_id, budget_id, member_id, month, amount as kept
            from ${rows('budget_shares')} s
           where ${which('month')}) s
    full join (select o.workspace_id, o.budget_id, o.share_member_id as member_id, o.share_month as month,
                      sum(o.amount - coalesce(returned.amount, 0)) as drawn
                 from ${rows('order_budgets')} o
                cross join lateral (select sum(c.amount) as amount
                                      from certificates c
                                     where c.workspace_id = o.workspace_id
                                       and c.request_id = o.request_id
                                       and c.state in ('EXPIRED', 'CANCELLED')) returned
                where o.share_member_id is not null
                  and ${which('o.share_month')}
                group by o.workspace_id, o.budget_id, o.share_member_id, o.share_month) d
         using (workspace_id, budget_id, member_id, month)`;
}
