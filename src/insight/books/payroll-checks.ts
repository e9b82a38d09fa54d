type RowsOf = (table: string) => string;

/** Where the lines of payroll exports and the redemptions differ: rows of workspace_id and problem. `within` limits both to some redemptions. */
export function lineProblems(rowsOf: RowsOf, within: (id: string) => string = () => 'true'): string {
  return `
  select workspace_id,
         case when d.id is null then format('Payroll export %s has redemption %s, which is not there.', number, redemption_id)
              when l.redemption_id is null then format('Payroll export %s should have redemption %s, and it has not.', number, redemption_id)
              when l.amount <> case when sign > 0 then d.amount else -d.amount end
                   then format('Payroll export %s has %s for redemption %s of %s.', number, l.amount, redemption_id, d.amount)
         end as problem
    from (select workspace_id, number, redemption_id, sign(amount) as sign, amount from ${rowsOf('payroll_lines')} one where ${within('redemption_id')}) l
    full join (select workspace_id, exported_in as number, id as redemption_id, 1::numeric as sign, id, amount
                 from ${rowsOf('redemptions')} paid
                where exported_in is not null and ${within('id')}
                union all
               select workspace_id, reversed_in, id, -1, id, amount from ${rowsOf('redemptions')} returned
                where reversed_in is not null and ${within('id')}) d
         using (workspace_id, number, redemption_id, sign)`;
}

/** What is wrong with payroll exports as files: rows of workspace_id and problem. `within` limits them to some exports. */
export function exportProblems(rowsOf: RowsOf, within: (number: string) => string = () => 'true'): string {
  return `
  select workspace_id,
         case when count(l.nth) <> e.lines then format('Payroll export %s has %s lines, and should have %s.', number, count(l.nth), e.lines)
              when e.hash is distinct from sha256(convert_to(e.header || string_agg(l.text, '' order by l.nth), 'UTF8'))
                   then format('The file of payroll export %s does not have its hash: it was changed.', number)
         end as problem
    from ${rowsOf('payroll_exports')} e
    full join ${rowsOf('payroll_lines')} l using (workspace_id, number)
   where ${within('number')}
   group by workspace_id, number, e.lines, e.header, e.hash
   union all
  select e.workspace_id,
         case when e.closed_by is not null and e.closed_by is distinct from a.actor_name
                   then format('Payroll export %s was closed by another person than the audit log says.', e.number)
         end
    from ${rowsOf('payroll_exports')} e
    join ${rowsOf('audit_log')} a on a.workspace_id = e.workspace_id and a.action = 'payroll.exported' and a.subject_id = e.number::text
   where ${within('e.number')}`;
}
