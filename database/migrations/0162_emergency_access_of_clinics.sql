-- Emergency access of a clinic: an administrator, who sees no chart, takes the role `records` for 24
-- hours with a reason. Nothing has to run for it to end: each call asks whether it still counts.
-- compatible with 0152

create table auth.emergency_accesses (
  id text collate "C" primary key,
  organization text collate "C" not null,
  person text collate "C" not null,
  reason text not null check (char_length(reason) between 10 and 500),
  started_at timestamptz(3) not null default clock_timestamp(),
  ends_at timestamptz(3) not null check (ends_at > started_at),
  ended_at timestamptz(3), -- before its time
  ended_by text collate "C" references auth.persons, -- null: with the role of an administrator
  foreign key (organization, person) references auth.staff
);
create index on auth.emergency_accesses (organization, person, started_at);
grant select on auth.emergency_accesses to app_auth;

-- Who is no administrator any longer has none, by whatever statement, and none again when they are
-- one again.
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

-- Until when a member of staff has the role by it; null: they have not.
create function auth.emergency_until(member auth.staff) returns timestamptz
  language sql stable set search_path = auth, pg_temp
  return (select max(e.ends_at) from auth.emergency_accesses e
           where e.organization = member.organization and e.person = member.person
             and e.ended_at is null and e.ends_at > clock_timestamp());

create function auth.roles_now(member auth.staff) returns text[]
  language sql stable set search_path = auth, pg_temp
  return case when auth.emergency_until(member) is null then member.roles
              else array_append(member.roles, 'records') end;

-- What a call compares in the statement that acts. That an emergency access has ended by itself
-- changes no row, so whether there is one is part of it.
create function auth.revision_now(member auth.staff) returns bigint
  language sql stable set search_path = auth, pg_temp
  return member.revision * 2 + (auth.emergency_until(member) is not null)::int;

-- As those of 0095, with the roles of this moment.
create or replace function auth.staff_of_session(of_hashes bytea[], of_organization text,
    out id text, out person text, out name text, out roles text[], out states text[],
    out factor_seconds float8, out revision bigint)
  returns setof record language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.person, s.name, auth.roles_now(s),
         array(select l.state from licenses l
                where l.organization = s.organization and l.person = s.person
                  and l.expires_on >= current_date order by 1),
         extract(epoch from clock_timestamp() - k.second_factor_at)::float8, auth.revision_now(s)
    from credentials k
    join persons p on p.id = k.person and p.disabled_at is null
    join staff s on s.person = k.person and s.organization = of_organization
     and s.removed_at is null
    join organizations o on o.id = s.organization and o.sandbox_of is null and o.status = 'active'
   where k.kind = 'session' and k.origin = 'console' and k.hash = any (of_hashes)
     and k.revoked_at is null and k.expires_at > clock_timestamp()
     and coalesce(k.last_used_at, k.created_at) > clock_timestamp() - interval '15 minutes'
$$;

create or replace function auth.staff_stands(of_session text, of_organization text,
    at_revision bigint)
  returns boolean language sql stable security definer set search_path = auth, pg_temp
  return exists (
    select from auth.credentials k
      join auth.persons p on p.id = k.person and p.disabled_at is null
      join auth.staff s on s.person = k.person and s.organization = of_organization
       and s.removed_at is null and auth.revision_now(s) = at_revision
     where k.id = of_session and k.kind = 'session' and k.origin = 'console'
       and k.revoked_at is null and k.expires_at > clock_timestamp());

-- The other administrators are emailed; where there is none, the address for incidents. The reason
-- may name a patient, and is not in the email.
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
    end if;
  end if;
  if refusal is null then
    insert into emergency_accesses (id, organization, person, reason, ends_at)
    values (new_id, of_organization, member.person, for_reason,
            clock_timestamp() + interval '24 hours')
    returning ends_at into until;
    update staff set name = name where organization = of_organization and person = member.person;
    perform site.queue_person_email('emergency_access_started', jsonb_build_object(
        'email', t.email, 'name', member.name, 'ends_at', public.iso(until),
        'organization', (select o.name from organizations o where o.id = of_organization)))
      from (select p.email from staff s join persons p on p.id = s.person and p.disabled_at is null
             where s.organization = of_organization and s.person <> member.person
               and 'admin' = any (s.roles) and s.removed_at is null
             union all
            select coalesce(c.incident_email, c.contact_email) from clinic_settings c
             where c.organization = of_organization
               and not has_other_admin(of_organization, member.person)) t
     where t.email is not null;
  end if;
  return record_act(act, 'startEmergencyAccess', 'live', null, null, new_id, refusal);
end $$;

-- By any administrator: the person themself or another.
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

-- Whether a member of staff acted at that moment under emergency access.
create function auth.was_emergency(of_organization text, of_person text, moment timestamptz)
  returns boolean language sql stable set search_path = auth, pg_temp
  return exists (select from auth.emergency_accesses e
    where e.organization = of_organization and e.person = of_person and e.started_at <= moment
      and moment < coalesce(e.ended_at, e.ends_at));

-- As that of 0106, and each row says whether it was under emergency access.
drop function audit.clinic_activity;
create function audit.clinic_activity(of_person text, targets text[], since timestamptz,
    until timestamptz, before bigint, most int)
  returns table (seq bigint, at timestamptz, person text, name text, action text, target text,
                 integration text, outcome text, code text, address text, is_emergency boolean)
  language plpgsql stable security definer set search_path = audit, pg_temp as $$
begin
  return query execute
    'select e.seq, e.at, e.person, s.name, e.action, e.target, e.integration, e.outcome, e.code,
            e.address, auth.was_emergency(e.organization, e.person, e.at)
       from audit.entries e
       left join auth.staff s on s.organization = e.organization and s.person = e.person
      where e.surface = ''console'' and e.organization = $1'
    || case when of_person is null then '' else ' and e.person = $2' end
    || case when targets is null then '' else ' and e.target = any ($3)' end
    || case when since is null then '' else ' and e.at >= $4' end
    || case when until is null then '' else ' and e.at < $5' end
    || case when before is null then ''
            else ' and (e.at, e.seq) < (select b.at, b.seq from audit.entries b where b.seq = $6)' end
    || ' order by e.at desc, e.seq desc limit $7'
    using public.current_organization(), of_person, targets, since, until, before, most;
end $$;

revoke execute on function auth.end_emergency_of_former_admin, auth.emergency_until, auth.roles_now, auth.revision_now,
  auth.start_emergency_access, auth.end_emergency_access, auth.was_emergency, audit.clinic_activity
  from public;
grant execute on function auth.emergency_until, auth.roles_now, auth.start_emergency_access,
  auth.end_emergency_access to app_auth;
grant execute on function audit.clinic_activity to app_console;
