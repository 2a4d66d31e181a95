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

-- How many of a clinic's cases have an unanswered message, and a mark that changes with the list.
create function auth.unanswered_threads(of_organization text, out unanswered int, out mark text)
  language sql stable security definer set search_path = auth, pg_temp as $$
  select count(*)::int, count(*) || ' ' || coalesce(max(u.last_message), '')
    from records.unanswered_threads u where u.organization = of_organization
$$;
revoke execute on function auth.unanswered_threads from public;
grant execute on function auth.unanswered_threads to app_auth;

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
       ('messages', (auth.unanswered_threads(one.organization)).unanswered),
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
