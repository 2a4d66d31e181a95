-- What a clinic keeps about the record of a patient beside the record: to whom it was disclosed, and
-- which legal holds are on it. Of live mode alone, because only a clinic has a record. The API's role
-- has no right here: both are the clinic's, and an integration sees neither.

create schema records;
grant usage on schema records to app_console, app_worker_live;

-- An entry of the accounting of disclosures (45 CFR 164.528). It never changes; a wrong one is
-- corrected by another that names it.
create table records.disclosures (
  tenant bigint not null,
  id text collate "C" not null default public.ulid('dsc', clock_timestamp(), live.ulid_random()),
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

-- While a hold is on a patient, nothing of the record is destroyed. Several may be: each is lifted
-- for itself, and stays as a row.
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

do $$
declare made text;
begin
  foreach made in array array['disclosures', 'holds'] loop
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
grant update (lifted_reason, lifted_by, lifted_by_name, lifted_at) on records.holds to app_console;

-- A job that hands a record over enters it.
create policy worker on records.disclosures for insert to app_worker_live with check (true);
grant insert on records.disclosures to app_worker_live;
