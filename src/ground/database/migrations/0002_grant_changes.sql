-- Every process keeps the grants that it has read until it hears of a change, whoever makes it.

create function announce_grant_change() returns trigger language plpgsql as $$
begin
  perform pg_notify('giftwire_grants', '');
  return null;
end
$$;

create trigger announce_grant_change after update or delete or truncate on api_tokens
  for each statement execute function announce_grant_change();
create trigger announce_grant_change after insert or update or delete or truncate on api_token_workspaces
  for each statement execute function announce_grant_change();
create trigger announce_grant_change after update or delete or truncate on workspaces
  for each statement execute function announce_grant_change();
