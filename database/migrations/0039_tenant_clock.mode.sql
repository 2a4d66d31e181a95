-- The clock of a tenant. In live it is real time. In test it may be ahead of it, by the same time
-- for all tenants of an integration, which are its sandbox: a worker advances it
-- (advance_sandbox), and a reset may set it back.
--
-- What is promised to integrators in the time of the tenant is stored in that time and compared
-- with tenant_now(). When a worker does something is stored in real time: the due times of
-- deliveries, and the end of a webhook secret's grace. An advance brings those nearer.

alter table tenants add column ahead_ms bigint not null default 0
  check (ahead_ms between 0 and 315360000000); -- ten years
alter table tenants add constraint live_is_real_time check (ahead_ms = 0); -- only live
create index advanced_tenants on tenants (id) where ahead_ms > 0; -- only test

-- The time of the tenant that this session has set, constant in a statement.
create function tenant_now() returns timestamptz language sql stable parallel safe
  return now() -- only live
  return (select now() + ahead_ms * interval '1 ms' from tenants where id = public.current_tenant()) -- only test
;
