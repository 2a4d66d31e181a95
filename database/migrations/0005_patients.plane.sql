-- Patients and their consents. A deleted patient leaves a tombstone without details: cases, orders
-- and consents keep pointing at a row of their own stream, and the details are really gone.

create table patients (
  stream bigint not null,
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
  cases int not null default 0, -- how many were filed: a delete decides on all of them or again
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3),
  primary key (stream, id),
  check (deleted_at is not null or (first_name is not null and last_name is not null
    and date_of_birth is not null and sex_at_birth is not null and email is not null
    and phone is not null and address is not null)),
  check (deleted_at is null or (external_id is null and first_name is null and middle_name is null
    and last_name is null and date_of_birth is null and email is null and phone is null
    and address is null))
);
create index on patients (stream, external_id, id) where external_id is not null;

create table consents (
  stream bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  kind text not null check (kind in ('telehealth', 'privacy')),
  version text not null,
  status text not null check (status in ('current', 'superseded')),
  accepted_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  primary key (stream, id),
  foreign key (stream, patient) references patients
);
create index on consents (stream, patient, id);
create unique index one_current_consent on consents (stream, patient, kind)
  where status = 'current';
