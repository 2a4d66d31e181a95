-- Webhook endpoints, and one delivery for each event and endpoint. All of these rows belong to the
-- integration's own tenant (integration_tenant), so their policies compare with that one; the
-- subselect makes PostgreSQL call the function once per statement.

create table webhook_endpoints (
  tenant bigint not null,
  id text collate "C" not null,
  place int2 not null check (place between 1 and 16), -- the index below holds the limit of sixteen
  url text not null,
  event_types text[] not null check (cardinality(event_types) between 1 and 64),
  include_resource boolean not null,
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  secret text not null, -- encrypted, as is the previous one
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  disabled_at timestamptz(3),
  -- Events written before are not for it. Compared with the real time of writing, because the clock
  -- of a tenant may be ahead of it and of another tenant's.
  listens_from timestamptz not null default now(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant, id),
  check ((disabled_at is not null) = (status = 'disabled')),
  check ((previous_secret is not null) = (previous_secret_expires_at is not null))
);
create unique index webhook_places on webhook_endpoints (tenant, place);
alter table webhook_endpoints enable row level security;
alter table webhook_endpoints force row level security;
create policy tenant on webhook_endpoints to app_{mode}
  using (tenant = (select integration_tenant()));
create policy worker on webhook_endpoints to app_worker_{mode} using (true);
grant select, insert, update, delete on webhook_endpoints to app_{mode};
grant select, update (status, disabled_at, updated_at, secret, previous_secret)
  on webhook_endpoints to app_worker_{mode};

-- What is published of a delivery, for thirty days in either mode. It outlives endpoint and event.
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
  response_body text, -- encrypted: receivers may answer anything
  error text,
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  check ((next_attempt_at is not null) = (status = 'pending'))
) with (fillfactor = 80);
-- Each endpoint gets one delivery of an event, however often the dispatcher processes the event.
create unique index one_delivery on deliveries (tenant, webhook_endpoint, event) where not redelivery;
create index on deliveries (tenant, webhook_endpoint, id);
create index on deliveries (tenant, webhook_endpoint, status, id);
create index on deliveries using brin (created_at);
alter table deliveries enable row level security;
alter table deliveries force row level security;
create policy tenant on deliveries to app_{mode}
  using (tenant = (select integration_tenant()) and created_at > now() - interval '30 days');
create policy worker on deliveries to app_worker_{mode} using (true);
create policy expired on deliveries as restrictive for delete to app_worker_{mode}
  using (created_at <= now() - interval '30 days' and status <> 'pending');
grant select, insert, update (status, error, next_attempt_at) on deliveries to app_{mode};
grant select, insert, update, delete on deliveries to app_worker_{mode};

-- The pending deliveries alone, so that the table that is searched all the time stays small. A
-- claim moves due_at to the end of its lease: what a dead worker claimed becomes due again by
-- itself.
create table due_deliveries (
  tenant bigint not null,
  delivery text collate "C" not null,
  webhook_endpoint text collate "C" not null,
  due_at timestamptz not null,
  retry boolean not null default false, -- first attempts go before retries
  claim text,
  claims int2 not null default 0, -- since the last attempt that was recorded
  primary key (tenant, delivery)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index due_deliveries_in_order on due_deliveries (tenant, webhook_endpoint, retry, due_at);
create index claimed_deliveries on due_deliveries (tenant, webhook_endpoint, due_at)
  where claim is not null;
alter table due_deliveries enable row level security;
alter table due_deliveries force row level security;
create policy tenant on due_deliveries to app_{mode} using (tenant = (select integration_tenant()));
create policy worker on due_deliveries to app_worker_{mode} using (true);
grant select, insert, update, delete on due_deliveries to app_{mode}, app_worker_{mode};

-- How an endpoint is served: how many attempts at once, and when its next delivery is due.
create table endpoint_queues (
  tenant bigint not null,
  webhook_endpoint text collate "C" not null,
  slots int2 not null default 8 check (slots between 2 and 16),
  successes int2 not null default 0,
  -- An endpoint counts as slow until it has answered once in time, so that a thousand new ones
  -- cannot take all connections of a worker while they time out.
  slow boolean not null default true,
  next_due timestamptz not null default 'infinity',
  -- More is due than it has slots: it is served again when an attempt has ended.
  is_full boolean not null default false,
  primary key (tenant, webhook_endpoint)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
-- Slow endpoints apart from the others: however many of them are due, they delay no other one.
create index endpoint_queues_due on endpoint_queues (slow, next_due) where next_due < 'infinity';
alter table endpoint_queues enable row level security;
alter table endpoint_queues force row level security;
create policy tenant on endpoint_queues to app_{mode} using (tenant = (select integration_tenant()));
create policy worker on endpoint_queues to app_worker_{mode} using (true);
grant select, insert, update (next_due), delete on endpoint_queues to app_{mode};
grant select, update on endpoint_queues to app_worker_{mode};

-- The consecutive events that failed for good, each once.
create table failed_events (
  tenant bigint not null,
  webhook_endpoint text collate "C" not null,
  event text collate "C" not null,
  -- How many consecutive failures the developers were informed of. The rows go when an event is
  -- delivered, and this with them.
  reported int2 not null default 0,
  primary key (tenant, webhook_endpoint, event)
);
alter table failed_events enable row level security;
alter table failed_events force row level security;
create policy tenant on failed_events to app_{mode} using (tenant = (select integration_tenant()));
create policy worker on failed_events to app_worker_{mode} using (true);
grant select, insert, delete on failed_events to app_{mode};
grant select, insert, update (reported), delete on failed_events to app_worker_{mode};

-- Emails the developers of an integration at the first of consecutive failed events, at the tenth
-- (`several`), and when the endpoint is disabled. Returns what it queued, `many` at most. The lock
-- of the endpoint's queue is also held while failed events are counted.
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
      ulid('mail', clock_timestamp(), ulid_random()), one.integration, one.webhook_endpoint, kind,
      jsonb_build_object('mode', '{mode}', 'failed', failed,
                         'host', substring(one.url from '^https://([^/?#]+)')));
    return next;
  end loop;
end $$;

-- Whether deliveries are late, which refuses requests for more of them. The oldest row of the
-- outbox says how late the dispatcher is; how many are due is the planner's estimate.
create function deliveries_behind(late interval, many bigint) returns boolean language sql stable
  security definer set search_path = {mode}, pg_temp as $$
  select coalesce((select clock_timestamp() - created_at > late from outbox order by id limit 1), false)
      or (select reltuples > many from pg_class where oid = 'due_deliveries'::regclass)
$$;
revoke execute on function deliveries_behind from public;
grant execute on function deliveries_behind to app_{mode};
