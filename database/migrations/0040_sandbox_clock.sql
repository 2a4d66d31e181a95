-- Everything of a sandbox that follows its clock, and how the clock is advanced.

-- As before, ahead of real time by what the sandbox is ahead.
create or replace function test.next_timestamp(tenant bigint, n int)
  returns timestamptz language plpgsql volatile as $$
declare
  first timestamptz;
begin
  update tenants
     set last = greatest(date_trunc('milliseconds',
                                    clock_timestamp() + ahead_ms * interval '1 ms'),
                         last + interval '1 ms') + (n - 1) * interval '1 ms'
   where id = tenant and retired_at is null
  returning last - (n - 1) * interval '1 ms' into first;
  return first;
end $$;

-- The time of any tenant.
create function test.tenant_now(of_tenant bigint) returns timestamptz language sql stable
  return (select now() + ahead_ms * interval '1 ms' from test.tenants where id = of_tenant);

-- A tenant is made with the clock of its sandbox. The lock makes it wait for an advance, or the
-- advance for it.
create function test.join_sandbox_clock() returns trigger language plpgsql
  security definer set search_path = test, pg_temp as $$
begin
  select max(s.ahead_ms) into new.ahead_ms from (
    select ahead_ms from tenants
     where integration = new.integration and retired_at is null
     order by organization is null, id for share) s;
  new.ahead_ms := coalesce(new.ahead_ms, 0);
  return new;
end $$;
revoke execute on function test.join_sandbox_clock from public;
create trigger join_sandbox_clock before insert on test.tenants
  for each row execute function test.join_sandbox_clock();

-- Rows are hidden thirty days after they were written, by the clock that stamped them; the rows
-- of the request log are stamped in real time.
do $$
declare
  one record;
  changed int := 0;
begin
  for one in select tablename, policyname, qual from pg_policies
              where schemaname = 'test' and policyname in ('tenant', 'worker')
                and qual like '%now() - %30 days%' and tablename <> 'requests' loop
    execute format('alter policy %I on test.%I using (%s)', one.policyname, one.tablename,
                   replace(one.qual, 'now()', '(select test.tenant_now())'));
    changed := changed + 1;
  end loop;
  if changed < 20 then raise exception 'only % policies hide old rows', changed; end if;
end $$;
alter policy expired on test.deliveries
  using ((created_at <= test.tenant_now(tenant) - interval '30 days' and status <> 'pending')
         or exists (select from test.tenants t where t.id = event_tenant and t.retired_at is not null));

-- The worker advances the clocks, and moves what it does in real time nearer by as much.
grant update (ahead_ms) on test.tenants to app_worker_test;
grant update (previous_secret_expires_at) on test.webhook_endpoints to app_worker_test;
-- For the reset, which asks whether an endpoint was stamped by a clock ahead of real time.
create policy owner on test.webhook_endpoints for select to current_user using (true);

-- The sandboxes whose clock is being advanced, and until when.
create table test.sandbox_advances (
  integration text primary key references auth.integrations,
  target timestamptz(3) not null
);
alter table test.sandbox_advances enable row level security;
alter table test.sandbox_advances force row level security;
create policy tenant on test.sandbox_advances to app_test using (integration = (
  select t.integration from test.tenants t where t.id = public.current_tenant()));
create policy worker on test.sandbox_advances to app_worker_test using (true);
create policy owner on test.sandbox_advances to current_user using (true);
grant select, insert, update, delete on test.sandbox_advances to app_test;
-- Locking a row needs the right to update it.
grant select, update, delete on test.sandbox_advances to app_worker_test;

-- As before, and what is due by the clock of each sandbox instead of by real time, in the order in
-- which it became due; of one sandbox, if it is named.
drop function test.autopilot_due;
create function test.autopilot_due(moment timestamptz, of_integration text, after_due timestamptz,
                                   after_tenant bigint, after_case text, after_step text, batch int)
  returns table (due timestamptz, tenant bigint, "case" text, step text, orders text[],
                 integration text, organization json)
  language sql stable security definer set search_path = test, pg_temp as $$
  with sandboxes as not materialized (
    select s.id, s.integration, s.organization, a.approve_after_s * interval '1 s' as approve_after,
           a.ship_after_s * interval '1 s' as ship_after,
           moment + s.ahead_ms * interval '1 ms' as now,
           now() + s.ahead_ms * interval '1 ms' - interval '30 days' as oldest
      from autopilot a join tenants s on s.id = a.tenant and s.retired_at is null
     where of_integration is null or s.integration = of_integration
  ), due as (
    select s.id as tenant, c.id as "case", 'approve' as step, null::text as "order",
           c.status_at + s.approve_after as due
      from sandboxes s
      join cases c on c.tenant = s.id and c.status in ('queued', 'in_review')
       and c.status_at <= s.now - s.approve_after and c.created_at > s.oldest
    union all
    select s.id, o."case", case o.status when 'shipped' then 'deliver' else 'ship' end, o.id,
           o.status_at + s.ship_after
      from sandboxes s
      join orders o on o.tenant = s.id and o.status in ('created', 'at_pharmacy', 'shipped')
       and o.status_at <= s.now - s.ship_after and o.created_at > s.oldest
  ), steps as (
    select min(d.due) as due, d.tenant, d."case", d.step,
           array_remove(array_agg(d."order"), null) as orders
      from due d group by d.tenant, d."case", d.step
  )
  select d.due, d.tenant, d."case", d.step, d.orders, s.integration,
         (select row_to_json(o) from auth.organizations o where o.id = s.organization)
    from steps d join sandboxes s on s.id = d.tenant
   where (d.due, d.tenant, d."case", d.step) > (after_due, after_tenant, after_case, after_step)
   order by d.due, d.tenant, d."case", d.step
   limit batch
$$;
revoke execute on function test.autopilot_due from public;
grant execute on function test.autopilot_due to app_worker_test;

-- When the autopilot's next step of these tenants is due, at a time or later.
create function test.next_autopilot_step(of_tenants bigint[], from_time timestamptz)
  returns timestamptz language sql stable security definer set search_path = test, pg_temp as $$
  select least(
    (select min(c.status_at + a.approve_after_s * interval '1 s')
       from autopilot a join cases c on c.tenant = a.tenant and c.status in ('queued', 'in_review')
        and c.status_at >= from_time - a.approve_after_s * interval '1 s'
      where a.tenant = any (of_tenants)),
    (select min(o.status_at + a.ship_after_s * interval '1 s')
       from autopilot a join orders o on o.tenant = a.tenant
        and o.status in ('created', 'at_pharmacy', 'shipped')
        and o.status_at >= from_time - a.ship_after_s * interval '1 s'
      where a.tenant = any (of_tenants)))
$$;
revoke execute on function test.next_autopilot_step from public;
grant execute on function test.next_autopilot_step to app_worker_test;

-- Whether work of a sandbox has been due or in progress for so long: an event without its
-- deliveries, a delivery, or an export. A claim ends with its lease. Volatile, so that it sees what
-- is committed when it is called.
create function test.sandbox_is_busy(of_tenants bigint[], own bigint, so_long interval,
                                     lease interval) returns boolean
  language plpgsql volatile as $$
declare
  before constant timestamptz := clock_timestamp() - so_long;
begin
  return exists (select from due_deliveries
                  where tenant = own and due_at <= before + case when claim is null then '0'
                                                                 else lease end)
      or exists (select from outbox where tenant = any (of_tenants) and created_at <= before)
      or exists (select from exports where tenant = any (of_tenants) and status = 'pending');
end $$;

-- Advances the clock of a sandbox to what is due next, or to the target. The caller has played the
-- autopilot until `played`, by the sandbox's clock, and calls again until the outcome is `arrived`:
--   moved    the clock is at what is due next
--   due      the autopilot has a step to play first
--   waits    work is in progress, or another statement holds its rows
--   ended    no advance is asked for any more
-- The locks, in the order of every statement that takes several of them, make the writers of the
-- sandbox wait: none is stamped with a time between the check and the move, and however many write,
-- what they wrote is done at some time. Work that takes long is not waited for with the locks.
create function test.advance_sandbox(of_integration text, played timestamptz, lease interval)
  returns text
  language plpgsql volatile set search_path = test, pg_temp set lock_timeout = '200ms' as $$
declare
  opened constant bigint[] := array(
    select id from tenants where integration = of_integration and organization is not null
       and retired_at is null);
  own constant bigint := (
    select id from tenants where integration = of_integration and organization is null
       and retired_at is null);
  patience constant interval := '100 ms';
  until timestamptz;
  ahead interval;
  moment timestamptz;
  goal timestamptz;
  next timestamptz;
  step_ms bigint;
begin
  if sandbox_is_busy(opened, own, patience, lease) then return 'waits'; end if;
  perform from tenants where id = any (opened) order by id for no key update;
  until := clock_timestamp() + patience;
  while sandbox_is_busy(opened, own, '0', lease) loop
    if clock_timestamp() > until then return 'waits'; end if;
    perform pg_sleep(0.002);
  end loop;
  perform from tenants where id = own for no key update;
  select target into goal from sandbox_advances where integration = of_integration for update;
  if goal is null then return 'ended'; end if;
  perform from endpoint_queues where tenant = own order by webhook_endpoint for no key update;
  if sandbox_is_busy(opened, own, '0', lease) then return 'waits'; end if;

  select ahead_ms * interval '1 ms' into ahead from tenants where id = own;
  moment := clock_timestamp() + ahead;
  next := next_autopilot_step(opened, played);
  if next <= moment then return 'due'; end if;
  if goal <= moment then
    delete from sandbox_advances where integration = of_integration;
    return 'arrived';
  end if;
  next := least(next, goal, (select min(due_at) + ahead from due_deliveries where tenant = own));
  step_ms := ceil(extract(epoch from next - moment) * 1000);
  update tenants set ahead_ms = ahead_ms + step_ms where id = own or id = any (opened);
  update due_deliveries set due_at = due_at - step_ms * interval '1 ms' where tenant = own;
  update endpoint_queues set next_due = next_due - step_ms * interval '1 ms'
   where tenant = own and next_due < 'infinity';
  update webhook_endpoints
     set previous_secret_expires_at = previous_secret_expires_at - step_ms * interval '1 ms'
   where tenant = own and previous_secret_expires_at is not null;
  return 'moved';
exception when lock_not_available or deadlock_detected then
  return 'waits';
end $$;
revoke execute on function test.advance_sandbox from public;
grant execute on function test.advance_sandbox to app_worker_test;

-- As before. When the sandbox is ahead and nothing of it stays that was stamped after the real
-- time, which are its webhook endpoints, the clock returns to real time.
create or replace function test.reset_sandbox(opened bigint, out tenant bigint, out deleted bigint)
  returns setof record language plpgsql volatile security definer
  set search_path = test, pg_temp as $$
declare
  retired bigint[];
  own bigint;
  returns boolean := false;
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
                       and t.created_at > tenant_now() - interval ''30 days''', kind.name, kind.counted)
      into found using retired;
    deleted := deleted + found;
  end loop;
  delete from sandbox_advances a using tenants s where s.id = opened and a.integration = s.integration;
  update tenants s set retired_at = clock_timestamp() where s.id = any (retired);
  own := integration_tenant();
  if exists (select from tenants s where s.id = own and s.ahead_ms > 0) then
    perform from tenants s where s.id = own for update;
    returns := not exists (
      select from webhook_endpoints w
       where w.tenant = own and greatest(w.created_at, w.updated_at) > clock_timestamp());
  end if;
  if returns then
    update tenants s
       set ahead_ms = 0, last = least(s.last, date_trunc('milliseconds', clock_timestamp()))
     where s.id = own;
  end if;
  insert into tenants (integration, organization, last, previous)
    select s.integration, s.organization,
           case when returns then least(s.last, date_trunc('milliseconds', clock_timestamp()))
                else s.last end, s.id
      from tenants s where s.id = any (retired) order by s.id;
  select s.id into tenant from tenants s where s.previous = opened;
  return next;
end $$;

-- What is removed after a time is removed by the clock of its sandbox. Where that is ahead, its
-- rows are looked up by tenant; all others by real time, as before.
update public.sandbox_tables
   set counted = 'expires_at is null or expires_at > tenant_now()' where name = 'files';

create or replace function test.purge_sandbox(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp set enable_seqscan = off as $$
declare
  gone constant bigint[] := array(select id from tenants
                                   where retired_at is not null and emptied_at is null
                                   order by id limit 100);
  advanced constant bigint[] := array(select id from tenants
                                       where ahead_ms > 0 and retired_at is null);
  due constant text := 'delete from %1$I where ctid = any (array(
    select t.ctid from %1$I t where %2$s and %3$s limit $1 for update skip locked))';
  hidden constant text[] := array[
    't.created_at <= now() - interval ''30 days''',
    't.tenant = any ($2) and t.created_at <= tenant_now(t.tenant) - interval ''30 days'''];
  kind record;
  old text;
  of_gone bigint := 0;
  of_old bigint := 0;
  n bigint;
begin
  for kind in select name, erase, erased, childless(name::regclass) as free,
                     -- A record is for a retry, which comes in real time.
                     case name when 'idempotency_keys' then array['t.expires_at <= now()']
                               when 'outbox' then '{}'
                               else hidden[1:1 + (advanced <> '{}')::int] end as olds
                from public.sandbox_tables order by position loop
    execute format(due, kind.name, 't.tenant = any ($2)', kind.free) using batch, gone;
    get diagnostics n = row_count;
    of_gone := of_gone + n;
    foreach old in array kind.olds loop
      execute format(due, kind.name, old, kind.free) using batch, advanced;
      get diagnostics n = row_count;
      of_old := of_old + n;
      if kind.erase is not null then
        execute format('update %1$I set %2$s where ctid = any (array(
            select t.ctid from %1$I t where %3$s and not (%4$s) limit $1 for update skip locked))',
          kind.name, kind.erase, old, kind.erased) using batch, advanced;
        get diagnostics n = row_count;
        of_old := of_old + n;
      end if;
    end loop;
  end loop;
  if of_gone = 0 then
    update tenants set emptied_at = clock_timestamp() where id = any (gone);
    delete from autopilot a where a.tenant = any (gone);
  end if;
  return of_gone + of_old;
end $$;

-- As before, and the reservations and bundles that ended by a clock ahead of real time.
alter function test.sweep_files rename to sweep_files_by_real_time;
create function test.sweep_files(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
declare
  expired bigint;
begin
  delete from files where ctid = any (array(
    select f.ctid from tenants s join files f on f.tenant = s.id
     where s.ahead_ms > 0 and f.expires_at <= now() + s.ahead_ms * interval '1 ms'
     limit batch for update of f skip locked));
  get diagnostics expired = row_count;
  return expired + sweep_files_by_real_time(batch);
end $$;
alter function test.sweep_exports rename to sweep_exports_by_real_time;
create function test.sweep_exports(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
declare
  past bigint;
  ended bigint;
begin
  delete from exports where ctid = any (array(
    select e.ctid from tenants s join exports e on e.tenant = s.id
     where s.ahead_ms > 0
       and e.created_at <= now() + s.ahead_ms * interval '1 ms' - interval '30 days'
     limit batch for update of e skip locked));
  get diagnostics past = row_count;
  update exports set object = null where ctid = any (array(
    select e.ctid from tenants s join exports e on e.tenant = s.id
     where s.ahead_ms > 0 and e.object is not null
       and e.expires_at <= now() + s.ahead_ms * interval '1 ms' - interval '1 hour'
     limit batch for update of e skip locked));
  get diagnostics ended = row_count;
  return past + ended + sweep_exports_by_real_time(batch);
end $$;
revoke execute on function test.sweep_files, test.sweep_exports from public;
grant execute on function test.sweep_files, test.sweep_exports to app_worker_test;
