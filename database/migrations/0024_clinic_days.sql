-- A license is valid through its last day in the clinic's time zone, not in UTC. Below the new
-- function, each function differs from its previous definition only in that comparison.
-- compatible with 0022

-- The day of a time at a clinic. The default zone equals `defaultZone` (auth/clinics/settings.ts).
create function auth.clinic_day(of_organization text, at timestamptz default now()) returns date
  language sql stable set search_path = auth, pg_temp
  return (at at time zone coalesce(
    (select c.time_zone from auth.clinic_settings c where c.organization = of_organization),
    'America/New_York'))::date;
revoke execute on function auth.clinic_day from public;
grant execute on function auth.clinic_day to app_auth, app_console;

create or replace function auth.staff_of_session(of_hashes bytea[], of_organization text,
    out id text, out person text, out name text, out roles text[], out emergency_until timestamptz,
    out states text[], out factor_seconds float8, out revision bigint)
  returns setof record language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.person, s.name, auth.roles_now(s), auth.emergency_until(s),
         array(select l.state from licenses l
                where l.organization = s.organization and l.person = s.person
                  and l.expires_on >= clinic_day(s.organization) order by 1),
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

create or replace function live.clinician_times(of_organization text, of_state text,
    earliest timestamptz, latest timestamptz, length interval)
  returns table (person text, name text, starts_at timestamptz)
  language sql stable set search_path = live, pg_temp as $$
  with licensed as (
    select s.person, s.name, l.expires_on
      from auth.staff s
      join auth.persons p on p.id = s.person and p.disabled_at is null
      join auth.licenses l on l.organization = s.organization and l.person = s.person
     where s.organization = of_organization and s.removed_at is null
       and 'clinician' = any (s.roles) and l.state = of_state
       and l.expires_on >= auth.clinic_day(of_organization)
  ), begun as (
    select distinct c.person, c.name, local_moment(d.day + h.starts_at + n * length, h.time_zone) as at
      from licensed c
      join auth.working_hours h on h.organization = of_organization and h.person = c.person
     cross join lateral (
       select greatest((earliest at time zone h.time_zone)::date, h.valid_from) as first,
              least((latest at time zone h.time_zone)::date, h.valid_to, c.expires_on) as last) span
     cross join lateral (
       select span.first + i as day from generate_series(0, span.last - span.first) i) d
     cross join lateral generate_series(
       0, floor(extract(epoch from h.ends_at - h.starts_at) / extract(epoch from length))::int - 1) n
     where extract(dow from d.day) = h.weekday
    union
    select c.person, c.name, e.starts_at + n * length
      from licensed c
      join auth.calendar_exceptions e on e.organization = of_organization and e.person = c.person
       and e.kind = 'extra' and tstzrange(e.starts_at, e.ends_at) && tstzrange(earliest, latest)
     cross join lateral generate_series(
       0, floor(extract(epoch from e.ends_at - e.starts_at) / extract(epoch from length))::int - 1) n
     where auth.clinic_day(of_organization, e.starts_at) <= c.expires_on
  )
  select b.person, b.name, b.at from begun b
   where b.at >= earliest and b.at < latest
     and not exists (
       select from auth.calendar_exceptions e
        where e.organization = of_organization and e.person = b.person and e.kind = 'off'
          and tstzrange(e.starts_at, e.ends_at) && tstzrange(b.at, b.at + length))
     and not exists (
       select from visits v
        where v.organization = of_organization and v.clinician = b.person
          and v.status in ('scheduled', 'started')
          and tstzrange(v.starts_at, v.ends_at) && tstzrange(b.at, b.at + length))
$$;

create or replace function auth.queue_digests(roles_of json, default_zone text,
    at timestamptz default now())
  returns int language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  one record;
  counts jsonb;
  queued int := 0;
begin
  for one in
    with due as materialized (
      select d.organization, d.person, z.zone, digest_day(at, z.zone) as day, o.name as clinic,
             roles_now(s) as roles,
             case when 'clinician' = any (roles_now(s)) then array(
               select l.state from licenses l where l.organization = d.organization
                  and l.person = d.person and l.expires_on >= clinic_day(d.organization)) end as states
        from digests d
        join staff s on s.organization = d.organization and s.person = d.person
         and s.removed_at is null
        join persons p on p.id = d.person and p.disabled_at is null
        join organizations o on o.id = d.organization and o.status = 'active'
        left join clinic_settings c on c.organization = d.organization
       cross join lateral (select coalesce(p.time_zone, c.time_zone, default_zone) as zone) z
       where d.done_on < digest_day(at, z.zone)
         and (d.every = 'day' or extract(isodow from digest_day(at, z.zone)) < 6)
       limit 200 for update of d skip locked
    )
    update digests d set done_on = due.day from due
     where d.organization = due.organization and d.person = due.person
    returning due.*
  loop
    select jsonb_object_agg(c.kind, c.count) filter (where c.count > 0) into counts
      from clinic_work(one.organization, one.person, one.states, null) w
     cross join lateral (values
       ('cases', w.open_cases), ('orders', w.open_orders), ('grants', w.grants),
       ('visits', (select count(*)::int from live.visits v
                    where v.organization = one.organization and v.clinician = one.person
                      and v.status in ('scheduled', 'started')
                      and (v.starts_at at time zone one.zone)::date = one.day
                      and tstzrange(v.starts_at, v.ends_at)
                          && tstzrange(at - interval '1 day', at + interval '1 day')))
     ) c (kind, count)
     where one.roles && array(select json_array_elements_text(roles_of -> c.kind));
    continue when counts is null;
    perform email_person('work_waiting', one.person, counts || jsonb_build_object(
      'organization', one.clinic, 'organization_id', one.organization, 'zone', one.zone,
      'at', public.iso(at)));
    queued := queued + 1;
  end loop;
  return queued;
end $$;
