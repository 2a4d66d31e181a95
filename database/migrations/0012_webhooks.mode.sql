-- Webhook endpoints, and one delivery for each event and endpoint. All of these rows belong to the
-- integration's own tenant, so their policies compare with integration_tenant(). The subselect
-- makes PostgreSQL call the function once per statement.

create table webhook_endpoints (
  tenant bigint not null,
  id text collate "C" not null,
  place int2 not null check (place between 1 and 16), -- the index below enforces the limit of sixteen
  -- The endpoint's kind: a receiver of POSTs, or a cloud destination (clinical/destinations/).
  -- `settings` has the kind's configuration, without its secret, and `url` is the request URL.
  kind text not null default 'https'
    check (kind in ('https', 'sqs', 'eventbridge', 'pubsub', 'event_hubs', 'kafka', 's3')),
  settings json,
  url text not null,
  event_types text[] not null check (cardinality(event_types) between 1 and 64),
  include_resource boolean not null,
  -- The scopes of the credential that last configured what this endpoint receives: it created the
  -- endpoint, or changed its URL, event types or include_resource. A delivery embeds only what both
  -- these scopes and the clinic's grant allow when it's sent.
  scopes text[] not null default '{}',
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  secret text not null, -- encrypted, like the previous one
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  disabled_at timestamptz(3),
  -- The endpoint receives events written from this time on. In real time, because a tenant's clock
  -- may be ahead of real time and of another tenant's.
  listens_from timestamptz not null default now(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant, id),
  check ((disabled_at is not null) = (status = 'disabled')),
  check ((settings is null) = (kind = 'https')),
  check ((previous_secret is not null) = (previous_secret_expires_at is not null))
);
create unique index webhook_places on webhook_endpoints (tenant, place);
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy tenant on webhook_endpoints to app_{mode}
  using (tenant = (select integration_tenant()));
create policy worker on webhook_endpoints to app_worker_{mode} using (true);
-- A suspended or closed integration gets no deliveries: its endpoints are disabled in the same
-- transaction, and the worker fails their pending deliveries. This runs as the owner, because the
-- integration's credentials no longer work, and the clinic's grant may never have allowed it.
create policy closing on webhook_endpoints to current_user using (true);
-- For the reset, which checks whether an endpoint's timestamps come from a clock ahead of real
-- time.
create policy owner on webhook_endpoints for select to current_user using (true); -- only test
grant select, insert, update, delete on webhook_endpoints to app_{mode};
grant select, update (status, disabled_at, updated_at, secret, previous_secret)
  on webhook_endpoints to app_worker_{mode};
grant update (previous_secret_expires_at) on webhook_endpoints to app_worker_{mode}; -- only test

create function disable_endpoints() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
begin
  update webhook_endpoints
     set status = 'disabled', disabled_at = new.suspended_at,
         updated_at = greatest(updated_at, new.suspended_at)
   where status = 'enabled' and tenant in (select id from tenants where integration = new.id);
  return null;
end $$;
revoke execute on function disable_endpoints from public;
create trigger disable_endpoints_{mode} after update of suspended_at on auth.integrations
  for each row when (old.suspended_at is null and new.suspended_at is not null)
  execute function disable_endpoints();

-- begin only live
-- Owners are emailed about each URL that receives live data.
create function email_new_destination() returns trigger language plpgsql security definer
  set search_path = live, pg_temp as $$
begin
  perform site.queue_person_email('live_destination_added', jsonb_build_object(
      'email', p.email, 'integration', i.name, 'integration_id', i.id, 'endpoint', new.id,
      'host', substring(new.url from '^https?://([^/?#]+)'),
      'includes_resource', new.include_resource))
    from tenants t join auth.integrations i on i.id = t.integration
    join auth.members m on m.integration = i.id and m.role = 'owner' and m.removed_at is null
    join auth.persons p on p.id = m.person and p.disabled_at is null
   where t.id = new.tenant;
  return null;
end $$;
revoke execute on function email_new_destination from public;
create trigger email_new_destination after insert on webhook_endpoints
  for each row execute function email_new_destination();
create trigger email_changed_destination after update of url on webhook_endpoints
  for each row when (old.url <> new.url) execute function email_new_destination();
-- end only live

create function note_enabled_endpoint() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
declare
  own constant bigint := coalesce(new.tenant, old.tenant);
begin
  -- The lock comes first, so the next statement sees the endpoints written by the lock's previous
  -- holder.
  perform from tenants where id = own for no key update;
  update tenants t set has_enabled_endpoint = not t.has_enabled_endpoint
   where t.id = own and t.has_enabled_endpoint <> exists (
     select from webhook_endpoints w where w.tenant = own and w.status = 'enabled');
  return null;
end $$;
revoke execute on function note_enabled_endpoint from public;
create trigger note_enabled_endpoint after insert or delete or update of status
  on webhook_endpoints for each row execute function note_enabled_endpoint();

-- begin only test
-- A reset also removes the deliveries of the sandbox it empties. They belong to the integration's
-- own tenant, which a reset keeps. Because their event's tenant is retired, they're hidden as soon
-- as the reset commits, and a worker deletes them afterward.

-- The current integration's tenants, except those retired by a reset.
create function test.integration_tenants() returns bigint[] language sql stable parallel safe
  return array(select s.id from test.tenants opened
                 join test.tenants s on s.integration = opened.integration and s.retired_at is null
                where opened.id = public.current_tenant());
-- end only test

-- Deliveries as published, for thirty days in either mode. A row outlives its endpoint and event.
-- It's inserted with the first attempt's result, so most rows are written once. Until then, the
-- delivery is only a due delivery, claimed as it was created, which has the future row's values.
create table deliveries (
  tenant bigint not null,
  id text collate "C" not null,
  event text collate "C" not null,
  event_tenant bigint not null,
  event_type text not null,
  webhook_endpoint text collate "C" not null,
  redelivery boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempt int2 not null default 0,
  http_status int2,
  latency_ms int,
  error text,
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  recorded_at timestamptz(3) not null default now(), -- in real time, even while a sandbox is ahead
  replay text collate "C", -- the replay that created it
  primary key (tenant, id),
  check ((next_attempt_at is not null) = (status = 'pending'))
) with (fillfactor = 80);
-- Each endpoint gets one delivery per event, even if the dispatcher processes the event again.
create unique index one_delivery on deliveries (tenant, webhook_endpoint, event) where not redelivery;
create index on deliveries (tenant, webhook_endpoint, id);
create index on deliveries (tenant, webhook_endpoint, status, id);
-- For one event type, newest first. Without this index, finding a rare type means scanning all
-- deliveries.
create index deliveries_by_type on deliveries (tenant, event_type, id);
-- These contain only deliveries that a replay created or a user requested. An event's other
-- deliveries are found by their endpoint.
create index on deliveries (tenant, replay, status) where replay is not null;
create index redeliveries on deliveries (tenant, event) where redelivery;
create index on deliveries using brin (created_at);
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy tenant on deliveries to app_{mode}
  using (tenant = (select integration_tenant())
    and created_at > now() - interval '30 days' -- only live
    and created_at > (select at from kept_since) -- only test
  );
create policy not_reset on deliveries as restrictive for select to app_test -- only test
  using (event_tenant = any ((select integration_tenants())::bigint[])); -- only test
create policy worker on deliveries to app_worker_{mode} using (true);
create policy expired on deliveries as restrictive for delete to app_worker_{mode}
  using (created_at <= now() - interval '30 days' and status <> 'pending'); -- only live
  using ((created_at <= tenant_now(tenant) - interval '30 days' and status <> 'pending') -- only test
         or exists (select from tenants t -- only test
                     where t.id = event_tenant and t.retired_at is not null)); -- only test
grant select, insert, update (status, error, next_attempt_at) on deliveries to app_{mode};
grant select, insert, update, delete on deliveries to app_worker_{mode};

-- Every delivery attempt, so developers see each request and response. The statement that records
-- an attempt inserts its row. A receiver's response is stored only here, and a delivery publishes
-- the response to its last attempt.
create table delivery_attempts (
  tenant bigint not null,
  delivery text collate "C" not null,
  attempt int2 not null,
  url text not null,
  address text, -- where the connection went; null if none was made
  signature text, -- as sent; null if nothing was sent
  http_status int2,
  error text,
  resolve_ms int, -- until the address was resolved and checked
  latency_ms int not null, -- until the status was received, or the attempt failed
  response_headers text, -- encrypted: receivers may send anything
  response_body text, -- encrypted
  ended_at timestamptz(3) not null,
  primary key (tenant, delivery, attempt)
);
alter table delivery_attempts enable row level security;
alter table delivery_attempts force row level security;
create policy tenant on delivery_attempts to app_{mode}
  using (tenant = (select integration_tenant()));
-- An attempt is visible while its delivery is: for thirty days, or until a reset.
create policy of_delivery on delivery_attempts as restrictive to app_{mode} using (exists (
  select from deliveries d where d.tenant = delivery_attempts.tenant
                             and d.id = delivery_attempts.delivery));
create policy worker on delivery_attempts for insert to app_worker_{mode} with check (true);
create policy owner on delivery_attempts to current_user using (true);
grant select on delivery_attempts to app_{mode};
grant insert on delivery_attempts to app_worker_{mode};

-- Attempts are deleted with their delivery, in the same statement.
create function delete_attempts() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
begin
  delete from delivery_attempts a using gone g where a.tenant = g.tenant and a.delivery = g.id;
  return null;
end $$;
revoke execute on function delete_attempts from public;
create trigger delete_attempts after delete on deliveries referencing old table as gone
  for each statement execute function delete_attempts();

-- Only pending deliveries, to keep this constantly searched table small. A claim moves due_at to
-- the end of its lease, so a dead worker's claims become due again.
create table due_deliveries (
  tenant bigint not null,
  delivery text collate "C" not null,
  webhook_endpoint text collate "C" not null,
  due_at timestamptz not null,
  retry boolean not null default false, -- first attempts go before retries
  claim text,
  claims int2 not null default 0, -- claims since the last recorded attempt
  -- Set if the delivery has no row yet, otherwise null.
  event text collate "C",
  event_tenant bigint,
  event_type text,
  created_at timestamptz(3),
  primary key (tenant, delivery),
  check (num_nulls(event, event_tenant, event_type, created_at) in (0, 4)),
  -- Lets `claimed_deliveries` find these few rows among any number of waiting ones.
  check (event is null or claim is not null and not retry)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
-- The endpoint comes first, because a plan made while the table is empty would otherwise search all
-- of a tenant's deliveries.
create index due_deliveries_in_order on due_deliveries (webhook_endpoint, tenant, retry, due_at);
create index claimed_deliveries on due_deliveries (webhook_endpoint, tenant, due_at)
  where claim is not null;
alter table due_deliveries enable row level security;
alter table due_deliveries force row level security;
create policy tenant on due_deliveries to app_{mode} using (tenant = (select integration_tenant()));
create policy worker on due_deliveries to app_worker_{mode} using (true);
-- Like reset sandboxes' deliveries that have a row, these are hidden once the reset commits.
create policy not_reset on due_deliveries as restrictive for select to app_test -- only test
  using (event is null or event_tenant = any ((select integration_tenants())::bigint[])); -- only test
grant select, insert, update, delete on due_deliveries to app_{mode}, app_worker_{mode};

-- All deliveries, including those whose first attempt is in progress.
create view all_deliveries with (security_invoker) as
  select tenant, id, event, event_tenant, event_type, webhook_endpoint, redelivery, status, attempt,
         http_status, latency_ms, error, next_attempt_at, last_attempt_at, created_at, replay,
         recorded_at
    from deliveries
  union all
  select tenant, delivery, event, event_tenant, event_type, webhook_endpoint, false, 'pending',
         0::int2, null::int2, null::int, null::text, created_at, null::timestamptz(3), created_at,
         null::text collate "C", now()::timestamptz(3)
    from due_deliveries where event is not null and claim is not null;
grant select on all_deliveries to app_{mode}, app_worker_{mode};

-- Deliveries per hour, counted once the hour has ended and none is pending, after which they don't
-- change. Charts read these instead of a week of deliveries. clinical/deliveries/count-hours.ts
-- writes them.
create table delivery_counts (
  tenant bigint not null,
  hour timestamptz(0) not null, -- in their IDs, so by the tenant's clock
  made_hour timestamptz(0) not null, -- in real time
  webhook_endpoint text collate "C" not null,
  event_tenant bigint not null,
  status text not null,
  latency_ms int not null, -- rounded to twenty steps per power of ten; -1: none
  deliveries int not null,
  last_attempt_at timestamptz(3),
  primary key (tenant, hour, made_hour, webhook_endpoint, event_tenant, status, latency_ms)
);
create index on delivery_counts using brin (hour);
alter table delivery_counts enable row level security;
alter table delivery_counts force row level security;
create policy tenant on delivery_counts to app_{mode}
  using (tenant = (select integration_tenant())
    and hour > now() - interval '30 days' -- only live
    and hour > (select at from kept_since) -- only test
  );
create policy not_reset on delivery_counts as restrictive for select to app_test -- only test
  using (event_tenant = any ((select integration_tenants())::bigint[])); -- only test
create policy worker on delivery_counts to app_worker_{mode} using (true);
grant select on delivery_counts to app_{mode};
grant select, insert, delete on delivery_counts to app_worker_{mode};

-- An endpoint's concurrency limit, and when its next delivery is due.
create table endpoint_queues (
  tenant bigint not null,
  webhook_endpoint text collate "C" not null,
  slots int2 not null default 8 check (slots between 2 and 16),
  batch int2 not null default 1 check (batch between 1 and 1000), -- maximum deliveries in one attempt
  successes int2 not null default 0,
  -- An endpoint counts as slow until it first responds in time, so a thousand new endpoints can't
  -- use up a worker's connections while they time out.
  slow boolean not null default true,
  next_due timestamptz not null default 'infinity',
  -- More deliveries are due than it has slots for, so it's served again when an attempt ends.
  is_full boolean not null default false,
  primary key (tenant, webhook_endpoint)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
-- Slow endpoints are claimed separately, so any number of them can't delay the others.
create index endpoint_queues_due on endpoint_queues (slow, next_due) where next_due < 'infinity';
alter table endpoint_queues enable row level security;
alter table endpoint_queues force row level security;
create policy tenant on endpoint_queues to app_{mode} using (tenant = (select integration_tenant()));
create policy worker on endpoint_queues to app_worker_{mode} using (true);
grant select, insert, update (next_due), delete on endpoint_queues to app_{mode};
grant select, update on endpoint_queues to app_worker_{mode};

-- Consecutive events that permanently failed, each once.
create table failed_events (
  tenant bigint not null,
  webhook_endpoint text collate "C" not null,
  event text collate "C" not null,
  -- How many consecutive failures were reported to the developers. The rows, with this count, are
  -- deleted when an event is delivered.
  reported int2 not null default 0,
  primary key (tenant, webhook_endpoint, event)
);
alter table failed_events enable row level security;
alter table failed_events force row level security;
create policy tenant on failed_events to app_{mode} using (tenant = (select integration_tenant()));
create policy worker on failed_events to app_worker_{mode} using (true);
grant select, insert, delete on failed_events to app_{mode};
grant select, insert, update (reported), delete on failed_events to app_worker_{mode};

-- A replay resends a time range's events to one endpoint: a job that a worker advances in steps,
-- each a single statement. It belongs to the integration's own tenant, like the deliveries it
-- creates. Its events belong to the tenant of the organization that the replay was requested for.
create table replays (
  tenant bigint not null,
  id text collate "C" not null,
  webhook_endpoint text collate "C" not null,
  event_tenant bigint not null,
  since timestamptz(3) not null,
  until timestamptz(3) not null,
  event_types text[] not null,
  failed_only boolean not null,
  status text not null default 'running'
    check (status in ('running', 'completed', 'cancelled', 'stopped')),
  reason text,
  position text collate "C" not null, -- the last event it processed, or an id before the first
  due_at timestamptz not null default now(), -- when its next step is due
  created_at timestamptz(3) not null,
  ended_at timestamptz(3),
  primary key (tenant, id),
  check ((ended_at is null) = (status = 'running')),
  check ((reason is not null) = (status = 'stopped'))
);
create unique index one_running_replay on replays (tenant, webhook_endpoint)
  where status = 'running';
create index on replays (due_at) where status = 'running';
alter table replays enable row level security;
alter table replays force row level security;
create policy tenant on replays to app_{mode}
  using (tenant = (select integration_tenant())
    and created_at > now() - interval '30 days' -- only live
    and created_at > (select at from kept_since) -- only test
  );
create policy worker on replays to app_worker_{mode} using (true);
-- For the reset, which removes replays with timestamps ahead of real time.
create policy owner on replays to current_user using (true); -- only test
grant select, insert, update (status, ended_at) on replays to app_{mode};
grant select, update (status, reason, position, due_at, ended_at), delete
  on replays to app_worker_{mode};

-- Claiming -------------------------------------------------------------------------------------------

-- How workers share due deliveries. A worker claims only deliveries that it can start immediately:
-- up to each endpoint's free slots, and for all slow endpoints together up to their share.
-- Endpoints are ordered by their next delivery's due time, so a served endpoint goes behind those
-- that wait. An endpoint's queue becomes due with its next unclaimed delivery. A dead worker's
-- deliveries are found by their lease (clinical/deliveries/engine/claim.ts).

-- When an endpoint's next unclaimed delivery after a given time is due.
create function due_after(moment timestamptz, own bigint, endpoint text) returns timestamptz
  language sql stable as $$
  select coalesce(least(
    (select min(due_at) from due_deliveries
      where tenant = own and webhook_endpoint = endpoint and not retry and due_at > moment
        and claim is null),
    (select min(due_at) from due_deliveries
      where tenant = own and webhook_endpoint = endpoint and retry and due_at > moment
        and claim is null)), 'infinity')
$$;

-- Claims up to `free` deliveries, at most `slow_free` of them from slow endpoints, and returns each
-- one's data for an attempt. `url` is null if the endpoint was removed, and `event_id` if the event
-- was.
create function claim_deliveries(
    free int, slow_free int, claimed_as text, moment timestamptz, lease interval)
  returns table (
    own bigint, delivery text, claims int2, attempt int2, event text, event_type text,
    event_tenant bigint, webhook_endpoint text, slow boolean, integration text, organization text,
    url text, kind text, settings json, secret text, previous_secret text, include_resource boolean,
    scopes text[],
    event_id text, created_at timestamptz, resource_type text, resource_id text, status text,
    previous_status text)
  language plpgsql volatile
  -- Everything below must be looked up by key, because the tables grow and shrink too fast for
  -- their statistics.
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  -- The minimum number of an endpoint's deliveries per claim: several cost no more than one.
  slice constant int := 4;
  places tid[];
  tenants bigint[];
  endpoints text[];
  slots int2[];
  batches int2[];
  slows boolean[];
  slow_count int;
begin
  -- The queues' rows stay locked, so the slot limits apply across all workers. A worker skips
  -- queues that another has locked.
  with quick as materialized (
    select q.ctid as place, q.tenant, q.webhook_endpoint, q.slots, q.batch, q.slow, q.next_due
      from endpoint_queues q
     where not q.slow and q.next_due <= moment and q.next_due < 'infinity'
       and (select w.status from webhook_endpoints w
             where w.tenant = q.tenant and w.id = q.webhook_endpoint) = 'enabled'
     order by q.next_due limit free for no key update of q skip locked
  ), slow as materialized (
    select q.ctid as place, q.tenant, q.webhook_endpoint, q.slots, q.batch, q.slow, q.next_due
      from endpoint_queues q
     where q.slow and q.next_due <= moment and q.next_due < 'infinity'
       and (select w.status from webhook_endpoints w
             where w.tenant = q.tenant and w.id = q.webhook_endpoint) = 'enabled'
     order by q.next_due limit slow_free for no key update of q skip locked
  )
  select array_agg(x.place), array_agg(x.tenant), array_agg(x.webhook_endpoint), array_agg(x.slots),
         array_agg(x.batch), array_agg(x.slow), count(*) filter (where x.slow)
    into places, tenants, endpoints, slots, batches, slows, slow_count
    from (select * from quick union all select * from slow order by next_due) x;
  if places is null then return; end if;

  -- A separate statement, so it sees deliveries that became due before the queues were locked;
  -- later ones make their queues due again. Materialized, because a plan that read the subquery
  -- twice would pick other rows each time, as rows are locked under a limit.
  return query
  with roomy as materialized (
    select x.*, x.slots * x.batch - (
             select count(*)::int from due_deliveries d
              where d.tenant = x.tenant and d.webhook_endpoint = x.webhook_endpoint
                and d.claim is not null and d.due_at > moment) as room,
           -- Only one large batch, so a claim stays within a worker's memory and its lease.
           x.batch * least(1000 / x.batch,
                           case when x.slow then (slow_free + slow_count - 1) / slow_count
                                else greatest(slice, free / cardinality(places)) end) as share
      from unnest(places, tenants, endpoints, slots, batches, slows) with ordinality
             as x (place, tenant, webhook_endpoint, slots, batch, slow, n)
  ), waiting as materialized (
    -- Picks one more than may be claimed, to tell whether any are left. First attempts precede
    -- retries.
    select r.n, r.place, r.batch, r.slow, r.room, least(r.room, r.share) as want,
           case when r.room > 0 then
             array(select d.ctid from due_deliveries d
                    where d.tenant = r.tenant and d.webhook_endpoint = r.webhook_endpoint
                      and not d.retry and d.due_at <= moment
                    order by d.due_at limit least(r.room, r.share) + 1)
             || array(select d.ctid from due_deliveries d
                       where d.tenant = r.tenant and d.webhook_endpoint = r.webhook_endpoint
                         and d.retry and d.due_at <= moment
                       order by d.due_at limit least(r.room, r.share) + 1)
           else '{}' end as line
      from roomy r
  ), allowed as materialized (
    -- Limits slow endpoints to their share, then all endpoints to the number of free attempts. A
    -- batch counts as one attempt.
    select a.n, a.place, a.slow, a.room, a.line, greatest(0, least(
             a.want, a.batch * (free - coalesce(sum((a.want + a.batch - 1) / a.batch) over (
               order by a.n rows between unbounded preceding and 1 preceding), 0))))::int as take
      from (select w.n, w.place, w.batch, w.slow, w.room, w.line,
                   case when w.slow then greatest(0, least(
                     w.most,
                     w.batch * (slow_free - coalesce(sum((w.most + w.batch - 1) / w.batch)
                       filter (where w.slow)
                       over (order by w.n rows between unbounded preceding and 1 preceding), 0))))
                   else w.most end as want
              from (select *, least(want, cardinality(line)) as most from waiting) w) a
  ), picked as materialized (
    select a.n, d.ctid as place
      from allowed a cross join lateral unnest(a.line[1:a.take]) as l (place)
      join due_deliveries d on d.ctid = l.place
       for update of d skip locked
  ), claimed as (
    update due_deliveries d
       set claim = claimed_as, claims = d.claims + 1, due_at = moment + lease
      from picked p where d.ctid = p.place
    returning p.n, d.tenant, d.delivery, d.claims, d.webhook_endpoint, d.event, d.event_type,
              d.event_tenant
  ), served as (
    update endpoint_queues q
       set is_full = a.room <= 0 or a.take >= a.room and cardinality(a.line) > a.take,
           next_due = case
             when a.room <= 0 or a.take >= a.room and cardinality(a.line) > a.take then moment + lease
             when cardinality(a.line) > a.take then moment
             else due_after(moment, q.tenant, q.webhook_endpoint) end
      from allowed a
     where q.ctid = a.place
       -- Endpoints that got nothing because no attempt was free keep their position.
       and (a.take > 0 or a.room <= 0 or a.line = '{}')
  )
  select c.tenant, c.delivery, c.claims, d.attempt, d.event, d.event_type, d.event_tenant,
         c.webhook_endpoint, slows[c.n], own.integration, t.organization, w.url,
         w.kind, w.settings, w.secret,
         case when w.previous_secret_expires_at > moment then w.previous_secret end,
         w.include_resource,
         case when w.include_resource then coalesce((
           select array(select unnest(g.scopes) intersect select unnest(w.scopes))
             from auth.grants g
            where g.integration = own.integration and g.organization = t.organization
              and g.status = 'active'), '{}') end,
         e.id, e.created_at, e.resource_type, e.resource_id, e.status, e.previous_status
    from claimed c
   -- `offset 0` makes the planner look up each row by its whole key.
   cross join lateral (
     select 0::int2 as attempt, c.event, c.event_type, c.event_tenant where c.event is not null
     union all
     (select x.attempt, x.event, x.event_type, x.event_tenant from deliveries x
       where c.event is null and x.tenant = c.tenant and x.id = c.delivery offset 0)) d
    join tenants own on own.id = c.tenant
    left join tenants t on t.id = d.event_tenant
    left join lateral (
      select x.url, x.kind, x.settings, x.secret, x.previous_secret, x.previous_secret_expires_at,
             x.include_resource, x.scopes
        from webhook_endpoints x
       where x.tenant = c.tenant and x.id = c.webhook_endpoint offset 0) w on true
    left join lateral (
      select x.id, x.created_at, x.resource_type, x.resource_id, x.status, x.previous_status
        from events x
       where x.tenant = d.event_tenant and x.id = d.event and t.retired_at is null offset 0) e on true;
end $$;

-- The replay of a delivery claimed by `claim_deliveries`. That function sees rows committed while
-- it waited, but its calling statement doesn't. This function does, because it's volatile.
create function replay_of(own bigint, of_delivery text) returns text language sql volatile as $$
  select replay from deliveries where tenant = own and id = of_delivery
$$;

-- Endpoints' queues are updated in functions with short statements. If a row changed since a
-- statement began, PostgreSQL reruns the statement's whole plan for that row, which in a dispatch
-- or a record would cost more than writing the rows.

-- Locks endpoints' queues in the given order, and returns their current state, with each one's
-- concurrency limit and number of deliveries in progress; nulls for a removed endpoint. `waits` are
-- the times before which nothing may be sent.
create function lock_queues(tenants bigint[], endpoints text[], counts int[], waits timestamptz[],
                            moment timestamptz)
  returns table (tenant bigint, webhook_endpoint text, many int, waits_until timestamptz, slots int,
                 slow boolean, is_full boolean, next_due timestamptz, in_progress int)
  language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform from unnest(tenants, endpoints) with ordinality as e (tenant, endpoint, n)
    join endpoint_queues q on q.tenant = e.tenant and q.webhook_endpoint = e.endpoint
   order by e.n for no key update of q;
  return query
    select e.tenant, e.endpoint, e.many, e.waits_until, q.slots * q.batch::int, q.slow, q.is_full,
           q.next_due,
           (select count(*)::int from due_deliveries d
             where d.tenant = e.tenant and d.webhook_endpoint = e.endpoint and d.claim is not null
               and d.due_at > moment)
      from unnest(tenants, endpoints, counts, waits) with ordinality
             as e (tenant, endpoint, many, waits_until, n)
      left join endpoint_queues q on q.tenant = e.tenant and q.webhook_endpoint = e.endpoint
     order by e.n;
end $$;

-- Locks the queues of existing endpoints, and updates them with the results of attempts: how many
-- failed, how many succeeded since the last failure, when the next retry is due, and whether the
-- last attempt was slow. This function only moves a queue's due time earlier, because it may not
-- see deliveries that became due since. Only a claim moves it later.
create function note_results(tenants bigint[], endpoints text[], bad int[], good int[],
                             retry_at timestamptz[], slow boolean[], moment timestamptz,
                             slots_min int, slots_max int, to_grow int)
  returns table (tenant bigint, webhook_endpoint text, is_due boolean)
  language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform from unnest(tenants, endpoints) with ordinality as e (tenant, endpoint, n)
    join endpoint_queues q on q.tenant = e.tenant and q.webhook_endpoint = e.endpoint
   order by e.n for no key update of q;
  return query
  with results as materialized (
    select q.ctid as place, q.tenant, q.webhook_endpoint, r.slow, c.slots,
           -- At the maximum number of slots, usually nothing changes.
           case when c.slots < slots_max then c.successes % to_grow else 0 end as successes,
           -- A queue that waited for a slot is due now, behind those already due.
           least(q.next_due, r.retry_at, case when q.is_full then moment end) as next_due
      from unnest(tenants, endpoints, bad, good, retry_at, slow)
             as r (tenant, endpoint, bad, good, retry_at, slow)
      join endpoint_queues q on q.tenant = r.tenant and q.webhook_endpoint = r.endpoint
     cross join lateral (
       select x.successes, least(greatest(q.slots >> r.bad, slots_min) + x.successes / to_grow,
                                 slots_max) as slots
         from (select case when r.bad > 0 then r.good else q.successes + r.good end as successes) x
     ) c
  ), changed as (
    update endpoint_queues q
       set slow = r.slow, successes = r.successes, slots = r.slots, next_due = r.next_due,
           is_full = false
      from results r
     where q.ctid = r.place
       and (q.slow, q.successes, q.slots, q.next_due, q.is_full)
           is distinct from (r.slow, r.successes, r.slots, r.next_due, false)
  )
  select r.tenant, r.webhook_endpoint, r.next_due <= moment from results r;
end $$;

-- Emails an integration's developers at the first consecutive failed event, at the `several`th, and
-- when the endpoint is disabled. Returns up to `many` queued emails. The lock on the endpoint's
-- queue is also held while failed events are counted.
create function failures_to_report(several int, disabling int, many int,
                                   out endpoint text, out kind text, out emailed boolean)
  returns setof record language plpgsql volatile set search_path = {mode}, public, pg_temp as $$
#variable_conflict use_column
declare
  one record;
  failed int;
  known int;
  reached int;
begin
  for one in
    select f.tenant, f.webhook_endpoint, own.integration, w.url, w.status
      from failed_events f
      join webhook_endpoints w on w.tenant = f.tenant and w.id = f.webhook_endpoint
      join tenants own on own.id = f.tenant
     group by f.tenant, f.webhook_endpoint, own.integration, w.url, w.status
    having max(f.reported) < case when count(*) >= disabling and w.status = 'disabled' then disabling
                                  when count(*) >= several then several else 1 end
     order by f.tenant, f.webhook_endpoint limit many
  loop
    perform from endpoint_queues q
      where q.tenant = one.tenant and q.webhook_endpoint = one.webhook_endpoint
        for no key update skip locked;
    continue when not found;
    select count(*), max(f.reported) into failed, known from failed_events f
     where f.tenant = one.tenant and f.webhook_endpoint = one.webhook_endpoint;
    reached := case when failed = 0 then 0
                    when failed >= disabling and one.status = 'disabled' then disabling
                    when failed >= several then several else 1 end;
    continue when reached <= coalesce(known, 0);
    update failed_events f set reported = reached
     where f.tenant = one.tenant and f.webhook_endpoint = one.webhook_endpoint;
    endpoint := one.webhook_endpoint;
    kind := case reached when disabling then 'endpoint_disabled' when several then 'events_failing'
                         else 'event_failed' end;
    emailed := site.queue_developers_email(
      public.new_id('mail'), one.integration, one.webhook_endpoint, kind,
      jsonb_build_object('mode', '{mode}', 'failed', failed,
                         'host', substring(one.url from '^https://([^/?#]+)')));
    return next;
  end loop;
end $$;

-- begin only live
-- Without an agreement in effect, an integration's live deliveries wait: a worker that claimed one
-- puts it back, and its queue becomes due again once an agreement is accepted.

-- Puts back claimed deliveries that must not be sent. The claim isn't counted, and each delivery is
-- due at its creation time, so they are sent in that order. The queue is due immediately if an
-- agreement is now in effect, otherwise not until one is. A concurrent acceptance either waits for
-- the queue's lock or has committed, and then the last statement sees it.
create function live.hold_deliveries(tenants bigint[], ids text[], claimed_as text[],
    moment timestamptz) returns void
  language plpgsql volatile set search_path = live, public, pg_temp as $$
begin
  perform from unnest(tenants, ids) with ordinality as h (tenant, id, n)
    join due_deliveries q on q.tenant = h.tenant and q.delivery = h.id
   order by h.n for update of q;
  -- Left by a worker that died during the first attempt, so the delivery has no row yet.
  insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                          next_attempt_at, created_at)
  select q.tenant, q.delivery, q.event, q.event_tenant, q.event_type, q.webhook_endpoint,
         q.created_at, q.created_at
    from unnest(tenants, ids, claimed_as) as h (tenant, id, claim)
    join due_deliveries q on q.tenant = h.tenant and q.delivery = h.id and q.claim = h.claim
   where q.event is not null
  on conflict do nothing;
  update due_deliveries q
     set claim = null, claims = greatest(q.claims - 1, 0), event = null, event_tenant = null,
         event_type = null, created_at = null,
         due_at = (select d.created_at from deliveries d
                    where d.tenant = q.tenant and d.id = q.delivery)
    from unnest(tenants, ids, claimed_as) as h (tenant, id, claim)
   where q.tenant = h.tenant and q.delivery = h.id and q.claim = h.claim;
  perform from endpoint_queues q
   where (q.tenant, q.webhook_endpoint) in (
     select d.tenant, d.webhook_endpoint from unnest(tenants, ids) as h (tenant, id)
       join deliveries d on d.tenant = h.tenant and d.id = h.id)
   order by q.tenant, q.webhook_endpoint for no key update;
  update endpoint_queues q
     set is_full = false,
         next_due = case when exists (
             select from tenants t join auth.agreements a on a.integration = t.integration
              where t.id = q.tenant and a.terminated_at is null
                and (a.ends_at is null or a.ends_at > clock_timestamp()))
           then moment else 'infinity' end
   where (q.tenant, q.webhook_endpoint) in (
     select d.tenant, d.webhook_endpoint from unnest(tenants, ids) as h (tenant, id)
       join deliveries d on d.tenant = h.tenant and d.id = h.id);
end $$;
revoke execute on function live.hold_deliveries from public;
grant execute on function live.hold_deliveries to app_worker_live;

create policy releasing on live.endpoint_queues to current_user using (true);

create function live.release_deliveries() returns trigger language plpgsql security definer
  set search_path = live, pg_temp as $$
begin
  perform from endpoint_queues q
   where q.tenant in (select id from tenants where integration = new.integration)
   order by q.tenant, q.webhook_endpoint for no key update;
  update endpoint_queues q set next_due = least(q.next_due, clock_timestamp())
   where q.tenant in (select id from tenants where integration = new.integration);
  return null;
end $$;
revoke execute on function live.release_deliveries from public;
create trigger release_deliveries after insert or update of ends_at, terminated_at on auth.agreements
  for each row
  when (new.terminated_at is null and (new.ends_at is null or new.ends_at > clock_timestamp()))
  execute function live.release_deliveries();
-- end only live
