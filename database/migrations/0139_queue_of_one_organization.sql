-- The queue of a clinician who is licensed where no case waits reads every case that waits, and the
-- patient of each. The policies of the console compared the tenant of each of these rows with every
-- tenant of the clinic.

create policy filling on live.cases to current_user using (true);
alter table live.cases add column organization text collate "C"; -- of the tenant, set below
update live.cases c set organization = t.organization from live.tenants t where t.id = c.tenant;
drop policy filling on live.cases;
alter table live.cases alter column organization set not null;

create function live.name_organization_of_case() returns trigger language plpgsql
  set search_path = live, pg_temp as $$
begin
  select t.organization into new.organization from tenants t where t.id = new.tenant;
  return new;
end $$;
create trigger name_organization before insert on live.cases
  for each row execute function live.name_organization_of_case();

-- The statuses are those of `queueStatuses` (contract/console/cases.ts).
drop index live.cases_that_wait;
create index cases_that_wait on live.cases (organization, id)
  where status in ('queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration');

-- A sub-select is evaluated once for each statement.
alter policy console on live.cases using (organization = (select public.current_organization()));
-- Hashed, where an array is searched from its start for each row.
alter policy console on live.patients using (tenant in (
  select t.id from live.tenants t where t.organization = (select public.current_organization())));
