-- What the administrators of a clinic change: who is staff, with which roles and licenses, what an
-- integration may do, and the settings. As in 0024, each change is a function that decides it, writes
-- its audit row in the same transaction, and returns null or the code of what it refused. Changes of
-- the staff of one clinic wait for each other at the row of the clinic.

-- As that of 0024, and an act names the clinic for which it was done. A job acts for no person, and is
-- not the operator.
create or replace function auth.record_act(act jsonb, action text, of_mode text, of_integration text,
    of_client text, of_target text, refusal text) returns text language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into audit.entries (mode, integration, organization, actor, person, client, surface, action,
                             target, outcome, status, code, request, address, agent)
  values (of_mode, of_integration, act ->> 'organization',
          coalesce(act ->> 'person', act ->> 'actor', 'operator'), act ->> 'person', of_client,
          act ->> 'surface', action, of_target,
          case when refusal is null then 'ok' else 'refused' end,
          case when refusal is null then 200 else 409 end, refusal, act ->> 'request',
          act ->> 'address', left(act ->> 'agent', 300));
  return refusal;
end $$;

-- Locks the clinic for a change by one of its administrators, or by the operator. Who is no staff
-- learns nothing of it.
create function auth.refuse_clinic_change(of_organization text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare roles_of_person text[];
begin
  perform from organizations
   where id = of_organization and sandbox_of is null and status = 'active' for no key update;
  if not found then return 'unknown_organization'; end if;
  if act ->> 'person' is null then return null; end if;
  select s.roles into roles_of_person from staff s
    join persons p on p.id = s.person and p.disabled_at is null
   where s.organization = of_organization and s.person = act ->> 'person' and s.removed_at is null;
  if not found then return 'unknown_organization'; end if;
  return case when not 'admin' = any (roles_of_person) then 'admin_required' end;
end $$;

-- The last administrator --------------------------------------------------------------------------

create function auth.has_other_admin(of_organization text, member text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from staff s join persons p on p.id = s.person and p.disabled_at is null
    where s.organization = of_organization and s.person <> member and 'admin' = any (s.roles)
      and s.removed_at is null)
$$;

-- The row of the clinic is locked here too, so that a statement beside the functions below cannot
-- leave it without an administrator, nor two of them at once.
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
create trigger keep_an_admin_of_deleted after delete on auth.staff for each row
  when ('admin' = any (old.roles) and old.removed_at is null)
  execute function auth.keep_an_admin();

-- Invitations -------------------------------------------------------------------------------------

-- An invitation is to an integration with a role, or to a clinic with several.
alter table auth.invitations
  add column organization text collate "C" references auth.organizations,
  add column roles text[] check (cardinality(roles) > 0
    and roles <@ array['admin', 'clinician', 'nurse', 'pharmacy', 'records', 'auditor']),
  alter column integration drop not null,
  alter column role drop not null,
  add constraint invitations_to_one check (
    (integration is null) = (role is null) and (organization is null) = (roles is null)
    and (integration is null) <> (organization is null));
create unique index invitations_open_of_clinic on auth.invitations (organization, lower(email))
  where accepted_at is null and cancelled_at is null and organization is not null;
create index on auth.invitations (organization, created_at) where organization is not null;

create function auth.invite_staff(new_id text, of_organization text, to_email text,
    new_roles text[], act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal is null and exists (
    select from staff s join persons p on p.id = s.person
     where s.organization = of_organization and s.removed_at is null
       and lower(p.email) = lower(to_email)) then refusal := 'already_staff'; end if;
  if refusal is null and (select count(*) from invitations where organization = of_organization
       and created_at > clock_timestamp() - interval '1 day') >= 50 then
    refusal := 'too_many_invitations';
  end if;
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where organization = of_organization and lower(email) = lower(to_email)
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

-- As that of 0036, and an invitation may be to a clinic. Who left and is invited again gets the new
-- roles; who is staff keeps theirs.
create or replace function auth.accept_invitation(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text; invited invitations;
begin
  perform from integrations i where i.suspended_at is null
     and i.id = (select integration from invitations where id = old_id) for no key update;
  perform from organizations o where o.id = (select organization from invitations where id = old_id)
     for no key update;
  select * into invited from invitations v
   where id = old_id and accepted_at is null and cancelled_at is null
     and expires_at > clock_timestamp()
     and (exists (select from integrations i where i.id = v.integration and i.suspended_at is null)
       or exists (select from organizations o where o.id = v.organization and o.status = 'active'))
     for update;
  if not found then refusal := 'not_found';
  elsif not exists (select from persons where id = act ->> 'person' and disabled_at is null
     and lower(email) = lower(invited.email)) then refusal := 'other_address';
  elsif exists (select from members where integration = invited.integration
     and person = act ->> 'person' and removed_at is null)
     or exists (select from staff where organization = invited.organization
     and person = act ->> 'person' and removed_at is null) then refusal := 'already_member';
  else
    update invitations set accepted_at = clock_timestamp(), accepted_by = act ->> 'person'
     where id = old_id;
    if invited.integration is not null then
      insert into members (integration, person, role)
      values (invited.integration, act ->> 'person', invited.role)
      on conflict (integration, person) do update
         set role = excluded.role, removed_at = null, created_at = clock_timestamp();
    else
      insert into staff (organization, person, name, roles)
      select invited.organization, p.id, p.name, invited.roles from persons p
       where p.id = act ->> 'person'
      on conflict (organization, person) do update
         set roles = excluded.roles, removed_at = null, created_at = clock_timestamp();
    end if;
  end if;
  if invited.organization is not null then
    act := act || jsonb_build_object('organization', invited.organization);
  end if;
  return record_act(act, 'acceptInvitation', case when invited.organization is not null then 'live' end,
                    invited.integration, null, old_id, refusal);
end $$;

-- As that of 0047, and an invitation may be to a clinic.
create or replace function auth.join_by_invitation(old_id text, new_person text, new_name text,
    new_hash text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare invited invitations; refusal text;
begin
  -- In the order in which the other changes of members and of staff lock.
  perform from integrations i
    where i.id = (select integration from invitations where id = old_id) for no key update;
  perform from organizations o
    where o.id = (select organization from invitations where id = old_id) for no key update;
  select v.* into invited from invitations v
   where v.id = old_id
     and (exists (select from integrations i where i.id = v.integration and i.suspended_at is null)
       or exists (select from organizations o where o.id = v.organization and o.status = 'active'))
     for update of v;
  if invited.id is null or invited.accepted_at is not null or invited.cancelled_at is not null
     or invited.expires_at <= clock_timestamp()
     or not create_person(new_person, invited.email, new_name, new_hash) then
    return record_own_act(act, 'auth.verify_email', null, old_id, 'link_ended');
  end if;
  refusal := accept_invitation(old_id, act || jsonb_build_object('person', new_person));
  if refusal is not null then raise exception 'the invitation was refused: %', refusal; end if;
  return record_own_act(act, 'auth.verify_email', new_person, old_id, null);
end $$;

-- Staff -------------------------------------------------------------------------------------------

-- Locks a member of staff in the version that the form shows. 'own' where the person who asks is the
-- member.
create function auth.refuse_version_of_staff(of_organization text, member text, at_revision bigint)
  returns text language plpgsql set search_path = auth, pg_temp as $$
declare current staff;
begin
  select * into current from staff
   where organization = of_organization and person = member and removed_at is null for no key update;
  if not found then return 'not_found'; end if;
  return case when current.revision <> at_revision then 'version_changed' end;
end $$;

-- An administrator gives themself no further role: another one does, so that no one person gives
-- themself the charts. Everyone may give a role up.
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

-- Licenses stay: what was signed was signed by them.
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

-- The license of a state, new or in place of the one before. An administrator
-- does not record their own, which would let them sign there.
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

-- By an administrator of the clinic that was asked; decide_grant and revoke_grant are the operator's.
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

-- A clinic without a row has the defaults, in revision 0.
create table auth.clinic_settings (
  organization text collate "C" primary key references auth.organizations,
  time_zone text not null default 'America/New_York' check (char_length(time_zone) between 1 and 64),
  contact_email text check (contact_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$'
    and char_length(contact_email) <= 254),
  contact_phone text check (char_length(contact_phone) between 1 and 50),
  -- Where an incident that touches patients is reported.
  incident_email text check (incident_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$'
    and char_length(incident_email) <= 254),
  revision bigint not null default 1 -- counts the changes of the formulary too
);

-- The catalog entries that a clinic dispenses; null: every entry. The trigger of 0002 makes each
-- change count for credentials that were looked up before.
alter table auth.organizations
  add column formulary text[] check (cardinality(formulary) > 0),
  add constraint sandbox_dispenses_all check (sandbox_of is null or formulary is null);
grant select (id, formulary) on auth.organizations to app_console;

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

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('refuse_clinic_change', 'has_other_admin', 'keep_an_admin',
                     'refuse_version_of_staff', 'is_grant_of_clinic', 'refuse_version_of_clinic') loop
    execute format('revoke execute on function %s from public', made);
  end loop;
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('invite_staff', 'cancel_staff_invitation', 'change_staff', 'deactivate_staff',
                     'set_license', 'remove_license', 'decide_grant_of_clinic',
                     'revoke_grant_of_clinic', 'change_clinic_settings', 'change_formulary') loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to app_auth', made);
  end loop;
end $$;

grant select on auth.staff, auth.licenses, auth.clinic_settings to app_auth;
