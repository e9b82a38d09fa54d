/** Holds for a row `t` of a gift with a request that the people team has to decide on. The recipient then gets an email. */
export const hasOpenRequest = `
  exists (
    select
      from redemptions d
     where d.workspace_id = $1
       and d.request_id = t.request_id
       and d.position = t.position
       and d.state = 'REQUESTED')`;
