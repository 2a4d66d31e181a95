-- When the clinicians of a clinic see patients, in live mode: weekly hours in a time zone, and single
-- times off or beside them. The free times of a state are those of its licensed clinicians, without
-- the times that a visit takes, of whichever integration.

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

-- Changes ------------------------------------------------------------------------------------------

-- An administrator changes the hours of every clinician, a clinician their own.
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

-- Removes hours or an exception. Visits that are booked already stay.
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
revoke execute on function auth.add_working_hours, auth.add_calendar_exception,
  auth.remove_from_calendar from public;
grant execute on function auth.add_working_hours, auth.add_calendar_exception,
  auth.remove_from_calendar to app_auth;
grant select on auth.working_hours, auth.calendar_exceptions to app_auth;

-- Free times ---------------------------------------------------------------------------------------

-- The moment of a local time. A time that a clock change skips has none; one that is repeated means
-- the first occurrence.
create function live.local_moment(local timestamp, time_zone text) returns timestamptz
  language sql stable parallel safe
begin atomic
  select case when (m.at - interval '1 hour') at time zone time_zone = local
              then m.at - interval '1 hour'
              when m.at at time zone time_zone = local then m.at end
    from (select local at time zone time_zone as at) m;
end;

-- The times at which a clinician of the clinic who may treat in the state can begin a visit of
-- `length`, from `earliest` on and before `latest`.
create function live.clinician_times(of_organization text, of_state text, earliest timestamptz,
    latest timestamptz, length interval)
  returns table (person text, name text, starts_at timestamptz)
  language sql stable set search_path = live, pg_temp as $$
  with licensed as (
    select s.person, s.name, l.expires_on
      from auth.staff s
      join auth.persons p on p.id = s.person and p.disabled_at is null
      join auth.licenses l on l.organization = s.organization and l.person = s.person
     where s.organization = of_organization and s.removed_at is null
       and 'clinician' = any (s.roles) and l.state = of_state and l.expires_on >= current_date
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
     where e.starts_at < c.expires_on + interval '1 day'
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
revoke execute on function live.clinician_times from public;

-- The free times of a state at the clinic of the caller's tenant: times, and nothing of a visit.
create function live.free_times(of_state text, earliest timestamptz, latest timestamptz,
    length interval) returns setof timestamptz
  language sql stable security definer set search_path = live, pg_temp as $$
  select distinct f.starts_at
    from tenants t, clinician_times(t.organization, of_state, earliest, latest, length) f
   where t.id = public.current_tenant()
$$;

-- The clinicians who are free at a time, as [{person, name}]: the one of the visit first, if it is one
-- of them, then who has the fewest visits of that day.
create function live.free_clinicians(of_state text, at timestamptz, length interval,
    of_visit text default null) returns json
  language sql stable security definer set search_path = live, pg_temp as $$
  select coalesce(json_agg(json_build_object('person', f.person, 'name', f.name)
           order by f.person = (select v.clinician from visits v
                                 where v.tenant = t.id and v.id = of_visit) desc nulls last,
                    booked.count, random()), '[]')
    from tenants t
   cross join lateral clinician_times(t.organization, of_state, at, at + interval '1 ms', length) f
   cross join lateral (
     select count(*) from visits v
      where v.organization = t.organization and v.clinician = f.person
        and v.status in ('scheduled', 'started')
        and tstzrange(v.starts_at, v.ends_at)
            && tstzrange(at - interval '12 hours', at + interval '12 hours')) booked
   where t.id = public.current_tenant()
$$;
drop function live.taken_times;
revoke execute on function live.free_times, live.free_clinicians from public;
grant execute on function live.free_times, live.free_clinicians to app_live, app_console;
