-- A replay belongs to the sandbox whose events it sends: the clock waits for one that runs, as for
-- other work in progress, and returns to real time without those that it has stamped.

-- The owner resets.
create policy owner on test.replays to current_user using (true);

-- As before, and whether a replay runs.
create or replace function test.sandbox_is_busy(of_tenants bigint[], own bigint, so_long interval,
                                                lease interval) returns boolean
  language plpgsql volatile as $$
declare
  before constant timestamptz := clock_timestamp() - so_long;
begin
  return exists (select from due_deliveries
                  where tenant = own and due_at <= before + case when claim is null then '0'
                                                                 else lease end)
      or exists (select from outbox where tenant = any (of_tenants) and created_at <= before)
      or exists (select from replays where tenant = own and status = 'running')
      or exists (select from exports where tenant = any (of_tenants) and status = 'pending');
end $$;

-- As before. A clock that returns to real time takes along the replays that it has stamped, whose
-- events are gone.
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
