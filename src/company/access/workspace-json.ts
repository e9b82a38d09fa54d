/** The policies of a workspace `w` as JSON, with the further fields of a kind of caller. A statement about one workspace names it. */
export const workspaceJson = (fields: string, workspaceId = 'w.id') => `
  json_build_object(
    'workspaceId', w.id,
    'accountId', w.account_id,
    'name', w.name,
    'language', w.language,
    'timeZone', w.time_zone,
    'refusesUnknownEmployeeNumbers', w.refuse_unknown_employee_numbers,
    'acceptsLeavers', w.accept_leavers,
    'asksForApproval', w.shoutouts_need_approval,
    'allowsSelfRecognition', w.allow_self_recognition,
    'hasBudgets', exists (select from budgets b
                           where b.workspace_id = ${workspaceId} and b.kind <> 'UNLIMITED' and b.closed_at is null),
    'recipientCaps', w.recipient_caps,
    'rules', w.rule_conditions,
    ${fields})`;
