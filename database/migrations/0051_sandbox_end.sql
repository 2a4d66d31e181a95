-- How sandbox rows end. Only the test plane has these: no timer removes anything in live, and nothing
-- empties it.

-- What a sandbox row is, in the order in which rows can go: children first.
create table public.sandbox_tables (
  position int primary key,
  name text not null unique,
  counted text, -- which of its rows a reset reports, or null for none
  erase text,   -- takes the words out of a row that must wait for younger children
  erased text,  -- whether that is done
  check ((erase is null) = (erased is null))
);
insert into public.sandbox_tables (position, name, counted, erase, erased) values
  (100, 'orders', 'true', null, null),
  (110, 'prescriptions', 'true', null, null),
  (120, 'messages', 'true', null, null),
  (800, 'cases', 'true',
   $$status = 'withdrawn', question_message = null, question_target = null, question_body = null,
     question_asked_at = null, answers = '[]', plan = null, reason = null,
     requested_medications = '[]'$$,
   $$requested_medications::text = '[]'$$),
  (810, 'consents', 'true', null, null),
  (900, 'patients', 'deleted_at is null',
   $$deleted_at = clock_timestamp(), external_id = null, first_name = null, middle_name = null,
     last_name = null, date_of_birth = null, sex_at_birth = null, email = null, phone = null,
     address = null$$,
   $$deleted_at is not null$$),
  (910, 'events', null, null, null),
  (920, 'outbox', null, null, null),
  (930, 'idempotency_keys', null, null, null);

-- A row is hidden from the moment it is due, and removed a little later by the worker. The owner,
-- as whom the functions below run, is not bound by the tenants' walls. Rows lie in the order of
-- their time, so that the smallest of indexes finds the old ones.
do $$
declare
  tenant text;
begin
  for tenant in select name from public.sandbox_tables
                 where name not in ('outbox', 'idempotency_keys') order by position loop
    execute format('alter policy tenant on test.%I using (
      stream = public.opened_stream() and created_at > now() - interval ''30 days'')', tenant);
    -- The worker looks into a stream as its caller does.
    if exists (select from pg_policies where schemaname = 'test' and tablename = tenant
                  and policyname = 'worker' and qual = '(stream = opened_stream())') then
      execute format('alter policy worker on test.%I using (
        stream = public.opened_stream() and created_at > now() - interval ''30 days'')', tenant);
    end if;
    execute format('create index on test.%I using brin (created_at)', tenant);
  end loop;
  for tenant in select name from public.sandbox_tables union select 'autopilot' loop
    execute format('create policy house on test.%I to %I using (true)', tenant, current_user);
  end loop;
  execute format('create policy house on live.idempotency_keys to %I using (true)', current_user);
end $$;

-- Whether a stream follows the opened one. Volatile, so that it sees the successor that the very
-- statement made which asks.
create function test.follows(successor bigint) returns boolean language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
begin
  return exists (select from streams where id = successor and previous = public.opened_stream());
end $$;
revoke execute on function test.follows from public;
grant execute on function test.follows to svc_test;

-- The record of a reset belongs to what the reset left, where its retry will look for it.
create policy successor on test.idempotency_keys for insert to svc_test
  with check (test.follows(stream));

-- Empties every stream of the integration that the opened stream belongs to, by putting an empty
-- one in its place. All of it vanishes with the commit, and writers that were under way find their
-- stream retired. Answers the opened stream's successor and how many resources are gone, or no row
-- when somebody else retired the stream first.
create function test.reset_sandbox(opened bigint, out stream bigint, out deleted bigint)
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
     where s.retired_at is null
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
revoke execute on function test.reset_sandbox from public;
grant execute on function test.reset_sandbox to svc_test;

-- The condition that no row of another table points at row `t` of this one.
create function test.childless(parent regclass) returns text language sql stable
  set search_path = test, pg_temp as $$
  select coalesce(string_agg(format(
      'not exists (select from %s c where c.stream = t.stream and c.%I = t.id)',
      k.conrelid::regclass, a.attname), ' and '), 'true')
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
   where k.contype = 'f' and k.confrelid = parent and k.conrelid <> parent
$$;

-- Removes at most `batch` rows of each kind, first what resets left behind, then what is thirty days
-- old. An old row whose children are younger is emptied of its words now, and goes with the last of
-- them. Answers how many rows it touched; nothing was left to do when that is none. Any number of
-- workers may call it at once.
create function test.purge_sandbox(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp set enable_seqscan = off as $$
declare
  gone constant bigint[] := array(select id from streams
                                   where retired_at is not null and emptied_at is null
                                   order by id limit 100);
  due constant text := 'delete from %1$I where ctid = any (array(
    select t.ctid from %1$I t where %2$s and %3$s limit $1 for update skip locked))';
  kind record;
  of_gone bigint := 0;
  of_old bigint := 0;
  n bigint;
begin
  for kind in select name, erase, erased, childless(name::regclass) as free,
                     case name when 'idempotency_keys' then 't.expires_at <= now()'
                               when 'outbox' then 'false'
                               else 't.created_at <= now() - interval ''30 days''' end as old
                from public.sandbox_tables order by position loop
    execute format(due, kind.name, 't.stream = any ($2)', kind.free) using batch, gone;
    get diagnostics n = row_count;
    of_gone := of_gone + n;
    execute format(due, kind.name, kind.old, kind.free) using batch;
    get diagnostics n = row_count;
    of_old := of_old + n;
    if kind.erase is not null then
      execute format('update %1$I set %2$s where ctid = any (array(
          select t.ctid from %1$I t where %3$s and not (%4$s) limit $1 for update skip locked))',
        kind.name, kind.erase, kind.old, kind.erased) using batch;
      get diagnostics n = row_count;
      of_old := of_old + n;
    end if;
  end loop;
  if of_gone = 0 then
    update streams set emptied_at = clock_timestamp() where id = any (gone);
    delete from autopilot a where a.stream = any (gone);
  end if;
  return of_gone + of_old;
end $$;
revoke execute on function test.purge_sandbox from public;
grant execute on function test.purge_sandbox to svc_worker_test;

-- In live only the records of finished writes end, when what was promised for them is over.
create function live.purge_records(batch int) returns bigint language plpgsql volatile
  security definer set search_path = live, pg_temp as $$
declare
  n bigint;
begin
  delete from idempotency_keys where ctid = any (array(
    select ctid from idempotency_keys where expires_at <= now() limit batch
       for update skip locked));
  get diagnostics n = row_count;
  return n;
end $$;
revoke execute on function live.purge_records from public;
grant execute on function live.purge_records to svc_worker_live;
