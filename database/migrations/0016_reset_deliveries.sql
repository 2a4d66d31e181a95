-- A reset also removes the deliveries of the sandbox that it empties. They belong to the
-- integration's own tenant, which a reset keeps, so they are hidden by the tenant of their event
-- from the commit of the reset on, and a worker deletes them afterwards.

-- The tenants of the integration whose tenant this session has set, without those that a reset
-- retired.
create function test.integration_tenants() returns bigint[] language sql stable parallel safe
  return array(select s.id from test.tenants opened
                 join test.tenants s on s.integration = opened.integration and s.retired_at is null
                where opened.id = public.current_tenant());

-- The subselect makes PostgreSQL call the function once per statement.
create policy not_reset on test.deliveries as restrictive for select to app_test
  using (event_tenant = any ((select test.integration_tenants())::bigint[]));

alter policy expired on test.deliveries
  using ((created_at <= now() - interval '30 days' and status <> 'pending')
         or exists (select from test.tenants t where t.id = event_tenant and t.retired_at is not null));
