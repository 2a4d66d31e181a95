-- Endpoints, and one delivery for each event and endpoint. Both belong to an integration, not to a
-- clinic, so they are numbered by a stream of the integration's own: one without an organization,
-- which only endpoint writes and the dispatcher touch (contract/05, section 8).

alter table streams alter column organization drop not null;
create unique index one_own_stream on streams (integration)
  where organization is null and retired_at is null;
insert into streams (integration) select distinct integration from streams;

create function open_own_stream() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.streams (integration) values ($1) on conflict do nothing', tg_table_schema)
    using new.integration;
  return null;
end $$;
create trigger own_stream after insert on streams
  for each row when (new.organization is not null) execute function open_own_stream();

-- The integration's own stream, of the one that this session opened.
create function own_stream() returns bigint language sql stable parallel safe
  return (select own.id from streams opened
            join streams own on own.integration = opened.integration
             and own.organization is null and own.retired_at is null
           where opened.id = public.opened_stream());

-- What a triggered event tells of: made up when it was triggered, and stored nowhere else.
alter table events add column fabricated json;
-- The one endpoint that it is for, whatever that one subscribes to.
alter table outbox add column webhook_endpoint text collate "C";

create table webhook_endpoints (
  stream bigint not null,
  id text collate "C" not null,
  place int2 not null check (place between 1 and 16), -- the limit, held by the index below
  url text not null,
  event_types text[] not null check (cardinality(event_types) between 1 and 64),
  include_resource boolean not null,
  description text,
  status text not null default 'enabled' check (status in ('enabled', 'disabled')),
  secret text not null, -- sealed, as is the previous one
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  disabled_at timestamptz(3),
  -- Events written before that moment of the wall's clock are not for it: the stream's clock may be
  -- ahead of the wall's, and of another stream's.
  listens_from timestamptz not null default now(),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (stream, id),
  check ((disabled_at is not null) = (status = 'disabled')),
  check ((previous_secret is not null) = (previous_secret_expires_at is not null))
);
create unique index webhook_places on webhook_endpoints (stream, place);

-- What is published of a delivery. It outlives its endpoint and its event.
create table deliveries (
  stream bigint not null,
  id text collate "C" not null,
  event text collate "C" not null,
  event_stream bigint not null,
  event_type text not null,
  webhook_endpoint text collate "C" not null,
  redelivery boolean not null default false,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'failed')),
  attempt int2 not null default 0,
  http_status int2,
  latency_ms int,
  response_body text, -- sealed: receivers answer what they like
  error text,
  next_attempt_at timestamptz(3),
  last_attempt_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (stream, id),
  check ((next_attempt_at is not null) = (status = 'pending'))
) with (fillfactor = 80);
-- However often the dispatcher turns an event into deliveries, each endpoint gets one.
create unique index one_delivery on deliveries (stream, webhook_endpoint, event) where not redelivery;
create index on deliveries (stream, webhook_endpoint, id);
create index on deliveries (stream, webhook_endpoint, status, id);
create index on deliveries using brin (created_at);

-- Only what is pending, so that what is searched all the time stays small. A claim moves due_at
-- behind the lease: what a dead worker held becomes due again by itself.
create table due_deliveries (
  stream bigint not null,
  delivery text collate "C" not null,
  webhook_endpoint text collate "C" not null,
  due_at timestamptz not null,
  retry boolean not null default false, -- first attempts go before retries
  claim uuid,
  claims int2 not null default 0, -- since the last attempt that was recorded
  primary key (stream, delivery)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on due_deliveries (stream, webhook_endpoint, due_at);

-- How an endpoint is served: how many attempts at once, and when it is its turn.
create table delivery_lanes (
  stream bigint not null,
  webhook_endpoint text collate "C" not null,
  slots int2 not null default 8 check (slots between 2 and 16),
  successes int2 not null default 0,
  slow boolean not null default false,
  served_at timestamptz not null default '-infinity',
  next_due timestamptz not null default 'infinity',
  primary key (stream, webhook_endpoint)
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on delivery_lanes (next_due) where next_due < 'infinity';

-- The events in a row that failed for good, each once.
create table failed_events (
  stream bigint not null,
  webhook_endpoint text collate "C" not null,
  event text collate "C" not null,
  primary key (stream, webhook_endpoint, event)
);

do $$
declare
  plane constant text := current_schema();
  caller constant text := 'svc_' || current_schema();
  worker constant text := 'svc_worker_' || current_schema();
  own text;
begin
  foreach own in array array['webhook_endpoints', 'deliveries', 'due_deliveries', 'delivery_lanes',
                             'failed_events'] loop
    execute format('alter table %I.%I enable row level security', plane, own);
    execute format('alter table %I.%I force row level security', plane, own);
    execute format('create policy tenant on %I.%I to %I using (stream = (select %I.own_stream())%s)',
                   plane, own, caller, plane,
                   -- What was sent is kept for thirty days, in either mode.
                   case own when 'deliveries' then ' and created_at > now() - interval ''30 days''' else '' end);
    execute format('create policy worker on %I.%I to %I using (true)', plane, own, worker);
    execute format('grant select, insert on %I.%I to %I', plane, own, caller);
    execute format('grant select on %I.%I to %I', plane, own, worker);
  end loop;

  execute format('grant update, delete on %I.webhook_endpoints to %I', plane, caller);
  execute format('grant update (status, error, next_attempt_at) on %I.deliveries to %I', plane, caller);
  execute format('grant update, delete on %I.due_deliveries to %I', plane, caller);
  execute format('grant update (next_due), delete on %I.delivery_lanes to %I', plane, caller);
  execute format('grant delete on %I.failed_events to %I', plane, caller);
  execute format('create policy own on %I.streams for update to %I using (id = %I.own_stream())',
                 plane, caller, plane);

  execute format('grant update (status, disabled_at, updated_at, secret, previous_secret) on %I.webhook_endpoints to %I',
                 plane, worker);
  execute format('grant insert, update, delete on %I.deliveries to %I', plane, worker);
  execute format('create policy ended on %I.deliveries as restrictive for delete to %I using (
    created_at <= now() - interval ''30 days'' and status <> ''pending'')', plane, worker);
  execute format('grant insert, update, delete on %I.due_deliveries to %I', plane, worker);
  execute format('grant update on %I.delivery_lanes to %I', plane, worker);
  execute format('grant insert, delete on %I.failed_events to %I', plane, worker);
  -- An endpoint that was disabled is announced.
  execute format('grant insert on %I.events, %I.outbox to %I', plane, plane, worker);
end $$;
