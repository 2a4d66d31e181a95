-- Staff see which cases have a message that the clinic hasn't answered: in a list, in the navigation
-- and in the daily email. A message changes no case, so until now it showed only in an open chart.
-- compatible with 0022

-- One row for each such case. Live only: in a sandbox, the integration also plays the clinic.
create table records.unanswered_threads (
  tenant bigint not null,
  "case" text collate "C" not null,
  organization text collate "C" not null,
  first_message text collate "C" not null, -- the oldest unanswered message; lists are in this order
  last_message text collate "C" not null,
  primary key (tenant, "case"),
  foreign key (tenant, "case") references live.cases on delete cascade
);
create index unanswered_threads_by_clinic on records.unanswered_threads (organization, first_message);
alter table records.unanswered_threads enable row level security;
alter table records.unanswered_threads force row level security;
create policy console on records.unanswered_threads for select to app_console
  using (organization = (select public.current_organization()));
create policy console_delete on records.unanswered_threads for delete to app_console
  using (live.is_console_tenant(tenant));
create policy owner on records.unanswered_threads to current_user using (true);
grant select, delete on records.unanswered_threads to app_console;

-- A trigger, so a process of the previous version lists messages too. An answer to a question
-- returns its case to the queue, so it isn't listed here.
create function records.note_message() returns trigger language plpgsql security definer
  set search_path = records, pg_temp as $$
begin
  if new.author = 'clinician' then
    delete from unanswered_threads where tenant = new.tenant and "case" = new."case";
  elsif new.kind = 'message' then
    insert into unanswered_threads as u (tenant, "case", organization, first_message, last_message)
    select c.tenant, c.id, c.organization, new.id, new.id
      from live.cases c where c.tenant = new.tenant and c.id = new."case"
        on conflict (tenant, "case") do update
       set last_message = greatest(u.last_message, excluded.last_message);
  end if;
  return null;
end $$;
create trigger note_message after insert on live.messages
  for each row execute function records.note_message();

create function records.note_decision() returns trigger language plpgsql security definer
  set search_path = records, pg_temp as $$
begin
  delete from unanswered_threads where tenant = new.tenant and "case" = new.id;
  return null;
end $$;
create trigger note_decision after update of status on live.cases for each row
  when (new.status in ('approved', 'declined')) execute function records.note_decision();
revoke execute on function records.note_message, records.note_decision from public;

-- How many of a clinic's cases have an unanswered message.
create function auth.unanswered_threads(of_organization text) returns int
  language sql stable security definer set search_path = auth, pg_temp as $$
  select count(*)::int from records.unanswered_threads u where u.organization = of_organization
$$;
revoke execute on function auth.unanswered_threads from public;
grant execute on function auth.unanswered_threads to app_auth;

-- As in 0016, but the mark of 'cases' also changes with the unanswered messages, and the mark of
-- 'orders' with the stopped prescriptions, which change no case and no order.
create or replace function auth.clinic_work(of_organization text, of_person text, of_states text[], of_list text)
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
               'queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration')) || (
           select ' ' || count(*) || ' ' || coalesce(max(u.last_message), '')
             from records.unanswered_threads u where u.organization = of_organization)
         when 'orders' then (
           select count(*) || ' ' || coalesce(public.iso(max(o.updated_at)), '')
             from live.tenants t join live.orders o on o.tenant = t.id
              and o.status in ('created', 'at_pharmacy', 'blocked')
            where t.organization = of_organization) || (
           select ' ' || count(*) || ' ' || coalesce(public.iso(max(t.status_at)), '')
             from pharmacy.transmissions t
            where t.organization = of_organization and t.status = 'stopped')
         when 'visits' then (
           select count(*) || ' ' || coalesce(public.iso(max(v.updated_at)), '') from live.visits v
            where v.organization = of_organization
              and v.starts_at between now() - interval '1 day' and now() + interval '2 days')
         when 'grants' then (
           select count(*) || ' ' || coalesce(public.iso(max(greatest(g.created_at, g.decided_at, g.ended_at))), '')
             from grants g where g.organization = of_organization and g.mode = 'live')
         end
$$;

-- As in 0024, with the unanswered messages.
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
       ('messages', unanswered_threads(one.organization)),
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
