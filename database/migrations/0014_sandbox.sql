-- How the sandbox is played, reset and removed after thirty days. All of it works on the test mode;
-- nothing empties live, where only the records of finished writes expire.

-- A row of the sandbox is hidden by its policy after thirty days, and removed a little later by
-- purge_sandbox, in this order: a row goes before those that it refers to.
create table public.sandbox_tables (
  position int primary key,
  name text not null unique,
  counted text, -- which of its rows a reset reports, or null for none
  erase text,   -- removes the texts from a row that has to wait for younger children
  erased text,  -- whether that is done
  check ((erase is null) = (erased is null))
);
insert into public.sandbox_tables (position, name, counted, erase, erased) values
  (100, 'orders', 'true', null, null),
  (110, 'prescriptions', 'true', null, null),
  (120, 'messages', 'true', null, null),
  (130, 'visits', 'true', null, null),
  (140, 'invoice_lines', null, null, null),
  (150, 'invoices', null, null, null), -- in test no invoice is made, so there is none to count
  (160, 'charges', 'true', null, null),
  (300, 'files', 'expires_at is null or expires_at > now()', null, null),
  (310, 'exports', 'true', null, null),
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

-- The condition that no row of another table refers to row `t` of this one.
create function test.childless(parent regclass) returns text language sql stable
  set search_path = test, pg_temp as $$
  select coalesce(string_agg(format(
      'not exists (select from %s c where c.tenant = t.tenant and c.%I = t.id)',
      k.conrelid::regclass, a.attname), ' and '), 'true')
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
   where k.contype = 'f' and k.confrelid = parent and k.conrelid <> parent
$$;

-- Removes at most `batch` rows of each table, first those of tenants that a reset retired, then
-- those that are thirty days old. An old row with younger children loses its texts now, and is
-- removed with the last of them. Returns how many rows it changed; 0 means that nothing is left to
-- do. Any number of workers may call it at once.
create function test.purge_sandbox(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp set enable_seqscan = off as $$
declare
  gone constant bigint[] := array(select id from tenants
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
    execute format(due, kind.name, 't.tenant = any ($2)', kind.free) using batch, gone;
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
    update tenants set emptied_at = clock_timestamp() where id = any (gone);
    delete from autopilot a where a.tenant = any (gone);
  end if;
  return of_gone + of_old;
end $$;
revoke execute on function test.purge_sandbox from public;
grant execute on function test.purge_sandbox to app_worker_test;

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
grant execute on function live.purge_records to app_worker_live;

-- Empties the sandbox: replaces every tenant of the integration that the current tenant belongs to
-- by an empty one. All rows are gone at once with the commit, and concurrent writers find their
-- tenant retired. The integration's own tenant, with its webhook endpoints, stays. Returns the
-- successor of the current tenant and how many resources are gone, or no row when another reset
-- came first.
create function test.reset_sandbox(opened bigint, out tenant bigint, out deleted bigint)
  returns setof record language plpgsql volatile security definer
  set search_path = test, pg_temp as $$
declare
  retired bigint[];
  kind record;
  found bigint;
begin
  if opened is distinct from public.current_tenant() then
    raise exception 'reset_sandbox must be called with the current tenant'
      using errcode = 'insufficient_privilege';
  end if;
  retired := array(
    select s.id from tenants s
     where s.retired_at is null and s.organization is not null
       and s.integration = (select o.integration from tenants o where o.id = opened)
     order by s.id for update);
  if not coalesce(opened = any (retired), false) then return; end if;
  deleted := 0;
  for kind in select name, counted from public.sandbox_tables where counted is not null loop
    execute format('select count(*) from %I t where t.tenant = any ($1) and (%s)
                       and t.created_at > now() - interval ''30 days''', kind.name, kind.counted)
      into found using retired;
    deleted := deleted + found;
  end loop;
  update tenants s set retired_at = clock_timestamp() where s.id = any (retired);
  insert into tenants (integration, organization, last, previous)
    select s.integration, s.organization, s.last, s.id from tenants s where s.id = any (retired);
  select s.id into tenant from tenants s where s.previous = opened;
  return next;
end $$;
revoke execute on function test.reset_sandbox from public;
grant execute on function test.reset_sandbox to app_test;

-- Whether a tenant succeeds the current one. Volatile, so that it sees a successor that the calling
-- statement itself has made.
create function test.is_successor(successor bigint) returns boolean language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
begin
  return exists (select from tenants where id = successor and previous = public.current_tenant());
end $$;
revoke execute on function test.is_successor from public;
grant execute on function test.is_successor to app_test;

-- The idempotency record of a reset belongs to the successor, where a retry looks for it.
create policy successor on test.idempotency_keys for insert to app_test
  with check (test.is_successor(tenant));

-- Which worker runs a job in a minute: the one that wrote the minute first.
create table public.job_runs (
  job text primary key,
  minute timestamptz not null
);
grant select, insert, update on public.job_runs to app_worker_test;

-- The autopilot plays clinician and pharmacy. This returns what was due at a time, a page at a
-- time: the case, the step, and for a parcel the orders in it. Whatever is created or changed after
-- that time is not in it, however often it is called.
create function test.autopilot_due(moment timestamptz, after_tenant bigint, after_case text,
                                   after_step text, batch int)
  returns table (tenant bigint, "case" text, step text, orders text[], integration text,
                 organization json)
  language sql stable security definer set search_path = test, pg_temp as $$
  with due as (
    select c.tenant, c.id as "case", 'approve' as step, null::text as "order"
      from autopilot a
      join cases c on c.tenant = a.tenant and c.status in ('queued', 'in_review')
       and c.status_at <= moment - a.approve_after_s * interval '1 s'
       and c.created_at > now() - interval '30 days'
    union all
    select o.tenant, o."case", case o.status when 'shipped' then 'deliver' else 'ship' end, o.id
      from autopilot a
      join orders o on o.tenant = a.tenant and o.status in ('created', 'at_pharmacy', 'shipped')
       and o.status_at <= moment - a.ship_after_s * interval '1 s'
       and o.created_at > now() - interval '30 days'
  )
  select d.tenant, d."case", d.step, array_remove(array_agg(d."order"), null), s.integration,
         (select row_to_json(o) from auth.organizations o where o.id = s.organization)
    from due d join tenants s on s.id = d.tenant and s.retired_at is null
   where (d.tenant, d."case", d.step) > (after_tenant, after_case, after_step)
   group by d.tenant, d."case", d.step, s.integration, s.organization
   order by d.tenant, d."case", d.step
   limit batch
$$;
revoke execute on function test.autopilot_due from public;
grant execute on function test.autopilot_due to app_worker_test;

-- The worker performs each step as the tenant that it belongs to, as the API would.
do $$
declare
  name text;
begin
  foreach name in array array['cases', 'orders', 'prescriptions', 'patients'] loop
    execute format('create policy autopilot on test.%I for update to app_worker_test
                      using (tenant = public.current_tenant())', name);
    execute format('grant update on test.%I to app_worker_test', name);
  end loop;
  foreach name in array array['orders', 'prescriptions', 'events', 'outbox'] loop
    execute format('create policy autopilot_insert on test.%I for insert to app_worker_test
                      with check (tenant = public.current_tenant())', name);
  end loop;
end $$;
grant insert on test.orders, test.prescriptions to app_worker_test;
