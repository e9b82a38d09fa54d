import type { WorkspaceGrant } from '../../company/access/grants.ts';
import { likePattern } from '../../company/directory/search.ts';
import { suggestMembers } from '../../company/directory/suggest.ts';
import { isHere, isPerson, survivorOf } from '../../company/directory/who.ts';
import type { ColleagueQuery, Colleagues } from '../../ground/contract/colleagues.ts';
import { type Queryable, queryOne } from '../../ground/database/database.ts';
import { own, personRecord } from './record.ts';

/** Who can be thanked: people and teams whose names begin so; without a search those of the caller's team. Never the caller. */
export async function findColleagues(
  on: Queryable,
  { workspaceId, memberId }: WorkspaceGrant,
  { search, size }: ColleagueQuery,
): Promise<Colleagues> {
  const isSearch = search.trim() !== '';
  // One more, because the caller may be among them.
  const found = isSearch
    ? await suggestMembers(on, { workspaceId, onlyReportsOf: null }, { search, size: size + 1 })
    : await on.query<{ id: number }>(teamMatesSql, [workspaceId, memberId, size + 1]);
  const ids = found.map(({ id }) => id);
  return queryOne<Colleagues>(on, colleaguesSql, [
    workspaceId,
    memberId,
    ids,
    size,
    isSearch ? likePattern(search.trim(), '') : null,
  ]);
}

const teamMatesSql = `
  select m.id
    from members named
    join members c on c.workspace_id = named.workspace_id and c.id = ${survivorOf('named')}
    join members m on m.workspace_id = c.workspace_id and m.team_id = c.team_id
   where named.workspace_id = $1
     and named.id = $2
     and ${isPerson('m')}
     and ${isHere('m')}
   order by m.id
   limit $3`;

const colleaguesSql = `
  with ${own}
  select (select coalesce(json_agg(${personRecord('m')}::jsonb || jsonb_build_object('team', t.name, 'location', m.location) order by page.nth), '[]')
            from (select id, nth
                    from unnest($3::bigint[]) with ordinality as found (id, nth)
                   where id not in (select id from own)
                   order by nth
                   limit $4::int) page
            join members m on m.workspace_id = $1 and m.id = page.id
            left join teams t on t.workspace_id = $1 and t.id = m.team_id) as people,
         (select coalesce(json_agg(json_build_object('id', t.id, 'name', t.name, 'people', t.people) order by lower(t.name), t.id), '[]')
            from (select t.id, t.name,
                         (select count(*)
                            from team_members tm
                            join members m on m.workspace_id = $1 and m.id = tm.member_id and ${isHere('m')}
                           where tm.workspace_id = $1 and tm.team_id = t.id) as people
                    from teams t
                   where t.workspace_id = $1
                     and lower(t.name) like lower($5::text)
                   order by lower(t.name), t.id
                   limit 5) t
           where t.people > 0) as teams`;
