-- A replay sends the events of a span of time to one endpoint again: a job that a worker advances in
-- steps, each one statement. It belongs to the integration's own tenant, like the deliveries that it
-- makes, and its events to the tenant of the organization that it was asked for.

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
  position text collate "C" not null, -- the last event that it looked at, or an id before the first
  due_at timestamptz not null default now(), -- of its next step
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
    and created_at > (select tenant_now()) - interval '30 days' -- only test
  );
create policy worker on replays to app_worker_{mode} using (true);
grant select, insert, update (status, ended_at) on replays to app_{mode};
grant select, update (status, reason, position, due_at, ended_at), delete
  on replays to app_worker_{mode};

-- The replay that made a delivery. The indexes hold such deliveries alone, and redeliveries.
alter table deliveries add column replay text collate "C";
create index on deliveries (tenant, replay, status) where replay is not null;
create index on deliveries (tenant, webhook_endpoint, event) where redelivery;
