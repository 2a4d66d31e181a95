-- What is known of a caller is spread over six tables and changes a few times a year, and every call
-- asks for it. An integration now counts the changes of what its keys may do: a gateway that looked
-- a key up may later ask whether that count is still the same, which is two rows instead of a dozen
-- (auth/principal.ts). The count moves in the transaction of the change, so whoever finds it
-- unchanged would have found everything unchanged.

alter table auth.integrations add column revision bigint not null default 0;

create function auth.count_change() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  update integrations set revision = revision + 1 where id in (old.integration, new.integration);
  return null;
end $$;
revoke execute on function auth.count_change() from public;

create function auth.count_change_of_organization() returns trigger language plpgsql
  security definer set search_path = auth, pg_temp as $$
begin
  update integrations set revision = revision + 1
   where id in (select integration from grants where organization = old.id);
  return null;
end $$;
revoke execute on function auth.count_change_of_organization() from public;

-- Whether a key was revoked or is over is asked on every call; so is whether the integration is
-- suspended.
create trigger counted after update of integration, organization, mode, scopes, hash on auth.keys
  for each row execute function auth.count_change();
create trigger counted after insert or update or delete on auth.grants
  for each row execute function auth.count_change();
create trigger counted after insert or update or delete on auth.agreements
  for each row execute function auth.count_change();
create trigger counted after update on auth.organizations
  for each row execute function auth.count_change_of_organization();

-- Streams are opened and retired, and otherwise ticked by every write, which is no change of these.
create trigger counted after insert or delete on test.streams
  for each row execute function auth.count_change();
create trigger counted after insert or delete on live.streams
  for each row execute function auth.count_change();
create trigger counted_retired after update of integration, organization, retired_at
  on test.streams for each row execute function auth.count_change();
create trigger counted_retired after update of integration, organization, retired_at
  on live.streams for each row execute function auth.count_change();

-- Truthful as well as fast: the form of a moment asks for the session's settings, so PostgreSQL
-- takes it for stable, and a function that claims more than its body is never put in place of its
-- call. It was called for every moment of every row.
alter function public.iso(timestamptz) stable;
