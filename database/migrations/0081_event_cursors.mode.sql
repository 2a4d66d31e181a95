-- The worker follows the events of each tenant by a cursor instead of an outbox: ids are in the
-- order of commits, so whatever is after the last event that was read is new, and nothing else is.
-- A write inserts its events and no row besides.

-- How far the worker has read the events of a tenant. It is moved by the statement that makes the
-- deliveries, which locks the row, so no two workers read the events of one tenant at once.
create table event_cursors (
  of_tenant bigint primary key,
  position text collate "C" not null default '', -- the last event that was read
  -- Whatever the tenant wrote until then was read, by the tenant's clock.
  read_until timestamptz(3) not null default '-infinity'
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
alter table event_cursors enable row level security;
alter table event_cursors force row level security;
create policy worker on event_cursors to app_worker_{mode} using (true);
create policy owner on event_cursors to current_user using (true);
-- Locking a row needs the right to update.
grant select, update, delete on event_cursors to app_worker_{mode};

create function open_event_cursor() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
begin
  insert into event_cursors (of_tenant) values (new.id);
  return null;
end $$;
revoke execute on function open_event_cursor from public;
create trigger open_event_cursor after insert on tenants
  for each row when (new.organization is not null) execute function open_event_cursor();

-- Real time, because the clock of a tenant may be ahead of it: an endpoint gets the events that
-- were written since it listens.
alter table events add column written_at timestamptz not null default now();
-- The only endpoint that a triggered event is for, whatever that subscribes to.
alter table events add column webhook_endpoint text collate "C";

-- Who waits for the events of an integration, on the row of its own tenant: a write reads it to know
-- whether it wakes the workers, which read the events of no other integration.
alter table tenants add column has_enabled_endpoint boolean not null default false;
-- Since when there has been a realtime token, and until when one is valid.
alter table tenants add column realtime_from timestamptz, add column realtime_until timestamptz;
create index followed_integrations on tenants (integration)
  where organization is null and retired_at is null
    and (has_enabled_endpoint or realtime_until is not null);
grant update (realtime_from, realtime_until) on tenants to app_{mode};

create function note_enabled_endpoint() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
declare
  own constant bigint := coalesce(new.tenant, old.tenant);
begin
  -- First the lock, so that the next statement sees the endpoints of the write that held it.
  perform from tenants where id = own for no key update;
  update tenants t set has_enabled_endpoint = not t.has_enabled_endpoint
   where t.id = own and t.has_enabled_endpoint <> exists (
     select from webhook_endpoints w where w.tenant = own and w.status = 'enabled');
  return null;
end $$;
revoke execute on function note_enabled_endpoint from public;
create trigger note_enabled_endpoint after insert or delete or update of status
  on webhook_endpoints for each row execute function note_enabled_endpoint();

-- Those of these tenants whose events are followed, each with where reading begins at the earliest:
-- what was written before is for no endpoint and no token of now.
create function followed_tenants(of_tenants bigint[])
  returns table (tenant bigint, own bigint, integration text, organization text, ahead interval,
                 last timestamptz, realtime boolean, start text)
  language sql stable
begin atomic
  select s.id, own.id, s.integration, s.organization, s.ahead_ms * interval '1 ms', s.last,
         coalesce(own.realtime_until > now(), false),
         ulid('evt', date_trunc('milliseconds', f.since) + s.ahead_ms * interval '1 ms', '')
    from tenants s
    join tenants own on own.integration = s.integration and own.organization is null
     and own.retired_at is null
   cross join lateral (
     select least((select min(w.listens_from) from webhook_endpoints w
                    where w.tenant = own.id and w.status = 'enabled'),
                  case when own.realtime_until > now() then own.realtime_from end) as since) f
   where s.id = any (of_tenants) and s.organization is not null and s.retired_at is null
     and f.since is not null;
end;

-- When the first event of each of these tenants was written that is to be read, and has not been.
create function unread_since(of_tenants bigint[]) returns table (tenant bigint, since timestamptz)
  language sql stable
begin atomic
  select f.tenant, e.written_at
    from followed_tenants(of_tenants) f
    join event_cursors c on c.of_tenant = f.tenant and c.read_until < f.last
   cross join lateral (
     select x.written_at from events x
      where x.tenant = f.tenant and x.id > greatest(c.position, f.start collate "C")
      order by x.id limit 1) e;
end;

-- The followed tenants that have written something since their events were read.
create function tenants_to_read() returns setof bigint language sql stable
begin atomic
  select s.id from tenants own
    join tenants s on s.integration = own.integration and s.organization is not null
     and s.retired_at is null
    join event_cursors c on c.of_tenant = s.id and c.read_until < s.last
   where own.organization is null and own.retired_at is null
     and (own.has_enabled_endpoint or own.realtime_until is not null)
     and (own.has_enabled_endpoint or own.realtime_until > now());
end;

-- For the function below, which counts what is late.
create policy owner on events for select to current_user using (true); -- only live

-- Whether deliveries are late, which refuses requests for more of them: events of the caller's
-- integration, or of any, that wait for the worker, or too many deliveries that are due. The number
-- of those is the planner's estimate.
drop function deliveries_behind;
create function deliveries_behind(late interval, many bigint, of_any boolean) returns boolean
  language sql stable security definer set search_path = {mode}, pg_temp as $$
  select exists (
      select from unread_since(case when of_any then array(select tenants_to_read()) else array(
          select s.id from tenants opened
            join tenants s on s.integration = opened.integration and s.retired_at is null
           where opened.id = public.current_tenant()) end) u
       where u.since < clock_timestamp() - late)
      or (select reltuples > many from pg_class where oid = 'due_deliveries'::regclass)
$$;
revoke execute on function deliveries_behind from public;
grant execute on function deliveries_behind to app_{mode};

-- What is there already. Reading goes on at the first event that was in the outbox; what was taken
-- from it out of that order is not delivered twice, because of the index of deliveries.
alter table events no force row level security;
alter table outbox no force row level security;
alter table webhook_endpoints no force row level security;
update events e set webhook_endpoint = o.webhook_endpoint, written_at = o.created_at from outbox o
 where e.tenant = o.tenant and e.id = o.event;
insert into event_cursors (of_tenant, position)
select s.id, coalesce(
         (select left(min(o.event), -1) from outbox o where o.tenant = s.id),
         (select e.id from events e where e.tenant = s.id order by e.id desc limit 1), '')
  from tenants s where s.organization is not null;
update tenants own
   set has_enabled_endpoint = exists (select from webhook_endpoints w
                                       where w.tenant = own.id and w.status = 'enabled'),
       -- Tokens are valid for an hour.
       realtime_from = now(), realtime_until = now() + interval '1 hour'
 where own.organization is null and own.retired_at is null;
alter table webhook_endpoints force row level security;
alter table events force row level security;
drop table outbox;
