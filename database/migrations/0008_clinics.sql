-- A clinic's staff: people who act for an organization in live mode, each with roles, and
-- clinicians with the licenses they need to decide cases. Being a member of an integration doesn't
-- make someone staff, or the reverse. This file also has the changes that a clinic's administrators
-- make: to its staff, grants, settings, and hours. As in 0006_administration.sql, each change is a
-- function that writes its audit row in the same transaction, and returns null or the code of its
-- refusal. Changes to a clinic's staff lock the clinic's row.

create table auth.staff (
  organization text collate "C" not null references auth.organizations,
  person text collate "C" not null references auth.persons,
  name text not null check (char_length(name) between 1 and 200), -- as patients see it
  roles text[] not null check (cardinality(roles) > 0
    and roles <@ array['admin', 'clinician', 'nurse', 'pharmacy', 'records', 'auditor']),
  created_at timestamptz(3) not null default clock_timestamp(),
  removed_at timestamptz(3),
  -- Set if their account was recovered without a second factor. They have no role until an
  -- administrator confirms their identity.
  recovered_at timestamptz(3),
  -- Counts changes to the person's permissions; each call checks it in its first statement.
  revision bigint not null default 0,
  primary key (organization, person)
);

create table auth.licenses (
  organization text collate "C" not null,
  person text collate "C" not null,
  state text not null check (state ~ '^[A-Z]{2}$'),
  number text not null check (char_length(number) between 1 and 100),
  expires_on date not null, -- the last day it's valid
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (organization, person, state),
  foreign key (organization, person) references auth.staff
);

create function auth.count_change_of_staff() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  new.revision := old.revision + 1;
  return new;
end $$;
create trigger count_change before update on auth.staff
  for each row execute function auth.count_change_of_staff();

create function auth.count_change_of_license() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  update staff set name = name
   where (organization, person) in ((old.organization, old.person), (new.organization, new.person));
  return null;
end $$;
revoke execute on function auth.count_change_of_license() from public;
create trigger count_change after insert or update or delete on auth.licenses
  for each row execute function auth.count_change_of_license();

-- Emergency access: an administrator, who otherwise can't read charts, gets the `records` role's
-- read access for 24 hours, with a reason. It ends on its own, because each call checks whether
-- it's still open.
create table auth.emergency_accesses (
  id text collate "C" primary key,
  organization text collate "C" not null,
  person text collate "C" not null,
  reason text not null check (char_length(reason) between 10 and 500),
  started_at timestamptz(3) not null default clock_timestamp(),
  ends_at timestamptz(3) not null check (ends_at > started_at),
  ended_at timestamptz(3), -- if ended early
  ended_by text collate "C" references auth.persons, -- null: ended with the administrator role
  -- The other administrator who allowed the person to start again within a day of its end.
  again_by text collate "C" references auth.persons check (again_by <> person),
  foreign key (organization, person) references auth.staff
);
create index on auth.emergency_accesses (organization, person, started_at);
grant select on auth.emergency_accesses to app_auth;

-- Removing the administrator role ends emergency access, whichever statement removes it, and
-- reinstating the person doesn't restore it.
create function auth.end_emergency_of_former_admin() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  update emergency_accesses set ended_at = clock_timestamp()
   where organization = new.organization and person = new.person and ended_at is null
     and ends_at > clock_timestamp();
  return null;
end $$;
create trigger end_emergency after update on auth.staff for each row
  when (not 'admin' = any (new.roles) or new.removed_at is not null)
  execute function auth.end_emergency_of_former_admin();

-- When a staff member's emergency access ends; null if they have none.
create function auth.emergency_until(member auth.staff) returns timestamptz
  language sql stable set search_path = auth, pg_temp
  return (select max(e.ends_at) from auth.emergency_accesses e
           where e.organization = member.organization and e.person = member.person
             and e.ended_at is null and e.ends_at > clock_timestamp()
             and member.recovered_at is null);

create function auth.roles_now(member auth.staff) returns text[]
  language sql stable set search_path = auth, pg_temp
  return case when member.recovered_at is null then member.roles else '{}' end;

-- The number that each call checks in its first statement. Emergency access expires without
-- changing a row, so the result includes whether any is open.
create function auth.revision_now(member auth.staff) returns bigint
  language sql stable set search_path = auth, pg_temp
  return member.revision * 2 + (auth.emergency_until(member) is not null)::int;

-- The staff member who calls with a session, which ends after fifteen minutes without use.
-- `states`: where they hold a license valid today. `factor_seconds`: seconds since the second
-- factor was verified or last used for a signature, or null if neither happened in this session.
create function auth.staff_of_session(of_hashes bytea[], of_organization text,
    out id text, out person text, out name text, out roles text[], out emergency_until timestamptz,
    out states text[], out factor_seconds float8, out revision bigint)
  returns setof record language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.person, s.name, auth.roles_now(s), auth.emergency_until(s),
         array(select l.state from licenses l
                where l.organization = s.organization and l.person = s.person
                  and l.expires_on >= current_date order by 1),
         extract(epoch from clock_timestamp() - greatest(k.second_factor_at, k.signed_at))::float8,
         auth.revision_now(s)
    from credentials k
    join persons p on p.id = k.person and p.disabled_at is null
    join staff s on s.person = k.person and s.organization = of_organization
     and s.removed_at is null
    join organizations o on o.id = s.organization and o.sandbox_of is null and o.status = 'active'
   where k.kind = 'session' and k.origin = 'console' and k.hash = any (of_hashes)
     and k.revoked_at is null and k.expires_at > clock_timestamp()
     and coalesce(k.last_used_at, k.created_at) > clock_timestamp() - interval '15 minutes'
$$;

-- Whether the session still belongs to that staff member, with the same roles and licenses.
create function auth.staff_stands(of_session text, of_organization text,
    at_revision bigint)
  returns boolean language sql stable security definer set search_path = auth, pg_temp
  return exists (
    select from auth.credentials k
      join auth.persons p on p.id = k.person and p.disabled_at is null
      join auth.staff s on s.person = k.person and s.organization = of_organization
       and s.removed_at is null and auth.revision_now(s) = at_revision
     where k.id = of_session and k.kind = 'session' and k.origin = 'console'
       and k.revoked_at is null and k.expires_at > clock_timestamp());

revoke execute on function auth.end_emergency_of_former_admin, auth.emergency_until, auth.roles_now,
  auth.revision_now, auth.staff_of_session, auth.staff_stands from public;
grant execute on function auth.emergency_until, auth.roles_now to app_auth;
grant execute on function auth.staff_of_session, auth.staff_stands to app_console;
grant select on auth.staff, auth.licenses to app_auth;

-- Locks the clinic for a change by one of its administrators or the operator. Anyone else gets
-- `unknown_organization`.
create function auth.refuse_clinic_change(of_organization text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare roles_of_person text[];
begin
  perform from organizations
   where id = of_organization and sandbox_of is null and status = 'active' for no key update;
  if not found then return 'unknown_organization'; end if;
  if act ->> 'person' is null then return null; end if;
  select roles_now(s) into roles_of_person from staff s
    join persons p on p.id = s.person and p.disabled_at is null
   where s.organization = of_organization and s.person = act ->> 'person' and s.removed_at is null;
  if not found then return 'unknown_organization'; end if;
  return case when not 'admin' = any (roles_of_person) then 'admin_required' end;
end $$;

-- The last administrator --------------------------------------------------------------------------

create function auth.has_other_admin(of_organization text, member text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from staff s join persons p on p.id = s.person and p.disabled_at is null
    where s.organization = of_organization and s.person <> member and 'admin' = any (roles_now(s))
      and s.removed_at is null)
$$;

-- Whether the person is the last administrator of any clinic.
create function auth.is_last_admin(member text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from staff s join organizations o on o.id = s.organization
    where s.person = member and 'admin' = any (s.roles) and s.removed_at is null
      and o.status = 'active' and not has_other_admin(s.organization, member))
$$;

revoke execute on function auth.is_last_admin from public;

-- Locks the clinic's row as well, so neither another statement nor two simultaneous changes can
-- leave the clinic without an administrator.
create function auth.keep_an_admin() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  perform from organizations where id = old.organization for no key update;
  if not has_other_admin(old.organization, old.person) then
    raise exception 'the last administrator of a clinic stays' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger keep_an_admin after update on auth.staff for each row
  when ('admin' = any (old.roles) and old.removed_at is null
        and (not 'admin' = any (new.roles) or new.removed_at is not null))
  execute function auth.keep_an_admin();
create function auth.keep_an_admin_of_person() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  if is_last_admin(new.id) then
    raise exception 'the last administrator of a clinic stays' using errcode = 'check_violation';
  end if;
  return null;
end $$;
create trigger keep_an_admin after update on auth.persons for each row
  when (old.disabled_at is null and new.disabled_at is not null)
  execute function auth.keep_an_admin_of_person();
create trigger keep_an_admin_of_deleted after delete on auth.staff for each row
  when ('admin' = any (old.roles) and old.removed_at is null)
  execute function auth.keep_an_admin();

-- Invitations -------------------------------------------------------------------------------------

create function auth.invite_staff(new_id text, of_organization text, to_email text,
    new_roles text[], act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null and exists (
    select from staff s join persons p on p.id = s.person
     where s.organization = of_organization and s.removed_at is null
       and public.normalized_email(p.email) = public.normalized_email(to_email)) then refusal := 'already_staff'; end if;
  if refusal is null and (select count(*) from invitations where organization = of_organization
       and created_at > clock_timestamp() - interval '1 day') >= 50 then
    refusal := 'too_many_invitations';
  end if;
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where organization = of_organization and public.normalized_email(email) = public.normalized_email(to_email)
       and accepted_at is null and cancelled_at is null;
    insert into invitations (id, organization, email, roles, invited_by)
    values (new_id, of_organization, to_email, new_roles, act ->> 'person');
    perform site.queue_person_email('staff_invitation', jsonb_build_object(
      'email', to_email, 'invitation', new_id, 'roles', new_roles,
      'organization', (select name from organizations where id = of_organization),
      'by', (select name from persons where id = act ->> 'person')));
  end if;
  return record_act(act, 'inviteStaff', 'live', null, null, new_id, refusal);
end $$;

create function auth.cancel_staff_invitation(old_id text, of_organization text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where id = old_id and organization = of_organization
       and accepted_at is null and cancelled_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'cancelStaffInvitation', 'live', null, null, old_id, refusal);
end $$;

-- Staff -------------------------------------------------------------------------------------------

-- Locks a staff member's row, and refuses the change if it's no longer at the form's revision.
create function auth.refuse_version_of_staff(of_organization text, member text, at_revision bigint)
  returns text language plpgsql set search_path = auth, pg_temp as $$
declare current staff;
begin
  select * into current from staff
   where organization = of_organization and person = member and removed_at is null for no key update;
  if not found then return 'not_found'; end if;
  return case when current.revision <> at_revision then 'version_changed' end;
end $$;

-- Administrators can't give themselves roles, so nobody can give themselves access to charts;
-- another administrator has to. Everyone may give up a role.
create function auth.change_staff(of_organization text, member text, new_name text,
    new_roles text[], at_revision bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act); had text[];
begin
  refusal := coalesce(refusal, refuse_version_of_staff(of_organization, member, at_revision));
  if refusal is null then
    select roles into had from staff where organization = of_organization and person = member;
    if member = act ->> 'person' and not new_roles <@ had then refusal := 'own_roles';
    elsif 'admin' = any (had) and not 'admin' = any (new_roles)
          and not has_other_admin(of_organization, member) then refusal := 'last_admin';
    else
      update staff set name = new_name, roles = new_roles
       where organization = of_organization and person = member;
    end if;
  end if;
  return record_act(act, 'changeStaff', 'live', null, null, member, refusal);
end $$;

-- Stops the recovery of a staff member's account. Any administrator may do so if they doubt that
-- the person is behind it.
create function auth.stop_recovery_of_staff(of_organization text, member text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null then
    update recoveries r set cancelled_at = clock_timestamp()
     where r.person = member and r.begun_at is not null and r.cancelled_at is null
       and r.completed_at is null and r.expires_at > clock_timestamp()
       and exists (select from staff s where s.organization = of_organization and s.person = member
                      and s.removed_at is null);
    if found then perform email_person('recovery_cancelled', member);
    else refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'stopRecoveryOfStaff', 'live', null, null, member, refusal);
end $$;

-- Records another administrator's confirmation that the person has their recovered account back;
-- the operator confirms if there is no other administrator.
create function auth.confirm_staff(of_organization text, member text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null then
    update staff set recovered_at = null
     where organization = of_organization and person = member and removed_at is null
       and recovered_at is not null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'confirmStaff', 'live', null, null, member, refusal);
end $$;

-- Licenses stay, because the person signed under them.
create function auth.deactivate_staff(of_organization text, member text, at_revision bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  refusal := coalesce(refusal, refuse_version_of_staff(of_organization, member, at_revision));
  if refusal is null then
    if exists (select from staff where organization = of_organization and person = member
         and 'admin' = any (roles)) and not has_other_admin(of_organization, member) then
      refusal := 'last_admin';
    else
      update staff set removed_at = clock_timestamp()
       where organization = of_organization and person = member;
    end if;
  end if;
  return record_act(act, 'deactivateStaff', 'live', null, null, member, refusal);
end $$;

-- Sets a state's license, new or replacing the previous one. Administrators can't record their own
-- license, which would let them sign there.
create function auth.set_license(of_organization text, member text, of_state text,
    license_number text, last_day date, at_revision bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  refusal := coalesce(refusal, refuse_version_of_staff(of_organization, member, at_revision));
  if refusal is null and member = act ->> 'person' then refusal := 'own_license'; end if;
  if refusal is null then
    insert into licenses (organization, person, state, number, expires_on)
    values (of_organization, member, of_state, license_number, last_day)
    on conflict (organization, person, state) do update
       set number = excluded.number, expires_on = excluded.expires_on;
  end if;
  return record_act(act, 'setLicense', 'live', null, null, member, refusal);
end $$;

create function auth.remove_license(of_organization text, member text, of_state text,
    at_revision bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  refusal := coalesce(refusal, refuse_version_of_staff(of_organization, member, at_revision));
  if refusal is null then
    delete from licenses
     where organization = of_organization and person = member and state = of_state;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'removeLicense', 'live', null, null, member, refusal);
end $$;

-- Grants ------------------------------------------------------------------------------------------

create function auth.is_grant_of_clinic(of_grant text, of_organization text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from grants
    where id = of_grant and organization = of_organization and mode = 'live')
$$;

-- Called by the clinic's administrators. The operator calls decide_grant and revoke_grant instead.
create function auth.decide_grant_of_clinic(old_id text, of_organization text, given text[],
    for_note text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null and not is_grant_of_clinic(old_id, of_organization) then
    refusal := 'not_found';
  end if;
  if refusal is null then return decide_grant(old_id, given, for_note, act); end if;
  return record_act(act, case when given is null then 'declineGrant' else 'approveGrant' end, 'live',
                    null, null, old_id, refusal);
end $$;

create function auth.revoke_grant_of_clinic(old_id text, of_organization text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null and not is_grant_of_clinic(old_id, of_organization) then
    refusal := 'not_found';
  end if;
  if refusal is null then return revoke_grant(old_id, act); end if;
  return record_act(act, 'revokeGrant', 'live', null, null, old_id, refusal);
end $$;

-- Settings ----------------------------------------------------------------------------------------

-- A clinic without a row has the default settings, at revision 0.
create table auth.clinic_settings (
  organization text collate "C" primary key references auth.organizations,
  time_zone text not null default 'America/New_York' check (char_length(time_zone) between 1 and 64),
  contact_email text check (contact_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$'
    and char_length(contact_email) <= 254),
  contact_phone text check (char_length(contact_phone) between 1 and 50),
  -- Receives incident reports that involve patients.
  incident_email text check (incident_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$'
    and char_length(incident_email) <= 254),
  revision bigint not null default 1 -- also counts formulary changes
);

-- The addresses notified about a staff member's access to charts: the other administrators', or the
-- clinic's own if there are none.
create function auth.watching(of_organization text, member text) returns setof text
  language sql stable security definer set search_path = auth, pg_temp as $$
  select p.email from staff s join persons p on p.id = s.person and p.disabled_at is null
   where s.organization = of_organization and s.person <> member and 'admin' = any (roles_now(s))
     and s.removed_at is null
  union all
  select coalesce(c.incident_email, c.contact_email) from clinic_settings c
   where c.organization = of_organization and not has_other_admin(of_organization, member)
     and coalesce(c.incident_email, c.contact_email) is not null
$$;

-- Emails each of a staff member's clinics that they are recovering their account.
create function auth.email_clinics(what text, of_person text, effective timestamptz) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select site.queue_person_email(what, jsonb_build_object('email', w, 'member', p.email,
           'organization', o.name, 'organization_id', o.id, 'effective_at', public.iso(effective)))
    from staff s join persons p on p.id = s.person
    join organizations o on o.id = s.organization and o.status = 'active',
         watching(s.organization, s.person) w
   where s.person = of_person and s.removed_at is null
$$;
revoke execute on function auth.email_clinics, auth.watching from public;
grant execute on function auth.watching to app_auth;

create function auth.refuse_version_of_clinic(of_organization text, at_revision bigint) returns text
  language sql volatile set search_path = auth, pg_temp as $$
  select case when at_revision is distinct from coalesce(
    (select revision from clinic_settings where organization = of_organization), 0)
    then 'version_changed' end
$$;

-- `settings`: name, time_zone, contact_email, contact_phone and incident_email; null for none.
create function auth.change_clinic_settings(of_organization text, settings jsonb, at_revision bigint,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  refusal := coalesce(refusal, refuse_version_of_clinic(of_organization, at_revision));
  if refusal is null and settings ->> 'incident_email' is null and exists (
    select from grants where organization = of_organization and mode = 'live' and status = 'active')
    then refusal := 'incident_email_required'; end if;
  if refusal is null then
    update organizations set name = settings ->> 'name' where id = of_organization;
    insert into clinic_settings as c (organization, time_zone, contact_email, contact_phone,
                                      incident_email)
    values (of_organization, settings ->> 'time_zone', settings ->> 'contact_email',
            settings ->> 'contact_phone', settings ->> 'incident_email')
    on conflict (organization) do update
       set time_zone = excluded.time_zone, contact_email = excluded.contact_email,
           contact_phone = excluded.contact_phone, incident_email = excluded.incident_email,
           revision = c.revision + 1;
  end if;
  return record_act(act, 'changeClinicSettings', 'live', null, null, of_organization, refusal);
end $$;

create function auth.change_formulary(of_organization text, dispensed text[], at_revision bigint,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  refusal := coalesce(refusal, refuse_version_of_clinic(of_organization, at_revision));
  if refusal is null then
    update organizations set formulary = dispensed where id = of_organization;
    insert into clinic_settings as c (organization) values (of_organization)
    on conflict (organization) do update set revision = c.revision + 1;
  end if;
  return record_act(act, 'changeFormulary', 'live', null, null, of_organization, refusal);
end $$;

revoke execute on function auth.refuse_clinic_change, auth.has_other_admin, auth.keep_an_admin, auth.keep_an_admin_of_person,
  auth.refuse_version_of_staff, auth.is_grant_of_clinic, auth.refuse_version_of_clinic,
  auth.invite_staff, auth.cancel_staff_invitation, auth.change_staff, auth.deactivate_staff,
  auth.stop_recovery_of_staff, auth.confirm_staff,
  auth.set_license, auth.remove_license, auth.decide_grant_of_clinic, auth.revoke_grant_of_clinic,
  auth.change_clinic_settings, auth.change_formulary from public;
grant execute on function auth.invite_staff, auth.cancel_staff_invitation, auth.change_staff,
  auth.deactivate_staff, auth.stop_recovery_of_staff, auth.confirm_staff, auth.set_license, auth.remove_license, auth.decide_grant_of_clinic,
  auth.revoke_grant_of_clinic, auth.change_clinic_settings, auth.change_formulary to app_auth;
grant select on auth.clinic_settings to app_auth;
grant select (organization, time_zone) on auth.clinic_settings to app_console;

-- Record retention ----------------------------------------------------------------------------------

-- A clinic without a row has no policy, and its records aren't destroyed. A policy takes effect at
-- `starts_at`, thirty days after it was set, so the clinic can first review what becomes due.
create table auth.retention_policies (
  organization text collate "C" primary key references auth.organizations,
  years int not null check (years between 6 and 100), -- after the last activity
  minor_age int not null check (minor_age between 18 and 100), -- the patient's minimum age
  starts_at timestamptz(3) not null,
  revision bigint not null default 1
);
grant select on auth.retention_policies to app_auth, app_console;

-- Called by an administrator or the records role.
create function auth.set_retention_policy(of_organization text, new_years int, new_minor_age int,
    at_revision bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal = 'admin_required' and exists (
    select from staff s where organization = of_organization and person = act ->> 'person'
       and removed_at is null and 'records' = any (roles_now(s))) then refusal := null; end if;
  if refusal is null and at_revision is distinct from coalesce(
    (select revision from retention_policies where organization = of_organization), 0)
    then refusal := 'version_changed'; end if;
  if refusal is null then
    insert into retention_policies as p (organization, years, minor_age, starts_at)
    values (of_organization, new_years, new_minor_age, clock_timestamp() + interval '30 days')
    on conflict (organization) do update
       set years = excluded.years, minor_age = excluded.minor_age, starts_at = excluded.starts_at,
           revision = p.revision + 1;
  end if;
  return record_act(act, 'setRetentionPolicy', 'live', null, null, of_organization, refusal);
end $$;
revoke execute on function auth.set_retention_policy from public;
grant execute on function auth.set_retention_policy to app_auth;

-- Working hours ------------------------------------------------------------------------------------

-- When a clinic's clinicians see patients in live mode: weekly hours in a time zone, plus single
-- periods of time off or extra hours.
create table auth.working_hours (
  id text collate "C" primary key,
  organization text collate "C" not null,
  person text collate "C" not null,
  weekday int not null check (weekday between 0 and 6), -- Sunday is 0
  starts_at time not null,
  ends_at time not null check (ends_at > starts_at),
  time_zone text not null,
  valid_from date not null,
  valid_to date check (valid_to >= valid_from), -- the last day; null: until it is removed
  foreign key (organization, person) references auth.staff
);
create index on auth.working_hours (organization, person);

create table auth.calendar_exceptions (
  id text collate "C" primary key,
  organization text collate "C" not null,
  person text collate "C" not null,
  kind text not null check (kind in ('off', 'extra')),
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  foreign key (organization, person) references auth.staff
);
create index on auth.calendar_exceptions using gist
  (organization, person, tstzrange(starts_at, ends_at));

-- Administrators may change any clinician's hours; clinicians may change only their own.
create function auth.refuse_change_of_hours(of_organization text, of_person text, act jsonb)
  returns text language plpgsql set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal = 'admin_required' and act ->> 'person' = of_person then refusal := null; end if;
  if refusal is null and not exists (
    select from staff where organization = of_organization and person = of_person
       and removed_at is null and 'clinician' = any (roles)) then refusal := 'not_found'; end if;
  return refusal;
end $$;
revoke execute on function auth.refuse_change_of_hours from public;

create function auth.add_working_hours(new_id text, of_organization text, of_person text, hours jsonb,
    act jsonb) returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  refusal text := refuse_change_of_hours(of_organization, of_person, act);
  wanted working_hours := jsonb_populate_record(null::working_hours, hours);
begin
  if refusal is null and (select count(*) from working_hours
    where organization = of_organization and person = of_person) >= 100 then
    refusal := 'too_many';
  end if;
  if refusal is null then
    insert into working_hours (id, organization, person, weekday, starts_at, ends_at, time_zone,
                               valid_from, valid_to)
    values (new_id, of_organization, of_person, wanted.weekday, wanted.starts_at, wanted.ends_at,
            wanted.time_zone, coalesce(wanted.valid_from, current_date), wanted.valid_to);
  end if;
  return record_act(act, 'addWorkingHours', 'live', null, null, of_person, refusal);
end $$;

create function auth.add_calendar_exception(new_id text, of_organization text, of_person text,
    of_kind text, starts timestamptz, ends timestamptz, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_change_of_hours(of_organization, of_person, act);
begin
  if refusal is null and (select count(*) from calendar_exceptions
    where organization = of_organization and person = of_person and ends_at > now()) >= 500 then
    refusal := 'too_many';
  end if;
  if refusal is null then
    insert into calendar_exceptions (id, organization, person, kind, starts_at, ends_at)
    values (new_id, of_organization, of_person, of_kind, starts, ends);
  end if;
  return record_act(act, 'addCalendarException', 'live', null, null, of_person, refusal);
end $$;

-- Removes hours or an exception. Booked visits stay.
create function auth.remove_from_calendar(old_id text, of_organization text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  whose text := coalesce(
    (select person from working_hours where id = old_id and organization = of_organization),
    (select person from calendar_exceptions where id = old_id and organization = of_organization));
  refusal text := refuse_change_of_hours(of_organization, whose, act);
begin
  if refusal is null then
    delete from working_hours where id = old_id and organization = of_organization;
    delete from calendar_exceptions where id = old_id and organization = of_organization;
  end if;
  return record_act(act, 'removeFromCalendar', 'live', null, null, whose, refusal);
end $$;
-- Sets a person's own time zone; null means the clinic's.
create function auth.change_time_zone(of_person text, zone text) returns void
  language sql security definer set search_path = auth, pg_temp as $$
  update persons set time_zone = zone where id = of_person and disabled_at is null
$$;
revoke execute on function auth.change_time_zone from public;
grant execute on function auth.change_time_zone to app_auth;

revoke execute on function auth.add_working_hours, auth.add_calendar_exception,
  auth.remove_from_calendar from public;
grant execute on function auth.add_working_hours, auth.add_calendar_exception,
  auth.remove_from_calendar to app_auth;
grant select on auth.working_hours, auth.calendar_exceptions to app_auth;

-- Emergency access -----------------------------------------------------------------------------------

-- Emails the other administrators or, if there are none, the clinic's address for incidents. The
-- email omits the reason, which may name a patient.
create function auth.start_emergency_access(new_id text, of_organization text, for_reason text,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act); member staff; until timestamptz;
begin
  if refusal is null then
    select * into member from staff
     where organization = of_organization and person = act ->> 'person' for no key update;
    if not found then refusal := 'admin_required';
    elsif 'records' = any (member.roles) then refusal := 'has_records';
    elsif emergency_until(member) is not null then refusal := 'already_started';
    elsif exists (select from emergency_accesses e
       where e.organization = of_organization and e.person = member.person and e.again_by is null
         and coalesce(e.ended_at, e.ends_at) > clock_timestamp() - interval '24 hours') then
      refusal := 'too_soon';
    elsif not exists (select from watching(of_organization, member.person)) then
      refusal := 'no_recipient';
    end if;
  end if;
  if refusal is null then
    insert into emergency_accesses (id, organization, person, reason, ends_at)
    values (new_id, of_organization, member.person, for_reason,
            clock_timestamp() + interval '24 hours')
    returning ends_at into until;
    update staff set name = name where organization = of_organization and person = member.person;
    perform site.queue_person_email('emergency_access_started', jsonb_build_object(
        'email', w, 'name', member.name, 'ends_at', public.iso(until),
        'organization_id', of_organization,
        'organization', (select o.name from organizations o where o.id = of_organization)))
      from watching(of_organization, member.person) w;
  end if;
  return record_act(act, 'startEmergencyAccess', 'live', null, null, new_id, refusal);
end $$;

-- Called by any administrator, including the person themselves.
create function auth.end_emergency_access(old_id text, of_organization text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act); who text;
begin
  if refusal is null and act ->> 'person' is null then refusal := 'admin_required'; end if;
  if refusal is null then
    update emergency_accesses set ended_at = clock_timestamp(), ended_by = act ->> 'person'
     where id = old_id and organization = of_organization and ended_at is null
       and ends_at > clock_timestamp()
    returning person into who;
    if not found then refusal := 'not_found'; end if;
    update staff set name = name where organization = of_organization and person = who;
  end if;
  return record_act(act, 'endEmergencyAccess', 'live', null, null, old_id, refusal);
end $$;

-- Allows the person to start again within a day of its end.
create function auth.allow_emergency_access(old_id text, of_organization text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act); taker text;
begin
  select person into taker from emergency_accesses
   where id = old_id and organization = of_organization and again_by is null
     and coalesce(ended_at, ends_at) > clock_timestamp() - interval '24 hours';
  if refusal is null then
    if taker is null then refusal := 'not_found';
    elsif act ->> 'person' is null then refusal := 'admin_required';
    elsif taker = act ->> 'person' then refusal := 'own_access';
    else update emergency_accesses set again_by = act ->> 'person' where id = old_id;
    end if;
  end if;
  return record_act(act, 'allowEmergencyAccess', 'live', null, null, old_id, refusal);
end $$;

-- Whether a staff member had emergency access at that time.
create function auth.was_emergency(of_organization text, of_person text, moment timestamptz)
  returns boolean language sql stable set search_path = auth, pg_temp
  return exists (select from auth.emergency_accesses e
    where e.organization = of_organization and e.person = of_person and e.started_at <= moment
      and moment < coalesce(e.ended_at, e.ends_at));

revoke execute on function auth.start_emergency_access, auth.end_emergency_access,
  auth.allow_emergency_access, auth.was_emergency from public;
grant execute on function auth.start_emergency_access, auth.end_emergency_access,
  auth.allow_emergency_access to app_auth;

-- Activity -------------------------------------------------------------------------------------------

-- The current organization's activity, newest first, with each staff member's name and whether they
-- had emergency access. Null `targets` means any. `before` selects rows older than that row. The
-- statement includes only the given conditions, so each combination gets its own plan.
create function audit.clinic_activity(of_person text, targets text[], since timestamptz,
    until timestamptz, before bigint, most int)
  returns table (seq bigint, at timestamptz, person text, name text, action text, target text,
                 integration text, outcome text, code text, address text, is_emergency boolean)
  language plpgsql stable security definer set search_path = audit, pg_temp as $$
begin
  return query execute
    'select e.seq, e.at, e.person, s.name, e.action, e.target, e.integration, e.outcome::text, e.code,
            e.address, auth.was_emergency(e.organization, e.person, e.at)
       from audit.entries e
       left join auth.staff s on s.organization = e.organization and s.person = e.person
      where e.surface = ''console'' and e.organization = $1'
    || case when of_person is null then '' else ' and e.person = $2' end
    || case when targets is null then '' else ' and e.seq in (
         select t.seq from audit.entries t where t.surface = ''console'' and t.organization = $1
            and t.target = any ($3)
         union all
         select p.seq from audit.entries p where p.mode = ''live'' and p.patients && $3
            and p.target is null)' end
    || case when since is null then '' else ' and e.at >= $4' end
    || case when until is null then '' else ' and e.at < $5' end
    || case when before is null then ''
            else ' and (e.at, e.seq) < (select b.at, b.seq from audit.entries b where b.seq = $6)' end
    || ' order by e.at desc, e.seq desc limit $7'
    using public.current_organization(), of_person, targets, since, until, before, most;
end $$;
revoke execute on function audit.clinic_activity from public;
grant execute on function audit.clinic_activity to app_console;

-- Who saw a patient: calls by staff, the integration with its own credentials, its members, agents
-- and the worker. Returns the current organization's rows, newest first. `before` selects rows
-- older than that row.
create function audit.accesses(targets text[], since timestamptz, until timestamptz, before bigint,
    most int)
  returns table (seq bigint, at timestamptz, surface text, person text, name text, client text,
                 integration text, action text, target text, outcome text, code text, address text)
  language sql stable security definer set search_path = audit, pg_temp as $$
  with place as (select b.at, b.seq from entries b where b.seq = before),
  found as (
    (select * from entries e
      where e.surface = 'console' and e.organization = public.current_organization()
        and e.target = any (targets) and e.at >= coalesce(since, '-infinity')
        and e.at < coalesce(until, 'infinity')
        and (before is null or (e.at, e.seq) < (select p.at, p.seq from place p)))
    union all
    (select * from entries e
      where e.mode = 'live' and e.surface <> 'console' and e.target = any (targets)
        and e.organization = public.current_organization()
        and e.at >= coalesce(since, '-infinity') and e.at < coalesce(until, 'infinity')
        and (before is null or (e.at, e.seq) < (select p.at, p.seq from place p)))
    union all
    (select * from entries e
      where e.mode = 'live' and e.patients && targets and e.target is null
        and e.organization = public.current_organization()
        and e.at >= coalesce(since, '-infinity') and e.at < coalesce(until, 'infinity')
        and (before is null or (e.at, e.seq) < (select p.at, p.seq from place p)))
  )
  select f.seq, f.at, f.surface, f.person, coalesce(s.name, p.name), c.name, i.name, f.action,
         f.target, f.outcome, f.code, f.address
    from (select * from found order by at desc, seq desc limit most) f
    left join auth.staff s on f.surface = 'console' and s.organization = f.organization
     and s.person = f.person
    left join auth.persons p on p.id = f.person
    left join auth.clients c on c.id = f.client
    left join auth.integrations i on i.id = f.integration
   order by f.at desc, f.seq desc
$$;
revoke execute on function audit.accesses from public;
grant execute on function audit.accesses to app_console;
