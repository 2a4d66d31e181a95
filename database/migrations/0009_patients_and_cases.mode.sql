-- Patients with their consents, and cases with their messages, prescriptions and orders. In test
-- mode, a deleted patient leaves a tombstone without details, because cases, orders and consents
-- keep referring to its row. In live mode, a deleted patient is hidden from the integration, and
-- the clinic keeps its record. Lists that are only read as a whole (medications, answers, plan) are
-- json: the published text, in the order sent.

create domain sex_at_birth as text check (value in ('female', 'male', 'intersex', 'unknown'));

create table patients (
  tenant bigint not null,
  id text collate "C" not null,
  external_id text collate "C",
  first_name text,
  middle_name text,
  last_name text,
  date_of_birth date,
  sex_at_birth sex_at_birth,
  email text,
  phone text,
  address json,
  -- Counts of created cases and visits. A delete that read other counts checks again.
  cases int not null default 0,
  visits int not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant, id),
  constraint kept_after_deletion check (first_name is not null and last_name is not null -- only live
    and date_of_birth is not null and sex_at_birth is not null and email is not null -- only live
    and phone is not null and address is not null) -- only live
  check (deleted_at is not null or (first_name is not null and last_name is not null -- only test
    and date_of_birth is not null and sex_at_birth is not null and email is not null -- only test
    and phone is not null and address is not null)), -- only test
  check (deleted_at is null or (external_id is null and first_name is null -- only test
    and middle_name is null and last_name is null and date_of_birth is null -- only test
    and email is null and phone is null and address is null)) -- only test
);
create index on patients (tenant, external_id, id) where external_id is not null;
-- For file sweeps, which remove files written for a patient during its deletion.
create index on patients (deleted_at) where deleted_at is not null;
grant select, insert, update on patients to app_{mode};

create table consents (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  kind text not null check (kind in ('telehealth', 'privacy')),
  version text not null,
  status text not null check (status in ('current', 'superseded')),
  accepted_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  foreign key (tenant, patient) references patients
);
create index on consents (tenant, patient, id);
create unique index one_current_consent on consents (tenant, patient, kind)
  where status = 'current';
grant select, insert, update on consents to app_{mode};

create table cases (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  status text not null check (status in ('received', 'queued', 'in_review', 'waiting_on_patient',
    'waiting_on_integration', 'approved', 'declined', 'cancelled', 'withdrawn')),
  status_at timestamptz(3) not null, -- when it got that status; the autopilot counts from here
  consent_ids text[] not null,
  requested_medications json not null,
  answers json not null,
  hold boolean not null,
  files text[] not null,
  plan json,
  question_message text,
  question_target text check (question_target in ('patient', 'integration')),
  question_body text,
  question_asked_at timestamptz(3),
  reason text,
  prescription_ids text[] not null default '{}',
  order_ids text[] not null default '{}',
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Who decided for the clinic: the person, and the name that patients see. A sandbox has no such
  -- person.
  decided_by text collate "C",
  decided_by_name text,
  -- A staff member claims a case for half an hour, so others see who is working on it. Only the
  -- live console sets it, and /v1 doesn't publish it.
  claimed_by text collate "C",
  claimed_by_name text,
  claimed_until timestamptz(3),
  organization text collate "C" not null, -- only live
  primary key (tenant, id),
  foreign key (tenant, patient) references patients,
  check (num_nonnulls(question_message, question_target, question_body, question_asked_at) in (0, 4)),
  check ((question_message is not null) = (status in ('waiting_on_patient', 'waiting_on_integration'))),
  constraint claims_are_whole check (
    num_nonnulls(claimed_by, claimed_by_name, claimed_until) in (0, 3))
);
-- Includes the column that the sandbox's policy compares, so counting reads no table rows.
create index on cases (tenant, status, id) include (created_at);
-- For decision metrics.
create index cases_by_decision on cases (tenant, status_at, id) include (created_at)
  where status in ('approved', 'declined');
create index on cases (tenant, patient, id);
-- For the sandbox's autopilot.
create index on cases (tenant, status_at) where status in ('queued', 'in_review');
-- The console's queue. The statuses equal `queueStatuses` (contract/console/cases.ts). The
-- console's statement writes them as constants, because a plan for arbitrary values couldn't use
-- this index.
create index cases_that_wait on cases (organization, id) -- only live
  where status in ('queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration'); -- only live
grant select, insert, update on cases to app_{mode};

-- A live case includes its tenant's organization, so the console's policy compares that instead of
-- looking up the clinic's tenants.
-- begin only live
create function name_organization_of_case() returns trigger language plpgsql
  set search_path = live, pg_temp as $$
begin
  select t.organization into new.organization from tenants t where t.id = new.tenant;
  return new;
end $$;
create trigger name_organization before insert on cases
  for each row execute function name_organization_of_case();
-- end only live

create table messages (
  tenant bigint not null,
  id text collate "C" not null,
  "case" text collate "C" not null,
  status text not null default 'sent',
  kind text not null check (kind in ('message', 'question', 'answer')),
  author text not null check (author in ('patient', 'integration', 'clinician')),
  target text check (target in ('patient', 'integration')),
  body text not null,
  created_at timestamptz(3) not null,
  person text collate "C",
  person_name text,
  primary key (tenant, id),
  foreign key (tenant, "case") references cases,
  check ((target is not null) = (kind = 'question'))
);
create index on messages (tenant, "case", id);
grant select, insert on messages to app_{mode};

create table prescriptions (
  tenant bigint not null,
  id text collate "C" not null,
  "case" text collate "C" not null,
  patient text collate "C" not null,
  "order" text collate "C" not null,
  status text not null check (status in ('active', 'filled', 'cancelled', 'expired')),
  medication_id text not null,
  name text not null,
  form text not null,
  strength text not null,
  quantity int not null,
  refills int not null,
  days_supply int not null,
  directions text not null,
  prescriber_name text not null,
  expires_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  prescriber text collate "C", -- the person; /v1 publishes only the name
  primary key (tenant, id),
  foreign key (tenant, "case") references cases
);
create index on prescriptions (tenant, "case", id);
-- For exports, which read everything about one patient in id order.
create index on prescriptions (tenant, patient, id);
grant select, insert, update on prescriptions to app_{mode};

create table orders (
  tenant bigint not null,
  id text collate "C" not null,
  "case" text collate "C" not null,
  patient text collate "C" not null,
  prescription text collate "C" not null,
  status text not null check (status in ('created', 'at_pharmacy', 'shipped', 'delivered', 'blocked',
    'failed')),
  status_at timestamptz(3) not null,
  medication_id text not null,
  quantity int not null,
  ship_to json not null,
  tracking json,
  reason text,
  shipped_at timestamptz(3),
  delivered_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  moved_by text collate "C",
  moved_by_name text,
  primary key (tenant, id),
  foreign key (tenant, "case") references cases,
  foreign key (tenant, prescription) references prescriptions
);
create index on orders (tenant, "case", id);
create index on orders (tenant, patient, id);
-- A prescription may be removed only if no order refers to it.
create index on orders (tenant, prescription);
-- For the sandbox's autopilot, and the metric of blocked orders.
create index on orders (tenant, status_at)
  where status in ('created', 'at_pharmacy', 'shipped', 'blocked');
grant select, insert, update on orders to app_{mode};

-- The API and the worker read only the current tenant's rows. In test mode, a row is hidden thirty
-- days after it was written, by its sandbox's clock, and removed soon after.
do $$
declare
  made text;
begin
  foreach made in array array['patients', 'consents', 'cases', 'messages', 'prescriptions',
                              'orders'] loop
    execute format('alter table %I enable row level security', made);
    execute format('alter table %I force row level security', made);
    execute format($p$create policy tenant on %I to app_{mode} using (
      tenant = public.current_tenant()
      and created_at > (select at from kept_since) -- only test
    )$p$, made);
    execute format($p$create policy worker on %I for select to app_worker_{mode} using (
      tenant = public.current_tenant()
      and created_at > (select at from kept_since) -- only test
    )$p$, made);
    execute format('grant select on %I to app_worker_{mode}', made);
    execute format('create index on %I using brin (created_at)', made); -- only test
    execute format('create policy owner on %I to current_user using (true)', made); -- only test
  end loop;
end $$;
create policy owner on patients for select to current_user using (true); -- only live

-- Seconds until the autopilot approves a case and ships its order. Created in both modes, like
-- every table, but used only in test mode.
create table autopilot (
  tenant bigint primary key,
  approve_after_s int check (approve_after_s between 0 and 3600),
  ship_after_s int check (ship_after_s between 0 and 3600),
  updated_at timestamptz(3) not null default clock_timestamp()
);
alter table autopilot enable row level security;
alter table autopilot force row level security;
create policy tenant on autopilot to app_{mode} using (tenant = public.current_tenant());
create policy owner on autopilot to current_user using (true); -- only test
grant select, insert, update on autopilot to app_{mode};

-- The current version of each consent document. Only test mode has any.
create table consent_versions (
  tenant bigint not null,
  kind text not null check (kind in ('telehealth', 'privacy')),
  version text not null,
  primary key (tenant, kind)
);
alter table consent_versions enable row level security;
alter table consent_versions force row level security;
create policy tenant on consent_versions to app_{mode} using (tenant = public.current_tenant());
create policy worker on consent_versions for select to app_worker_{mode}
  using (tenant = public.current_tenant());
create policy owner on consent_versions to current_user using (true); -- only test
grant select, insert, update, delete on consent_versions to app_{mode};
grant select on consent_versions to app_worker_{mode};
