-- How the sandbox is simulated, how its clock advances, and how it's reset and emptied after thirty
-- days. All of this applies to test mode. In live mode, only idempotency records expire.

-- The sandbox's tables. A row is hidden by its policy after thirty days, and removed soon after by
-- purge_sandbox, in this order, so a row is removed before the rows it refers to.
create table public.sandbox_tables (
  position int primary key,
  name text not null unique,
  counted text, -- which rows a reset reports; null: none
  erase text,   -- erases the text of a row that has younger children
  erased text,  -- whether the text is erased
  check ((erase is null) = (erased is null))
);
insert into public.sandbox_tables (position, name, counted, erase, erased) values
  (100, 'orders', 'true', null, null),
  (110, 'prescriptions', 'true', null, null),
  (120, 'messages', 'true', null, null),
  (130, 'visits', 'true', null, null),
  (160, 'charges', 'true', null, null),
  (300, 'files', 'expires_at is null or expires_at > tenant_now()', null, null),
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
  (930, 'idempotency_keys', null, null, null);

-- The condition that no row in another table refers to row `t`.
create function test.childless(parent regclass) returns text language sql stable
  set search_path = test, pg_temp as $$
  select coalesce(string_agg(format(
      'not exists (select from %s c where c.tenant = t.tenant and c.%I = t.id)',
      k.conrelid::regclass, a.attname), ' and '), 'true')
    from pg_constraint k
    join pg_attribute a on a.attrelid = k.conrelid and a.attnum = k.conkey[cardinality(k.conkey)]
   where k.contype = 'f' and k.confrelid = parent and k.conrelid <> parent
$$;

-- Removes at most `batch` rows from each table: first those of tenants that a reset retired, then
-- those over thirty days old. An old row with younger children loses its text now, and is removed
-- with the last child. Returns how many rows it changed; 0 means that nothing is left to do. Any
-- number of workers may call it at the same time. Age is measured by the sandbox's clock: rows are
-- looked up by tenant if that clock is ahead, otherwise by real time. A tenant's cursor is removed
-- with its last row.
create function test.purge_sandbox(batch int) returns bigint language plpgsql volatile
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
                     -- An idempotency record is for a retry, which arrives in real time.
                     case name when 'idempotency_keys' then array['t.expires_at <= now()']
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
    delete from consent_versions v where v.tenant = any (gone);
    delete from export_schedules e where e.tenant = any (gone);
    delete from event_cursors c where c.of_tenant = any (gone);
  end if;
  return of_gone + of_old;
end $$;
revoke execute on function test.purge_sandbox from public;
grant execute on function test.purge_sandbox to app_worker_test;

-- Removes expired reservations, including those that expired by a clock ahead of real time, and
-- files written for a patient during its deletion. Returns how many were removed.
create function test.sweep_files(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
declare
  gone bigint := 0;
  n bigint;
begin
  delete from files where ctid = any (array(
    select f.ctid from files f where f.expires_at <= now() limit batch for update skip locked));
  get diagnostics gone = row_count;
  delete from files where ctid = any (array(
    select f.ctid from tenants s join files f on f.tenant = s.id
     where s.ahead_ms > 0 and f.expires_at <= now() + s.ahead_ms * interval '1 ms'
     limit batch for update of f skip locked));
  get diagnostics n = row_count;
  gone := gone + n;
  delete from files where ctid = any (array(
    select f.ctid from patients p join files f on f.tenant = p.tenant and f.patient = p.id
     where p.deleted_at > now() - interval '7 days'
     limit batch for update of f skip locked));
  get diagnostics n = row_count;
  return gone + n;
end $$;

-- Removes exports written for a patient during its deletion, rows after thirty days, and bundles an
-- hour after they expire. Returns how many rows it changed.
create function test.sweep_exports(batch int) returns bigint language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
declare
  changed bigint := 0;
  n bigint;
begin
  delete from exports where ctid = any (array(
    select e.ctid from exports e
     where exists (select from patients p
                    where p.tenant = e.tenant and p.id = e.patient and p.deleted_at is not null)
     limit batch for update of e skip locked));
  get diagnostics changed = row_count;
  delete from exports where ctid = any (array(
    select ctid from exports where created_at <= now() - interval '30 days'
     limit batch for update skip locked));
  get diagnostics n = row_count;
  changed := changed + n;
  delete from exports where ctid = any (array(
    select e.ctid from tenants s join exports e on e.tenant = s.id
     where s.ahead_ms > 0
       and e.created_at <= now() + s.ahead_ms * interval '1 ms' - interval '30 days'
     limit batch for update of e skip locked));
  get diagnostics n = row_count;
  changed := changed + n;
  update exports set object = null where ctid = any (array(
    select ctid from exports where object is not null and expires_at <= now() - interval '1 hour'
     limit batch for update skip locked));
  get diagnostics n = row_count;
  changed := changed + n;
  update exports set object = null where ctid = any (array(
    select e.ctid from tenants s join exports e on e.tenant = s.id
     where s.ahead_ms > 0 and e.object is not null
       and e.expires_at <= now() + s.ahead_ms * interval '1 ms' - interval '1 hour'
     limit batch for update of e skip locked));
  get diagnostics n = row_count;
  return changed + n;
end $$;
revoke execute on function test.sweep_files, test.sweep_exports from public;
grant execute on function test.sweep_files, test.sweep_exports to app_worker_test;

-- Empties the sandbox: replaces every tenant of the current tenant's integration with an empty one.
-- All rows disappear with the commit, and concurrent writers find their tenant retired. The
-- integration's own tenant, with its webhook endpoints, stays. Returns the current tenant's
-- successor and how many resources were removed, or no row if another reset came first. If the
-- sandbox's clock is ahead and no remaining webhook endpoint has a timestamp after real time, the
-- clock returns to real time. Replays with such timestamps are removed, because their events are
-- gone.
create function test.reset_sandbox(opened bigint, out tenant bigint, out deleted bigint)
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
    delete from replays r where r.tenant = own and r.created_at > clock_timestamp();
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
revoke execute on function test.reset_sandbox from public;
grant execute on function test.reset_sandbox to app_test;

-- Whether a tenant succeeds the current one. Volatile, so it sees a successor created by the
-- calling statement.
create function test.is_successor(successor bigint) returns boolean language plpgsql volatile
  security definer set search_path = test, pg_temp as $$
begin
  return exists (select from tenants where id = successor and previous = public.current_tenant());
end $$;
revoke execute on function test.is_successor from public;
grant execute on function test.is_successor to app_test;

-- A reset's idempotency record belongs to the successor, where a retry looks for it.
create policy successor on test.idempotency_keys for insert to app_test
  with check (test.is_successor(tenant));

-- The autopilot --------------------------------------------------------------------------------------

-- The autopilot acts as clinician and pharmacy. Returns a page of steps that are due by each
-- sandbox's clock, in due order, optionally for one sandbox: the case, the step, and its orders if
-- it's a shipment. Repeated calls exclude anything created or changed after `moment`.
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

-- When the autopilot's next step for these tenants is due, at a given time or later.
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

-- The worker performs each step as the step's tenant, like an API call.
do $$
declare
  made text;
begin
  foreach made in array array['cases', 'orders', 'prescriptions', 'patients'] loop
    execute format('create policy autopilot on test.%I for update to app_worker_test
                      using (tenant = public.current_tenant())', made);
    execute format('grant update on test.%I to app_worker_test', made);
  end loop;
  foreach made in array array['orders', 'prescriptions', 'events'] loop
    execute format('create policy autopilot_insert on test.%I for insert to app_worker_test
                      with check (tenant = public.current_tenant())', made);
  end loop;
end $$;
grant insert on test.orders, test.prescriptions to app_worker_test;

-- The clock ------------------------------------------------------------------------------------------

-- A tenant is created with its sandbox's clock. The lock makes the insert and an advance wait for
-- each other.
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

-- The worker advances the clocks, and moves its own real-time due times earlier by the same amount.
grant update (ahead_ms) on test.tenants to app_worker_test;

-- The sandboxes whose clock is being advanced, and their target times.
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
-- Locking a row requires the update privilege.
grant select, update, delete on test.sandbox_advances to app_worker_test;

-- Whether a sandbox's work has been due or in progress for that long: an undispatched event, a
-- delivery, a replay, an export, or a nightly export that's due. A claim ends with its lease.
-- Volatile, to see rows committed since the calling statement began.
create function test.sandbox_is_busy(of_tenants bigint[], own bigint, so_long interval,
                                                lease interval) returns boolean
  language plpgsql volatile as $$
declare
  before constant timestamptz := clock_timestamp() - so_long;
begin
  return exists (select from due_deliveries
                  where tenant = own and due_at <= before + case when claim is null then '0'
                                                                 else lease end)
      or exists (select from unread_since(of_tenants) where since <= before)
      or exists (select from replays where tenant = own and status = 'running')
      or exists (select from exports where tenant = any (of_tenants) and status = 'pending')
      or exists (select from export_schedules x where x.tenant = any (of_tenants)
                    and x.due_at <= before + (select t.ahead_ms * interval '1 ms'
                                                from tenants t where t.id = x.tenant));
end $$;

-- Advances a sandbox's clock to the next due time, or to the target. The caller has run the
-- autopilot until `played`, by the sandbox's clock, and calls again until the outcome is `arrived`:
--   moved    the clock is at the next due time
--   due      the autopilot has a step to run first
--   waits    work is in progress, or another statement holds its rows
--   ended    no advance is requested anymore
-- The locks make the sandbox's writers wait, so none gets a timestamp between the check and the
-- move. Every statement that takes several of these locks takes them in this order. They aren't
-- held during long work, so writers' work finishes even under constant writes.
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
  next := least(next, goal, (select min(due_at) + ahead from due_deliveries where tenant = own),
                (select min(due_at) from export_schedules where tenant = any (opened)));
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

-- How far an integration's sandbox is ahead of real time. All of its members' pages show this.
create function auth.sandbox_ahead_ms(of_integration text) returns bigint
  language sql stable security definer set search_path = auth, pg_temp as $$
  select coalesce(max(ahead_ms), 0) from test.tenants
   where integration = of_integration and retired_at is null
$$;
revoke execute on function auth.sandbox_ahead_ms from public;
grant execute on function auth.sandbox_ahead_ms to app_auth;
