-- A clinic's documentation about patient records: disclosures, legal holds and notes. Live mode
-- only, because only a clinic has a record. The API's role has no privileges here, so integrations
-- can't read any of it.

-- An entry in the accounting of disclosures (45 CFR 164.528). It never changes; a wrong entry is
-- corrected by another that refers to it.
create table records.disclosures (
  tenant bigint not null,
  id text collate "C" not null default public.new_id('dsc'),
  patient text collate "C" not null,
  disclosed_on date not null,
  recipient text not null check (char_length(recipient) between 1 and 200),
  recipient_address text check (char_length(recipient_address) between 1 and 500),
  description text not null check (char_length(description) between 1 and 2000), -- what was disclosed
  purpose text not null check (char_length(purpose) between 1 and 2000),
  corrects text collate "C",
  person text collate "C", -- who made the entry; null: a job
  person_name text,
  created_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, id),
  foreign key (tenant, patient) references live.patients,
  foreign key (tenant, corrects) references records.disclosures
);
create index on records.disclosures (tenant, patient, id);
create index on records.disclosures (tenant, corrects) where corrects is not null;

-- While a patient has a hold, nothing in the record is destroyed. There may be several holds. Each
-- is lifted separately, and its row stays.
create table records.holds (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  reason text not null check (char_length(reason) between 1 and 2000),
  placed_by text collate "C" not null,
  placed_by_name text not null,
  placed_at timestamptz(3) not null,
  lifted_reason text check (char_length(lifted_reason) between 1 and 2000),
  lifted_by text collate "C",
  lifted_by_name text,
  lifted_at timestamptz(3),
  primary key (tenant, id),
  foreign key (tenant, patient) references live.patients,
  check (num_nonnulls(lifted_reason, lifted_by, lifted_by_name, lifted_at) in (0, 4))
);
create index on records.holds (tenant, patient, id);

-- A clinical note on a case or visit. Each author has one draft, which is signed with the decision
-- or by its author. A signed note never changes; addenda follow it.
create table records.notes (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  "case" text collate "C",
  visit text collate "C",
  person text collate "C" not null,
  person_name text not null,
  body text not null check (char_length(body) <= 20000),
  -- ICD-10-CM codes as of when they were saved: [{code, title, year}]
  codes json not null default '[]' check (json_array_length(codes) <= 12),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  signed_at timestamptz(3), -- null: a draft, which only its author reads
  primary key (tenant, id),
  foreign key (tenant, patient) references live.patients,
  foreign key (tenant, "case") references live.cases,
  foreign key (tenant, visit) references live.visits,
  check (num_nonnulls("case", visit) = 1),
  check (signed_at is null or body <> '')
);
create index on records.notes (tenant, patient, id);
create unique index on records.notes (tenant, coalesce("case", visit), person)
  where signed_at is null;

create table records.addenda (
  tenant bigint not null,
  id text collate "C" not null,
  note text collate "C" not null,
  person text collate "C" not null,
  person_name text not null,
  body text not null check (char_length(body) between 1 and 5000),
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  foreign key (tenant, note) references records.notes
);
create index on records.addenda (tenant, note, id);

-- The billable ICD-10-CM codes, which the operator loads for each fiscal year. Shared by all
-- clinics.
create table records.diagnosis_codes (
  year int not null, -- the fiscal year, which starts on the previous October 1
  code text collate "C" not null, -- with its dot
  title text not null,
  -- The title's words, and the year as y2026, so the index alone finds a year's codes.
  words tsvector not null generated always as (to_tsvector('simple',
    'y' || year::text || ' ' || regexp_replace(title, '[^[:alnum:].]+', ' ', 'g'))) stored,
  primary key (year, code)
);
create index on records.diagnosis_codes using gin (words) with (fastupdate = off);
grant select on records.diagnosis_codes to app_console;

-- Replaces a year's whole list, in one transaction. Short titles are stored first, so a search for
-- common words reads only its first matches.
create function records.load_diagnosis_codes(of_year int, new_codes text[], new_titles text[])
  returns void language plpgsql set search_path = records, pg_temp as $$
begin
  delete from diagnosis_codes where year = of_year;
  insert into diagnosis_codes (year, code, title)
  select of_year, c, t from unnest(new_codes, new_titles) as n (c, t)
   order by char_length(t), c collate "C";
end $$;
revoke execute on function records.load_diagnosis_codes from public;

do $$
declare made text;
begin
  foreach made in array array['disclosures', 'holds', 'notes', 'addenda'] loop
    execute format('alter table records.%I enable row level security', made);
    execute format('alter table records.%I force row level security', made);
    execute format($p$create policy console on records.%I for select to app_console
      using (tenant = any ((select live.organization_tenants())::bigint[]))$p$, made);
    execute format($p$create policy console_insert on records.%I for insert to app_console
      with check (live.is_console_tenant(tenant))$p$, made);
    execute format('grant select, insert on records.%I to app_console', made);
  end loop;
end $$;
create policy console_update on records.holds for update to app_console
  using (live.is_console_tenant(tenant));
create policy console_update on records.notes for update to app_console
  using (live.is_console_tenant(tenant) and signed_at is null)
  with check (live.is_console_tenant(tenant));
grant update (body, codes, updated_at, signed_at) on records.notes to app_console;
grant update (lifted_reason, lifted_by, lifted_by_name, lifted_at) on records.holds to app_console;

-- The job that sends a record to someone writes the disclosure.
create policy worker on records.disclosures for insert to app_worker_live with check (true);
grant insert on records.disclosures to app_worker_live;

-- Retention ------------------------------------------------------------------------------------------

-- The first day on which a record may be destroyed: the day after its last one. Periods end on the
-- same calendar day. A period that starts on February 29 ends on the 28th, and the record is kept
-- through that day.
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
    (select max(updated_at) from records.notes where tenant = of_tenant and patient = of_patient),
    (select max(created_at) from records.disclosures
      where tenant = of_tenant and patient = of_patient))
    from live.patients p where p.tenant = of_tenant and p.id = of_patient);

-- Why a record is kept regardless of age; null if nothing keeps it.
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

-- Records each destruction, with its policy and the number of rows, but none of the patient's
-- values.
create table records.destructions (
  tenant bigint not null,
  patient text collate "C" not null,
  years int not null,
  minor_age int not null,
  rows jsonb not null, -- how many of each kind
  destroyed_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, patient)
);
alter table records.destructions enable row level security;
alter table records.destructions force row level security;

grant select on auth.retention_policies, auth.clinic_settings, live.tenants to app_retention;
do $$
declare made text;
begin
  foreach made in array array['live.patients', 'live.consents', 'live.cases', 'live.messages',
      'live.prescriptions', 'live.orders', 'live.visits', 'live.files', 'live.exports',
      'live.idempotency_keys', 'records.disclosures', 'records.holds', 'records.notes', 'records.addenda'] loop
    execute format('create policy retention on %s to app_retention using (true)', made);
    execute format('grant select, delete on %s to app_retention', made);
  end loop;
end $$;
create policy retention on live.tenants for select to app_retention using (true);
create policy retention on records.destructions for insert to app_retention with check (true);
grant insert on records.destructions to app_retention;
-- Locking requires the update privilege. No row is changed.
grant update (updated_at) on live.patients, live.cases to app_retention;
-- The triggers on documents' rows discard their bytes.
create policy retention on live.discarded_objects to app_retention using (true);
grant select, insert on live.discarded_objects to app_retention;
grant execute on function live.record_work to app_retention;

-- Destroys one record, unless it changed, is in use, or must be kept. Locks the patient and the
-- cases first, so an addition either waits or is found by the later check.
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
  delete from pharmacy.transmissions s using orders o
   where o.tenant = of_tenant and o.patient = of_patient
     and s.tenant = o.tenant and s."order" = o.id;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('transmissions', many);
  delete from records.addenda a using records.notes n
   where n.tenant = of_tenant and n.patient = of_patient
     and a.tenant = n.tenant and a.note = n.id;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('addenda', many);
  delete from records.notes where tenant = of_tenant and patient = of_patient;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('notes', many);
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

-- Checks `batch` patients after the named one, in key order, and destroys those that are due. A
-- null `patient` in the result means that none are left.
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
      -- Something was just added to the record. The next run checks it again, and this run
      -- continues.
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
