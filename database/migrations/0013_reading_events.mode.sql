-- The worker follows each tenant's events with a cursor instead of an outbox. Ids have the same
-- order as commits, so the new events are exactly those after the last one read, and a write
-- inserts only its events.

-- The position of the last event that the worker read for a tenant. The statement that creates the
-- deliveries moves it and locks the row, so two workers never read a tenant's events at the same
-- time.
create table event_cursors (
  of_tenant bigint primary key,
  position text collate "C" not null default '', -- the last event read
  -- Everything that the tenant wrote up to this time, by its own clock, was read.
  read_until timestamptz(3) not null default '-infinity'
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
alter table event_cursors enable row level security;
alter table event_cursors force row level security;
create policy worker on event_cursors to app_worker_{mode} using (true);
create policy owner on event_cursors to current_user using (true);
-- Locking a row requires the update privilege.
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

-- The tenants whose events are followed, each with the earliest position to read from, because no
-- current endpoint or token gets earlier events. Tenants are found by key, and each `offset 0`
-- keeps the planner from scanning every integration first.
create function followed_tenants(of_tenants bigint[])
  returns table (tenant bigint, own bigint, integration text, organization text, ahead interval,
                 last timestamptz, realtime boolean, start text)
  language sql stable
begin atomic
  select s.id, own.id, s.integration, s.organization, s.ahead, s.last, own.realtime,
         ulid('evt', date_trunc('milliseconds', f.since) + s.ahead, '')
    from (
      select t.id, t.integration, t.organization, t.last, t.ahead_ms * interval '1 ms' as ahead
        from tenants t
       where t.id = any (of_tenants) and t.organization is not null and t.retired_at is null
      offset 0) s
   cross join lateral (
      select t.id, t.realtime_from, coalesce(t.realtime_until > now(), false) as realtime
        from tenants t
       where t.integration = s.integration and t.organization is null and t.retired_at is null
      offset 0) own
   cross join lateral (
      select least((select min(w.listens_from) from webhook_endpoints w
                     where w.tenant = own.id and w.status = 'enabled'),
                   case when own.realtime then own.realtime_from end) as since
      offset 0) f
   where f.since is not null;
end;

-- When the first unread event of each tenant was written.
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

-- The followed tenants that have written something since their events were last read.
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

-- Whether deliveries are late, in which case requests for more are refused. They are late if events
-- wait too long for the worker, counting only the caller's integration unless `of_any`, or if too
-- many deliveries are due, by the planner's estimate.
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

-- Realtime -------------------------------------------------------------------------------------------

-- Each gateway role counts connections only in its own mode.
create function reserve_connections(whose text, at text, wanted int, most int, seconds int)
  returns boolean language sql volatile security definer set search_path = {mode}, pg_temp
  as $$ select public.reserve_realtime_connections('{mode}', whose, at, wanted, most, seconds) $$;
revoke execute on function reserve_connections from public;
grant execute on function reserve_connections to app_{mode};

-- The last of each tenant's events that was sent to the provider. Only the dispatcher and the
-- worker use this table, and it contains only event ids.
create table realtime_cursors (
  of_tenant bigint primary key,
  published text collate "C" not null, -- the last published event
  latest text collate "C" not null,    -- the last event to publish
  attempts int2 not null default 0,    -- since the last success
  due_at timestamptz not null default now() -- moved ahead while a worker is publishing
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on realtime_cursors (due_at) where latest > published;
alter table realtime_cursors enable row level security;
alter table realtime_cursors force row level security;
create policy worker on realtime_cursors to app_worker_{mode} using (true);
grant select, insert, update, delete on realtime_cursors to app_worker_{mode};

-- The revocations sent to the provider, by the key's or grant's id.
create table realtime_revocations (
  of_grant_or_key text collate "C" primary key,
  sent_at timestamptz not null default now()
);
alter table realtime_revocations enable row level security;
alter table realtime_revocations force row level security;
create policy worker on realtime_revocations to app_worker_{mode} using (true);
create policy owner on realtime_revocations to current_user using (true);
grant select, insert on realtime_revocations to app_worker_{mode};

-- Tokens that the realtime provider still has to end: those of a key that was revoked, expired or
-- whose integration was suspended within a token's lifetime, of an ended family, or under a grant
-- that a clinic revoked. A realtime token belongs to a key or a family (auth/principal.ts), so
-- refreshing an access token ends nothing.
create function tokens_to_revoke(life interval, out why text, out credential text)
  returns setof record language sql stable security definer set search_path = {mode}, pg_temp as $$
  with holders as (
    select id, integration, organization, revoked_at, expires_at from auth.credentials
     where mode = current_schema() and kind = 'key'
    union all
    select id, integration, organization, revoked_at, ends_at from auth.token_families
     where mode = current_schema()
  ), ended as (
    select h.id as why, h.id as credential
      from holders h join auth.integrations i on i.id = h.integration
     where h.revoked_at > now() - life or i.suspended_at > now() - life
        or h.expires_at between now() - life and now()
    union all
    select g.id, h.id from auth.grants g
      join holders h on h.integration = g.integration and h.revoked_at is null
       and (h.organization is null or h.organization = g.organization)
     where g.mode = current_schema() and g.status = 'revoked'
  )
  select e.why, e.credential from ended e
   where not exists (select from realtime_revocations r where r.of_grant_or_key = e.why)
   order by e.why, e.credential limit 100
$$;
revoke execute on function tokens_to_revoke from public;
grant execute on function tokens_to_revoke to app_worker_{mode};
