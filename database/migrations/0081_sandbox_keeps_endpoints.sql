-- Webhook endpoints outlive a reset: the integration's own stream, which numbers them and what was
-- sent to them, is left as it is.
--
-- Empties every stream of the integration that the opened stream belongs to, by putting an empty
-- one in its place. All of it vanishes with the commit, and writers that were under way find their
-- stream retired. Answers the opened stream's successor and how many resources are gone, or no row
-- when somebody else retired the stream first.
create or replace function test.reset_sandbox(opened bigint, out stream bigint, out deleted bigint)
  returns setof record language plpgsql volatile security definer
  set search_path = test, pg_temp as $$
declare
  retired bigint[];
  kind record;
  found bigint;
begin
  if opened is distinct from public.opened_stream() then
    raise exception 'a sandbox is emptied by its own caller' using errcode = 'insufficient_privilege';
  end if;
  retired := array(
    select s.id from streams s
     where s.retired_at is null and s.organization is not null
       and s.integration = (select o.integration from streams o where o.id = opened)
     order by s.id for update);
  if not coalesce(opened = any (retired), false) then return; end if;
  deleted := 0;
  for kind in select name, counted from public.sandbox_tables where counted is not null loop
    execute format('select count(*) from %I t where t.stream = any ($1) and (%s)
                       and t.created_at > now() - interval ''30 days''', kind.name, kind.counted)
      into found using retired;
    deleted := deleted + found;
  end loop;
  update streams s set retired_at = clock_timestamp() where s.id = any (retired);
  insert into streams (integration, organization, last, previous)
    select s.integration, s.organization, s.last, s.id from streams s where s.id = any (retired);
  select s.id into stream from streams s where s.previous = opened;
  return next;
end $$;
