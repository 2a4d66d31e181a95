-- Patients and their consents. A deleted patient leaves a tombstone without details: cases, orders
-- and consents keep referring to a row of their own tenant, and the details are gone.

create table patients (
  tenant bigint not null,
  id text collate "C" not null,
  external_id text collate "C",
  first_name text,
  middle_name text,
  last_name text,
  date_of_birth date,
  sex_at_birth text check (sex_at_birth in ('female', 'male', 'intersex', 'unknown')),
  email text,
  phone text,
  address json,
  -- How many cases and visits were created: a delete that read other numbers decides again.
  cases int not null default 0,
  visits int not null default 0,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (tenant, id),
  check (deleted_at is not null or (first_name is not null and last_name is not null
    and date_of_birth is not null and sex_at_birth is not null and email is not null
    and phone is not null and address is not null)),
  check (deleted_at is null or (external_id is null and first_name is null and middle_name is null
    and last_name is null and date_of_birth is null and email is null and phone is null
    and address is null))
);
create index on patients (tenant, external_id, id) where external_id is not null;
-- For the sweeps of files: what was written for a patient in the moment of its deletion.
create index on patients (deleted_at) where deleted_at is not null;
create index on patients using brin (created_at); -- only test
alter table patients enable row level security;
alter table patients force row level security;
create policy tenant on patients to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on patients for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on patients
  for select -- only live
  to current_user using (true);
grant select, insert, update on patients to app_{mode};
grant select on patients to app_worker_{mode};

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
create index on consents using brin (created_at); -- only test
alter table consents enable row level security;
alter table consents force row level security;
create policy tenant on consents to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on consents for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on consents to current_user using (true); -- only test
grant select, insert, update on consents to app_{mode};
grant select on consents to app_worker_{mode};
