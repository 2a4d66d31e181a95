-- How long a clinic keeps the record of a patient, and what destroys a record that is past it.

-- A clinic without a row has set no policy, and nothing of its records is destroyed. A policy counts
-- from `starts_at`, thirty days after it was set, so that what falls due by it can be seen before.
create table auth.retention_policies (
  organization text collate "C" primary key references auth.organizations,
  years int not null check (years between 6 and 100), -- after the last activity
  minor_age int not null check (minor_age between 18 and 100), -- of the patient, at the least
  starts_at timestamptz(3) not null,
  revision bigint not null default 1
);
grant select on auth.retention_policies to app_auth, app_console;
grant select (organization, time_zone) on auth.clinic_settings to app_console;

-- By an administrator or by the records role.
create function auth.set_retention_policy(of_organization text, new_years int, new_minor_age int,
    at_revision bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if refusal = 'admin_required' and exists (
    select from staff where organization = of_organization and person = act ->> 'person'
       and removed_at is null and 'records' = any (roles)) then refusal := null; end if;
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

-- The first day on which a record may be destroyed: the day after its last one. Years end on the same
-- day of the calendar; those of 29 February end on the 28th, and the record is kept on that day too.
create function records.due_on(last_activity date, born date, years int, minor_age int) returns date
  language sql immutable parallel safe
  return greatest((last_activity + make_interval(years => years))::date,
                  (born + make_interval(years => minor_age))::date) + 1;

create function records.last_activity(of_tenant bigint, of_patient text) returns timestamptz
  language sql stable
  return (select greatest(p.updated_at, p.deleted_at,
    (select max(created_at) from live.consents where tenant = of_tenant and patient = of_patient),
    (select max(updated_at) from live.cases where tenant = of_tenant and patient = of_patient),
    (select max(m.created_at) from live.cases c
       join live.messages m on m.tenant = c.tenant and m."case" = c.id
      where c.tenant = of_tenant and c.patient = of_patient),
    (select max(updated_at) from live.prescriptions
      where tenant = of_tenant and patient = of_patient),
    (select max(updated_at) from live.orders where tenant = of_tenant and patient = of_patient),
    (select max(greatest(updated_at, ends_at)) from live.visits
      where tenant = of_tenant and patient = of_patient),
    (select max(created_at) from live.files where tenant = of_tenant and patient = of_patient),
    (select max(created_at) from records.disclosures
      where tenant = of_tenant and patient = of_patient))
    from live.patients p where p.tenant = of_tenant and p.id = of_patient);

-- Why a record stays, however old it is; null: nothing does.
create function records.kept_by(of_tenant bigint, of_patient text) returns text
  language sql stable
  return case
    when exists (select from records.holds where tenant = of_tenant and patient = of_patient
                    and lifted_at is null) then 'hold'
    when exists (select from live.cases where tenant = of_tenant and patient = of_patient
                    and status not in ('approved', 'declined', 'cancelled', 'withdrawn'))
      then 'open_case'
    when exists (select from live.orders where tenant = of_tenant and patient = of_patient
                    and status not in ('delivered', 'failed')) then 'open_order'
    when exists (select from live.visits where tenant = of_tenant and patient = of_patient
                    and status in ('scheduled', 'started')) then 'open_visit'
  end;

-- That a record was destroyed, under which policy and how much it was; no value of the patient.
create table records.destructions (
  tenant bigint not null,
  patient text collate "C" not null,
  years int not null,
  minor_age int not null,
  rows jsonb not null, -- how many of each kind
  destroyed_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, patient)
);
create index on records.destructions (tenant, destroyed_at);
alter table records.destructions enable row level security;
alter table records.destructions force row level security;
create policy console on records.destructions for select to app_console
  using (tenant = any ((select live.organization_tenants())::bigint[]));
grant select on records.destructions to app_console;

-- A role of its own destroys: it cannot log in, and the worker may call the one function that is its.
do $$
begin
  if not exists (select from pg_roles where rolname = 'app_retention') then
    create role app_retention nologin;
  end if;
exception when duplicate_object or unique_violation then null; -- made by another migration just now
end $$;
grant usage on schema public, live, records, auth to app_retention;
grant select on auth.retention_policies, auth.clinic_settings, live.tenants to app_retention;
do $$
declare made text;
begin
  foreach made in array array['live.patients', 'live.consents', 'live.cases', 'live.messages',
      'live.prescriptions', 'live.orders', 'live.visits', 'live.files', 'live.exports',
      'live.idempotency_keys', 'records.disclosures', 'records.holds'] loop
    execute format('create policy retention on %s to app_retention using (true)', made);
    execute format('grant select, delete on %s to app_retention', made);
  end loop;
end $$;
create policy retention on live.tenants for select to app_retention using (true);
create policy retention on records.destructions for insert to app_retention with check (true);
grant insert on records.destructions to app_retention;
-- A lock needs the right to update. No row is changed.
grant update (updated_at) on live.patients, live.cases to app_retention;
-- The bytes of documents, by the triggers of their rows.
create policy retention on live.discarded_objects to app_retention using (true);
grant select, insert on live.discarded_objects to app_retention;
grant execute on function live.record_work to app_retention;

-- Destroys one record, unless it changed, is in use, or is kept. The patient and the cases are locked
-- first: what would add to the record waits, or is seen by the look afterwards.
create function records.destroy(of_tenant bigint, of_patient text) returns boolean
  language plpgsql volatile set search_path = live, pg_temp as $$
declare policy record; removed jsonb := '{}'; many bigint; kind text;
begin
  perform from patients where tenant = of_tenant and id = of_patient for update skip locked;
  if not found then return false; end if;
  if (select count(*) from cases where tenant = of_tenant and patient = of_patient) <>
     (select count(*) from (select from cases where tenant = of_tenant and patient = of_patient
                               for update skip locked) locked) then return false; end if;
  select r.years, r.minor_age into policy
    from tenants t join auth.retention_policies r on r.organization = t.organization
    left join auth.clinic_settings s on s.organization = t.organization
    join patients p on p.tenant = t.id and p.id = of_patient
   cross join lateral (select coalesce(s.time_zone, 'America/New_York') as zone) z
   where t.id = of_tenant and r.starts_at <= now()
     and records.kept_by(of_tenant, of_patient) is null
     and records.due_on((records.last_activity(of_tenant, of_patient) at time zone z.zone)::date,
                        p.date_of_birth, r.years, r.minor_age) <= (now() at time zone z.zone)::date;
  if not found then return false; end if;
  delete from messages m using cases c
   where c.tenant = of_tenant and c.patient = of_patient
     and m.tenant = c.tenant and m."case" = c.id;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('messages', many);
  foreach kind in array array['orders', 'prescriptions', 'visits', 'files', 'exports', 'cases',
                              'consents', 'idempotency_keys'] loop
    execute format('delete from %I where tenant = $1 and patient = $2', kind)
      using of_tenant, of_patient;
    get diagnostics many = row_count;
    removed := removed || jsonb_build_object(kind, many);
  end loop;
  delete from records.disclosures where tenant = of_tenant and patient = of_patient;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('disclosures', many);
  delete from records.holds where tenant = of_tenant and patient = of_patient;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('holds', many);
  delete from patients where tenant = of_tenant and id = of_patient;
  insert into records.destructions (tenant, patient, years, minor_age, rows)
  values (of_tenant, of_patient, policy.years, policy.minor_age, removed);
  perform record_work('destroyRecord', of_tenant, of_patient);
  return true;
end $$;
revoke execute on function records.destroy from public;
grant execute on function records.destroy to app_retention;

-- Looks at `batch` patients after the one that is named, in the order of their keys, and destroys
-- what is due. `patient` null: there are no more.
create function records.destroy_due(after_tenant bigint, after_patient text, batch int,
    out tenant bigint, out patient text, out destroyed int)
  language plpgsql volatile security definer set search_path = live, pg_temp as $$
declare one record;
begin
  destroyed := 0;
  for one in
    select p.tenant, p.id, p.updated_at <= now() - make_interval(years => r.years) as is_old
      from patients p join tenants t on t.id = p.tenant
      left join auth.retention_policies r
        on r.organization = t.organization and r.starts_at <= now()
     where (p.tenant, p.id) > (after_tenant, after_patient)
     order by p.tenant, p.id limit batch
  loop
    tenant := one.tenant;
    patient := one.id;
    begin
      if one.is_old and records.destroy(one.tenant, one.id) then destroyed := destroyed + 1; end if;
    exception when foreign_key_violation or deadlock_detected then
      -- Something was added to it just now. The next run looks again, and the rest goes on.
      raise warning 'a record was left: %', sqlerrm;
    end;
  end loop;
end $$;
revoke execute on function records.destroy_due from public;
do $$
begin
  execute format('grant app_retention to %I', current_user);
  grant create on schema records to app_retention;
  alter function records.destroy_due owner to app_retention;
  revoke create on schema records from app_retention;
end $$;
grant execute on function records.destroy_due to app_worker_live;
