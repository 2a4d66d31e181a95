-- The worker's two roles, one for each plane. They own nothing either. What the gateway's roles may
-- see of one stream at a time, these see of every stream of their plane, but only in the few tables
-- that work is found in (0009); everything else they open one stream at a time, as the gateway does.

do $$
begin
  if not exists (select from pg_roles where rolname = 'svc_worker_test') then
    create role svc_worker_test login;
  end if;
  if not exists (select from pg_roles where rolname = 'svc_worker_live') then
    create role svc_worker_live login;
  end if;
exception when duplicate_object or unique_violation then null; -- another database's migration won
end $$;

grant usage on schema public, auth to svc_worker_test, svc_worker_live;
grant usage on schema test to svc_worker_test;
grant usage on schema live to svc_worker_live;

-- What a clinic granted decides what may be embedded in a delivery.
grant select on auth.grants to svc_worker_test, svc_worker_live;
create policy worker_test on auth.grants for select to svc_worker_test using (mode = 'test');
create policy worker_live on auth.grants for select to svc_worker_live using (mode = 'live');
