-- How a further table joins the sandbox's end: its place among the rows that end, its wall with the
-- thirty days in it, and the owner's way in. Called once for each by the migration that comes after
-- the table's own: select test.ends('visits', 130, 'true').
create function test.ends(tenant text, place int, counted text default null,
                          erase text default null, erased text default null)
  returns void language plpgsql set search_path = public, pg_temp as $$
declare
  wall record;
begin
  insert into public.sandbox_tables (position, name, counted, erase, erased)
    values (place, tenant, counted, erase, erased);
  for wall in select policyname from pg_policies
               where schemaname = 'test' and tablename = tenant
                 and policyname in ('tenant', 'worker') and qual = '(stream = opened_stream())' loop
    execute format('alter policy %I on test.%I using (
      stream = public.opened_stream() and created_at > now() - interval ''30 days'')',
      wall.policyname, tenant);
  end loop;
  execute format('create index on test.%I using brin (created_at)', tenant);
  execute format('create policy house on test.%I to %I using (true)', tenant, current_user);
end $$;
revoke execute on function test.ends from public;
