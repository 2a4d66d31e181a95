-- In live a clinician's time is the clinic's, whichever integration books it: one clinician is never
-- in two visits. In test each sandbox has clinicians of its own, as before.

create policy filling on live.visits to current_user using (true);
alter table live.visits add column organization text collate "C"; -- of the tenant, set below
update live.visits v set organization = t.organization from live.tenants t where t.id = v.tenant;
drop policy filling on live.visits;
alter table live.visits
  alter column organization set not null,
  drop constraint one_visit_per_clinician,
  add constraint one_visit_per_clinician exclude using gist
    (organization with =, clinician with =, tstzrange(starts_at, ends_at) with &&)
    where (status in ('scheduled', 'started'));

create function live.name_organization_of_visit() returns trigger language plpgsql
  set search_path = live, pg_temp as $$
begin
  select t.organization into new.organization from tenants t where t.id = new.tenant;
  return new;
end $$;
create trigger name_organization before insert on live.visits
  for each row execute function live.name_organization_of_visit();

-- When a clinician of the caller's clinic is in a visit, of whichever integration: times, and nothing
-- of the visit.
create policy owner on live.visits for select to current_user using (true);
create function live.taken_times(of_clinician text, earliest timestamptz, latest timestamptz)
  returns setof tstzrange language sql stable security definer set search_path = live, pg_temp as $$
  select tstzrange(v.starts_at, v.ends_at) from visits v
   where v.organization = (select t.organization from tenants t where t.id = public.current_tenant())
     and v.clinician = of_clinician and v.status in ('scheduled', 'started')
     and tstzrange(v.starts_at, v.ends_at) && tstzrange(earliest, latest)
$$;
revoke execute on function live.taken_times from public;
grant execute on function live.taken_times to app_live;
