-- The console's access. A staff member's session sets the organization on its connection
-- (auth/staff-caller.ts). The console then reads all of that organization's tenants, in any
-- integration, and writes in one tenant, which is also set. The API role's policies are unchanged:
-- an integration can read only its own tenants.

create policy console on live.tenants for select to app_console using (true);
-- Lets a write update its tenant's clock.
create policy console_clock on live.tenants for update to app_console
  using (id = public.current_tenant() and organization = public.current_organization());
grant select, update (last) on live.tenants to app_console;

create function live.organization_tenants() returns bigint[] language sql stable parallel safe
  return array(select id from live.tenants where organization = public.current_organization());

-- Whether a tenant's rows may be written: it must be the current tenant and belong to the current
-- organization.
create function live.is_console_tenant(tenant bigint) returns boolean language sql stable parallel safe
  return tenant = public.current_tenant() and tenant = any (live.organization_tenants());

do $$
declare made text;
begin
  foreach made in array array['consents', 'messages', 'prescriptions', 'orders', 'visits', 'files',
                              'events', 'exports'] loop
    execute format($p$create policy console on live.%I for select to app_console
      using (tenant = any ((select live.organization_tenants())::bigint[]))$p$, made);
  end loop;
  foreach made in array array['patients', 'consents', 'cases', 'messages', 'prescriptions', 'orders',
                              'visits', 'files', 'events'] loop
    execute format('grant select on live.%I to app_console', made);
  end loop;
  foreach made in array array['messages', 'prescriptions', 'orders', 'events', 'charges',
                              'discarded_objects'] loop
    execute format($p$create policy console_insert on live.%I for insert to app_console
      with check (live.is_console_tenant(tenant))$p$, made);
    execute format('grant insert on live.%I to app_console', made);
  end loop;
  foreach made in array array['cases', 'prescriptions', 'orders', 'visits', 'files'] loop
    execute format($p$create policy console_update on live.%I for update to app_console
      using (live.is_console_tenant(tenant))$p$, made);
  end loop;
end $$;
grant select (tenant, id, patient) on live.exports to app_console;

-- If no case waits in a clinician's licensed states, their queue reads every waiting case and its
-- patient. A subselect is evaluated once per statement.
create policy console on live.cases for select to app_console
  using (organization = (select public.current_organization()));
-- An `in` subselect is hashed; an array would be searched from its start for each row.
create policy console on live.patients for select to app_console using (tenant in (
  select t.id from live.tenants t where t.organization = (select public.current_organization())));

grant update (status, status_at, updated_at, plan, reason, question_message, question_target,
              question_body, question_asked_at, prescription_ids, order_ids, files, decided_by,
              decided_by_name, claimed_by, claimed_by_name, claimed_until)
  on live.cases to app_console;
grant update (status, updated_at) on live.prescriptions to app_console;
grant update (status, status_at, updated_at, reason, tracking, shipped_at, delivered_at, moved_by,
              moved_by_name) on live.orders to app_console;

-- An approval locks the patient, which requires the update privilege; the check keeps rows
-- unchanged.
create policy console_lock on live.patients for update to app_console
  using (live.is_console_tenant(tenant)) with check (false);
grant update (updated_at) on live.patients to app_console;

-- The console's keys have a prefix, so it can't read or claim the integration's.
create policy console on live.idempotency_keys to app_console
  using (live.is_console_tenant(tenant) and key like 'console:%');
grant select, insert, delete on live.idempotency_keys to app_console;
-- The clinic reschedules its patients' visits. Completing one creates its charge in the same
-- statement.
grant update (status, started_at, ended_at, updated_at, starts_at, ends_at, clinician, clinician_name)
  on live.visits to app_console;
-- Removing a document changes the document, its case's document list, and its bytes.
grant update (status, filename, removal_reason, removal_asked_by, removal_asked_by_name,
              removal_asked_at, removed_by, removed_by_name, removed_at)
  on live.files to app_console;

-- Free times ---------------------------------------------------------------------------------------

-- A state's free times are its licensed clinicians' hours, without the times already taken by any
-- integration's visits.

-- The timestamp of a local time. A time skipped by a clock change has none, and a repeated time
-- means its first occurrence.
create function live.local_moment(local timestamp, time_zone text) returns timestamptz
  language sql stable parallel safe
begin atomic
  select case when (m.at - interval '1 hour') at time zone time_zone = local
              then m.at - interval '1 hour'
              when m.at at time zone time_zone = local then m.at end
    from (select local at time zone time_zone as at) m;
end;

-- The times when the clinic's clinicians who are licensed in the state can start a visit of
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

-- A state's free times in the current organization.
create function live.free_times(of_state text, earliest timestamptz, latest timestamptz,
    length interval) returns setof timestamptz
  language sql stable security definer set search_path = live, pg_temp as $$
  select distinct f.starts_at
    from tenants t, clinician_times(t.organization, of_state, earliest, latest, length) f
   where t.id = public.current_tenant()
$$;

-- The clinicians who are free at a time, as [{person, name}]: the visit's own clinician first if
-- free, then the one with the fewest visits that day.
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
revoke execute on function live.free_times, live.free_clinicians from public;
grant execute on function live.free_times, live.free_clinicians to app_live, app_console;

-- Waiting work ----------------------------------------------------------------------------------------

-- For functions that read all of a clinic's tenants.
create policy owner on live.cases for select to current_user using (true);
create policy owner on live.orders for select to current_user using (true);
create policy owner on live.room_seats for select to current_user using (true);

-- A staff member's waiting work: counts up to 100, and a mark that changes with one list (null:
-- none), but nothing about a patient. `of_states`: a clinician's licensed states; null means all.
-- `waiting`: the caller's visits whose patient is in the video room.
create function auth.clinic_work(of_organization text, of_person text, of_states text[], of_list text)
  returns table (open_cases int, open_orders int, grants int, waiting json, mark text)
  language sql stable security definer set search_path = auth, pg_temp as $$
  select (select count(*)::int from (
            select from live.cases c
             where c.organization = of_organization and c.status in ('queued', 'in_review')
               and (of_states is null or (
                 select p.address ->> 'state' from live.patients p
                  where p.tenant = c.tenant and p.id = c.patient) = any (of_states))
             limit 100) c),
         (select count(*)::int from (
            select from live.tenants t join live.orders o on o.tenant = t.id
               and o.status in ('created', 'at_pharmacy', 'blocked')
             where t.organization = of_organization limit 100) o),
         (select count(*)::int from grants g
           where g.organization = of_organization and g.mode = 'live' and g.status = 'pending'
             and g.lapses_at > now()),
         (select coalesce(json_agg(json_build_object('id', v.id, 'starts_at', public.iso(v.starts_at))
                   order by v.starts_at, v.id), '[]')
            from live.visits v join live.room_seats s on s.tenant = v.tenant and s.visit = v.id
             and s.seat = 'patient' and s.seen_at > now() - interval '15 seconds'
           where v.organization = of_organization and v.clinician = of_person
             and v.status in ('scheduled', 'started')
             and not exists (select from live.room_seats c where c.tenant = v.tenant and c.visit = v.id
                  and c.seat = 'clinician' and c.seen_at > now() - interval '15 seconds')),
         case of_list
         when 'cases' then (
           select count(*) || ' ' || coalesce(public.iso(max(c.updated_at)), '')
                  || ' ' || count(*) filter (where c.claimed_until > now())
             from live.cases c where c.organization = of_organization and c.status in (
               'queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration'))
         when 'orders' then (
           select count(*) || ' ' || coalesce(public.iso(max(o.updated_at)), '')
             from live.tenants t join live.orders o on o.tenant = t.id
              and o.status in ('created', 'at_pharmacy', 'blocked')
            where t.organization = of_organization)
         when 'visits' then (
           select count(*) || ' ' || coalesce(public.iso(max(v.updated_at)), '') from live.visits v
            where v.organization = of_organization
              and v.starts_at between now() - interval '1 day' and now() + interval '2 days')
         when 'grants' then (
           select count(*) || ' ' || coalesce(public.iso(max(greatest(g.created_at, g.decided_at, g.ended_at))), '')
             from grants g where g.organization = of_organization and g.mode = 'live')
         end
$$;
revoke execute on function auth.clinic_work from public;
grant execute on function auth.clinic_work to app_auth;

-- How often a staff member is emailed about waiting work; without a row, never. `done_on`: the last
-- day that needs no further email. A day begins at 8 AM in the person's time zone.
create table auth.digests (
  organization text collate "C" not null,
  person text collate "C" not null,
  every text not null check (every in ('day', 'weekday')),
  done_on date not null,
  primary key (organization, person),
  foreign key (organization, person) references auth.staff
);
grant select on auth.digests to app_auth;

create function auth.digest_day(at timestamptz, zone text) returns date
  language sql stable set search_path = auth, pg_temp
  return (at at time zone zone - interval '8 hours')::date;

-- Null `chosen` means never. The first email is due at the next 8 AM.
create function auth.choose_digest(of_organization text, of_person text, chosen text, zone text)
  returns void language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  if chosen is null then
    delete from digests where organization = of_organization and person = of_person;
  else
    insert into digests (organization, person, every, done_on)
    select s.organization, s.person, chosen, digest_day(now(), zone) from staff s
     where s.organization = of_organization and s.person = of_person and s.removed_at is null
        on conflict (organization, person) do update set every = excluded.every;
  end if;
end $$;

-- Queues the digests that are due, once a day, and returns how many. They contain counts and
-- nothing about patients. Staff members without waiting work get none. `roles_of`: the roles that
-- handle each kind of work, as on the console's pages.
create function auth.queue_digests(roles_of json, default_zone text, at timestamptz default now())
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
                  and l.person = d.person and l.expires_on >= current_date) end as states
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
revoke execute on function auth.digest_day, auth.choose_digest, auth.queue_digests from public;
grant execute on function auth.choose_digest to app_auth;
grant execute on function auth.queue_digests to app_worker_live;

-- Lists -------------------------------------------------------------------------------------------

-- Decided cases, latest first, by clinic and by person. The statuses equal `decisions`
-- (contract/console/cases.ts).
create index cases_decided on live.cases (organization, status_at, id)
  where status in ('approved', 'declined');
create index cases_decided_by on live.cases (organization, decided_by, status_at, id)
  where status in ('approved', 'declined');
create index orders_by_status on live.orders (tenant, status, id);
-- The pharmacy's board. The statuses equal `openOrderStatuses` (contract/console/orders.ts).
create index orders_open on live.orders (tenant, id) include (updated_at)
  where status in ('created', 'at_pharmacy', 'blocked');

-- Finding a patient -------------------------------------------------------------------------------

-- Normalizes text for searching: lowercase, no accents or apostrophes, one space between words.
create function live.folded(given text) returns text language sql immutable strict parallel safe
  return case when given ~ '^[A-Za-z ]*$' then lower(given) else btrim(
    regexp_replace(regexp_replace(replace(replace(replace(replace(translate(
      lower(regexp_replace(normalize(given, nfd), U&'[\0300-\036F]', '', 'g')),
      U&'\0142\0141\00F8\00D8\0111\0110\00F0\00D0\0131', 'llooddddi'),
      U&'\00DF', 'ss'), U&'\00E6', 'ae'), U&'\0153', 'oe'), U&'\00FE', 'th'),
      U&'[''`\2018\2019\02BC]', '', 'g'),
      U&'[\0001-\002F\003A-\0040\005B-\0060\007B-\00A0\2010-\2015]+', ' ', 'g')) end;

-- A patient's search terms, each prefixed with the tenant, so a search reads only its own clinic's
-- entries: the words in the name and their first letters, the name's parts as one word, the date of
-- birth, the email, the phone number in reverse, and the integration's id.
create function live.patient_terms(tenant bigint, first_name text, middle_name text, last_name text,
    born date, email text, phone text, external_id text)
  returns tsvector language sql immutable parallel safe cost 1000
  return array_to_tsvector(array_remove(
    string_to_array(tenant::text || '/' || replace(
      live.folded(first_name || coalesce(' ' || middle_name, '') || ' ' || last_name),
      ' ', ' ' || tenant::text || '/'), ' ')
    || string_to_array(regexp_replace(
      live.folded(first_name || coalesce(' ' || middle_name, '') || ' ' || last_name),
      '(\S)(\S?)\S*', tenant::text || '~\1 ' || tenant::text || '~\1\2', 'g'), ' ')
    || array[
      case when first_name ~ '[ -]' then tenant::text || '/' || replace(live.folded(first_name), ' ', '') end,
      case when last_name ~ '[ -]' then tenant::text || '/' || replace(live.folded(last_name), ' ', '') end,
      tenant::text || ':' || (born - date '1970-01-01')::text,
      tenant::text || '@' || lower(email),
      tenant::text || '#' || reverse(ltrim(phone, '+')),
      tenant::text || '=' || lower(external_id)], null));

-- No pending list, which every search would read and some writes would flush.
create index patients_by_term on live.patients using gin (live.patient_terms(
  tenant, first_name, middle_name, last_name, date_of_birth, email, phone, external_id))
  with (fastupdate = off);

-- One word in a tsquery, quoted, with a placeholder for the tenant.
create function live.search_term(term text, prefix boolean) returns text language sql immutable parallel safe
  return '''' || chr(1) || replace(replace(term, '\', '\\'), '''', '''''') || ''''
         || case when prefix then ':*' else '' end;

-- Searches patients of the current clinic. The planner assumes that text search operators could
-- reveal rows hidden by a policy, so a statement under a policy can't use this index. This function
-- can, and returns only ids, so the policies still limit what a caller reads. With `prefix`, a word
-- also matches longer ones. Many words start with the same one or two letters, so those have their
-- own entries. The external id is an alternative to all other criteria.
create function live.patients_with(of_name text, of_birth date[], of_email text, of_digits text,
    of_external_id text, prefix boolean, most int)
  returns table (tenant bigint, id text) language plpgsql stable security definer
  set search_path = live, pg_temp set enable_seqscan = off as $$
declare
  -- The tenant's placeholder is a control character, which no search contains.
  parts text[] := array(
    select case when prefix and char_length(word) < 3 then search_term('~' || word, false)
                else search_term('/' || word, prefix) end
      from string_to_table(folded(of_name), ' ') word where word <> '')
    || array(select '(' || string_agg(search_term(':' || (day - date '1970-01-01'), false), '|') || ')'
               from unnest(of_birth) day having count(*) > 0)
    || array(select search_term('@' || lower(of_email), true) where of_email is not null)
    || array(select search_term('#' || reverse(of_digits), true) where of_digits is not null);
  terms text := array_to_string(array(
    select array_to_string(parts, '&') where cardinality(parts) > 0
    union all
    select search_term('=' || lower(of_external_id), false) where of_external_id is not null), '|');
begin
  if terms = '' then return; end if;
  -- One tenant after another, until there are enough results.
  return query
    select found.tenant, found.id from tenants t cross join lateral (
      select p.tenant, p.id from patients p
       where patient_terms(p.tenant, p.first_name, p.middle_name, p.last_name, p.date_of_birth, p.email,
                           p.phone, p.external_id) @@ replace(terms, chr(1), t.id::text)::tsquery
       limit most) found
     where t.organization = public.current_organization()
     limit most;
end $$;
revoke execute on function live.folded, live.patient_terms, live.search_term, live.patients_with from public;
grant execute on function live.patients_with to app_console;
-- Finds an order or a prescription by the number on its label: the end of the id.
create index orders_by_number on live.orders (right(id, 8), tenant);
create index prescriptions_by_number on live.prescriptions (right(id, 8), tenant);
-- Writing a patient computes its terms.
grant execute on function live.folded, live.patient_terms to app_live, app_console;
