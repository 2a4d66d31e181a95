-- A tenant is one integration acting for one organization in this mode. Its row is the lock, the
-- clock and the sequence for everything written under it. Every id and created_at comes from
-- next_timestamp, which each write calls last, holding its lock until the commit. Ids therefore
-- have the same order as created_at and commits, and a poller that uses `since` misses nothing.
--
-- Rows refer to their tenant without a foreign key, because the row-level-security policies admit
-- only the tenant of the session's credential, and a check against the row that every write updates
-- would cost a lock.

-- In tables that every call writes, single-column checks are domains: PostgreSQL keeps a domain's
-- check from one statement to the next, but parses and plans a table's each time.
create domain lead_ms as bigint -- how far a clock is ahead: up to ten years in test mode
  check (value between 0 and 315360000000) -- only test
  constraint live_is_real_time check (value = 0) -- only live
;
create domain idempotency_key as text collate "C" check (octet_length(value) between 1 and 255);
create domain fingerprint as bytea check (octet_length(value) = 32);
create domain success as int2 check (value between 200 and 299);

create table tenants (
  id bigint generated always as identity primary key,
  integration text not null references auth.integrations,
  organization text references auth.organizations, -- null: the integration's own tenant, see below
  last timestamptz(3) not null default '2000-01-01', -- the latest timestamp issued
  previous bigint unique references tenants, -- a sandbox reset replaced that tenant with this one
  retired_at timestamptz(3),
  emptied_at timestamptz(3), -- when a retired tenant's last row was removed
  ahead_ms lead_ms not null default 0,
  -- These columns are set only on an integration's own tenant. They say whether anyone follows its
  -- events. If nobody does, writes don't wake the workers, and the workers don't read the events.
  has_enabled_endpoint boolean not null default false,
  -- The period in which some realtime token is valid, without a gap.
  realtime_from timestamptz,
  realtime_until timestamptz
  , invoiced_until timestamptz -- only live
) with (fillfactor = 50);
create unique index on tenants (integration, organization) where retired_at is null;
create index advanced_tenants on tenants (id) where ahead_ms > 0; -- only test
create index followed_integrations on tenants (integration)
  where organization is null and retired_at is null
    and (has_enabled_endpoint or realtime_until is not null);
create index tenants_by_organization on tenants (organization); -- only live
-- For invoices, which include the charges of an integration's retired tenants. The other indexes
-- leave out retired tenants.
create index tenants_of_integration on tenants (integration); -- only live

-- Webhook endpoints and deliveries belong to an integration, not to a clinic, so they use the
-- integration's own tenant: one without an organization, created with the integration's first
-- tenant.
create unique index one_integration_tenant on tenants (integration)
  where organization is null and retired_at is null;

create function open_integration_tenant() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.tenants (integration) values ($1) on conflict do nothing',
                 tg_table_schema) using new.integration;
  return null;
end $$;
create trigger integration_tenant after insert on tenants
  for each row when (new.organization is not null) execute function open_integration_tenant();

-- The integration's own tenant, for the tenant this session has set.
create function integration_tenant() returns bigint language sql stable parallel safe
  return (select own.id from tenants opened
            join tenants own on own.integration = opened.integration
             and own.organization is null and own.retired_at is null
           where opened.id = public.current_tenant());

-- Creating or retiring a tenant changes its keys' permissions; a new timestamp doesn't.
create trigger bump_revision after insert or delete on tenants
  for each row execute function auth.bump_revision();
create trigger bump_revision_when_retired after update of integration, organization, retired_at
  on tenants for each row execute function auth.bump_revision();

-- A credential lookup reads all tenants. Updates are limited to the current tenant and its
-- integration's own.
alter table tenants enable row level security;
create policy read on tenants for select to app_{mode} using (true);
-- A case expression, because an index scan for two policies, or for an `or`, looks up both tenants
-- first.
create policy own on tenants for update to app_{mode} using (
  case when id = public.current_tenant() then true else id = integration_tenant() end);
create policy worker on tenants to app_worker_{mode} using (true);
grant select, update (last) on tenants to app_{mode}, app_worker_{mode};
grant update (realtime_from, realtime_until) on tenants to app_{mode};

-- A tenant's clock. In live mode it's real time. In test mode it may be ahead, by the same amount
-- for all of an integration's tenants, which together are its sandbox. A worker advances the clock
-- (advance_sandbox), and a reset may set it back.
--
-- Times in the API are stored in the tenant's time and compared with tenant_now(). Times that the
-- worker acts on are stored in real time: due times of deliveries, and the end of a webhook
-- secret's grace period. An advance moves those earlier.

-- The time of the tenant set by this session, constant within a statement.
create function tenant_now() returns timestamptz language sql stable parallel safe
  return now() -- only live
  return (select now() + ahead_ms * interval '1 ms' from tenants where id = public.current_tenant()) -- only test
;
-- Rows older than this are hidden, and removed soon after. A view, because the planner expands it;
-- a function would be planned again for every table in a statement.
-- begin only test
create view kept_since with (security_invoker) as
  select now() + ahead_ms * interval '1 ms' - interval '30 days' as at
    from tenants where id = public.current_tenant();
grant select on kept_since to app_{mode}, app_worker_{mode};
-- end only
-- The time of any tenant.
create function tenant_now(of_tenant bigint) returns timestamptz language sql stable -- only test
  return (select now() + ahead_ms * interval '1 ms' from tenants where id = of_tenant); -- only test

-- Returns the first of n unused milliseconds of the tenant, or null if the tenant is retired.
create function next_timestamp(tenant bigint, n int) returns timestamptz language plpgsql volatile as $$
declare
  first timestamptz;
begin
  update tenants
     set last = greatest(date_trunc('milliseconds', clock_timestamp()
                                    + ahead_ms * interval '1 ms' -- only test
                         ), last + interval '1 ms') + (n - 1) * interval '1 ms'
   where id = tenant and retired_at is null
  returning last - (n - 1) * interval '1 ms' into first;
  return first;
end $$;

-- A finished write, stored under its Idempotency-Key in the write's transaction: the record exists
-- if and only if the write committed.
create table idempotency_keys (
  tenant bigint not null,
  key idempotency_key not null,
  fingerprint fingerprint not null,
  operation text not null,
  credential text not null,
  request text not null,
  status success not null,
  answer text not null,
  location text,
  patient text collate "C", -- the patient in the response, which is erased with the patient
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (tenant, key)
) with (fillfactor = 90);
create index on idempotency_keys (expires_at);
create index on idempotency_keys (tenant, patient) where patient is not null;
alter table idempotency_keys enable row level security;
alter table idempotency_keys force row level security;
create policy tenant on idempotency_keys to app_{mode} using (tenant = public.current_tenant());
create policy owner on idempotency_keys to current_user using (true);
-- A record is deleted once it expires, and its response is erased with its patient.
grant select, insert, delete, update (answer) on idempotency_keys to app_{mode};

create table events (
  tenant bigint not null,
  id text collate "C" not null,
  type text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  status text not null,
  previous_status text,
  fabricated json, -- a triggered event's resource, which exists nowhere else
  created_at timestamptz(3) not null,
  request text collate "C", -- the request that caused it; null: no request
  -- Real time, because a tenant's clock may be ahead: an endpoint gets the events written since it
  -- started listening.
  written_at timestamptz not null default now(),
  -- The only endpoint that a triggered event is for, whatever that endpoint subscribes to.
  webhook_endpoint text collate "C",
  primary key (tenant, id)
);
create index on events (tenant, type, id);
create index on events (tenant, resource_id, id);
-- The tenant's clock may be far from the request's time, so an event's own id doesn't help to find
-- it by request. Requests arrive in id order, so inserts write only the index's last page.
create index on events (request) where request is not null;
create index on events using brin (created_at); -- only test
alter table events enable row level security;
alter table events force row level security;
create policy tenant on events to app_{mode} using (tenant = public.current_tenant()
  and created_at > (select at from kept_since) -- only test
);
create policy worker on events to app_worker_{mode} using (true);
-- For deliveries_behind, which counts late events in live mode.
create policy owner on events
  for select -- only live
  to current_user using (true);
-- The worker inserts an event when it disables an endpoint.
grant select, insert on events to app_{mode}, app_worker_{mode};
