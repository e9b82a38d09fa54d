/**
 * Statements that count where the event log and the tables differ, by the sentence that says so. Tests may write rows with
 * statements of their own before anything is logged. From the first event of a kind on, everything of that kind has one.
 */
const firstOf = (types: string) => `
  select workspace_id, min(created_at) as at, min((data ->> 'id')::bigint) as id
    from events
    join event_counters c using (workspace_id)
   where c.removed_through = 0
     and type like '${types}'
   group by workspace_id`;

const eventsBy = (key: string, type: string, types: string) => `
  select workspace_id, (data ->> '${key}')::${type} as id, count(*) as n from events where type ${types} group by 1, 2`;

export const logWrongs: Record<string, string> = {
  'workspaces have events that are not numbered from the oldest that is kept to the latest': `
    select count(*)
      from event_counters c
      full join (select workspace_id, max(number) as last,
                        bool_or(number <> before + 1 and number - 1 not in (select base from histories)) as has_gaps
                   from (select workspace_id, number,
                                lag(number, 1, c.removed_through) over (partition by workspace_id order by number) as before
                           from events
                           left join event_counters c using (workspace_id)) e
                  group by 1) e using (workspace_id)
     where c.latest is null
        or c.latest <> coalesce(e.last, c.removed_through)
        or e.has_gaps`,
  'events are older than the one before them': `
    select count(*)
      from (select created_at, lag(created_at) over (partition by workspace_id order by number) as before from events) e
     where created_at < before`,
  // An order that failed may be retried: only its last event says what became of it.
  'orders have an outcome without exactly one event that says the same': `
    select count(*)
      from orders o
      join (${firstOf('order.%')}) first using (workspace_id)
      left join (select workspace_id, (data ->> 'requestId')::uuid as request_id,
                        (array_agg(type order by number desc))[1] as last,
                        count(*) filter (where type = 'order.completed') as completed
                   from events
                  where type like 'order.%'
                  group by 1, 2) e using (workspace_id, request_id)
     where o.finished_at >= first.at
       and (e.last, e.completed)
           is distinct from
           (case when o.id is null then 'order.failed' else 'order.completed' end, (o.id is not null)::int)`,
  'shoutouts were not given with exactly one event': `
    select count(*)
      from activities a
      join (${firstOf('shoutout.given')}) first using (workspace_id)
      left join shoutouts s using (workspace_id, number)
      left join (${eventsBy('id', 'bigint', `= 'shoutout.given'`)}) e
           on e.workspace_id = a.workspace_id and e.id = a.number + coalesce(s.base, 0)
     where a.type = 'SHOUTOUT'
       and a.number + coalesce(s.base, 0) >= first.id
       and e.n is distinct from 1`,
  'shoutouts were not decided with exactly one event': `
    select count(*)
      from shoutouts s
      join (${firstOf('shoutout.given')}) first using (workspace_id)
      left join (${eventsBy('id', 'bigint', `in ('shoutout.approved', 'shoutout.declined')`)}) e
           on e.workspace_id = s.workspace_id and e.id = s.number + s.base
     where s.number + s.base >= first.id
       and coalesce(e.n, 0) <> (s.decided_at is not null)::int`,
  'people were not added with exactly one event': `
    select count(*)
      from members m
      join (${firstOf('member.added')}) first using (workspace_id)
      left join (${eventsBy('id', 'bigint', `= 'member.added'`)}) e on e.workspace_id = m.workspace_id and e.id = m.id
     where not m.is_integration
       and m.id >= first.id
       and e.n is distinct from 1
       and not exists (select from events i where i.workspace_id = m.workspace_id and i.type = 'members.imported')
       and not exists (select from open_imports i where i.workspace_id = m.workspace_id)`,
  'records were not merged with exactly one event': `
    select count(*)
      from members m
      join (${firstOf('member.%')}) first using (workspace_id)
      left join (${eventsBy('id', 'bigint', `= 'member.merged'`)}) e on e.workspace_id = m.workspace_id and e.id = m.id
      left join (${eventsBy('id', 'bigint', `= 'member.unmerged'`)}) u on u.workspace_id = m.workspace_id and u.id = m.id
     where coalesce(e.n, 0) - coalesce(u.n, 0) <> (m.merged_into is not null)::int`,
};
