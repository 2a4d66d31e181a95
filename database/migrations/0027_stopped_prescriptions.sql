-- A prescription that isn't sent to the clinic's pharmacy waits for a person, and until someone
-- acts, the patient gets no medication. So the clinic's staff get an email.
-- compatible with 0022

create index stopped_transmissions on pharmacy.transmissions (organization, status_at)
  where status = 'stopped';

-- The clinic's staff with a role who can sign in.
create function pharmacy.staff_with(wanted text, of_organization text) returns setof text
  language sql stable set search_path = pharmacy, pg_temp as $$
  select s.person from auth.staff s join auth.persons p on p.id = s.person and p.disabled_at is null
   where s.organization = of_organization and s.removed_at is null
     and wanted = any (auth.roles_now(s))
$$;

-- Emails everyone with the pharmacy role or, if there's no one, the administrators, who can give the
-- role to someone. A clinic gets at most one email an hour, because a pharmacy that can't be reached
-- stops many prescriptions. Of statements that stop some at the same time, the one with the lock
-- causes the email.
create function pharmacy.email_staff_of_stopped() returns trigger language plpgsql security definer
  set search_path = pharmacy, pg_temp as $$
declare stopped record; role text;
begin
  for stopped in
    select n.organization as clinic, min(n.connection) as connection
      from newer n join older o on o.tenant = n.tenant and o.prescription = n.prescription
     where n.status = 'stopped' and o.status <> 'stopped' group by n.organization
  loop
    continue when not pg_try_advisory_xact_lock(hashtextextended('stopped ' || stopped.clinic, 0))
      or exists (select from transmissions t
                  where t.organization = stopped.clinic and t.status = 'stopped'
                    and t.status_at > clock_timestamp() - interval '1 hour'
                    and not exists (select from newer n
                                     where n.tenant = t.tenant and n.prescription = t.prescription));
    role := case when exists (select from staff_with('pharmacy', stopped.clinic))
                 then 'pharmacy' else 'admin' end;
    perform auth.email_person('prescription_not_sent', person, jsonb_build_object(
              'organization', o.name, 'organization_id', o.id, 'pharmacy', c.name, 'role', role))
       from staff_with(role, stopped.clinic) as s (person), connections c, auth.organizations o
      where c.id = stopped.connection and o.id = stopped.clinic;
  end loop;
  return null;
end $$;
revoke execute on function pharmacy.staff_with, pharmacy.email_staff_of_stopped from public;
create trigger email_staff_of_stopped after update on pharmacy.transmissions
  referencing new table as newer old table as older
  for each statement execute function pharmacy.email_staff_of_stopped();
