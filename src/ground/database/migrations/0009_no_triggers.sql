-- The functions that write members, tokens and workspaces now keep the counts by day and the search texts, and announce
-- changed grants, in the same statement or transaction. So the triggers go.

drop trigger follow_added_members on members;
drop trigger follow_changed_members on members;
drop trigger follow_renamed_member on members;
drop trigger announce_grant_change on api_tokens;
drop trigger announce_grant_change on api_token_workspaces;
drop trigger announce_grant_change on workspaces;

drop function follow_added_members();
drop function follow_changed_members();
drop function follow_renamed_member();
drop function announce_grant_change();

-- Derived tables are computed once more, so that they are right even if somebody wrote members without the triggers.
delete from recognition_days;
insert into recognition_days (workspace_id, day, members, leavers)
select m.workspace_id, coalesce(m.last_recognized_on, '-infinity'),
       count(*) filter (where m.left_at is null), count(*) filter (where m.left_at is not null)
  from members m
 where is_person(m)
 group by 1, 2;

-- A merged record keeps an empty text. Texts that are right stay as they are: rewriting all of them would take long.
insert into member_texts as t (workspace_id, member_id, text)
select m.workspace_id, m.id, case when is_person(m) then member_text(m) else '' end
  from members m
 where not m.is_integration
on conflict (workspace_id, member_id) do update set text = excluded.text
 where t.text is distinct from excluded.text;

drop function is_person(members);
drop function member_text(members);
