-- The sandbox without an outbox.

delete from public.sandbox_tables where name = 'outbox';

-- As before: an event without its deliveries is one that is to be read.
create or replace function test.sandbox_is_busy(of_tenants bigint[], own bigint, so_long interval,
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
      or exists (select from exports where tenant = any (of_tenants) and status = 'pending');
end $$;

-- As before, and the cursor of a tenant goes with its last row.
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
    delete from event_cursors c where c.of_tenant = any (gone);
  end if;
  return of_gone + of_old;
end $$;
