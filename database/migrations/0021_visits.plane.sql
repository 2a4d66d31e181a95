-- Visits. That nobody is in two places at once is decided by two exclusion constraints and by
-- nothing else (decision C14): ranges are [start, end), so visits that touch do not overlap, and
-- a visit that is cancelled, missed or over holds nothing any more.

create table visits (
  stream bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  "case" text collate "C",
  status text not null check (status in ('scheduled', 'started', 'completed', 'cancelled', 'no_show')),
  state text not null check (state ~ '^[A-Z]{2}$'),
  time_zone text not null,
  clinician text collate "C" not null, -- whose time it takes; published is the name alone
  clinician_name text,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (stream, id),
  foreign key (stream, patient) references patients,
  foreign key (stream, "case") references cases,
  check ((ended_at is not null) = (status in ('completed', 'cancelled', 'no_show'))),
  check ((started_at is not null) = (status in ('started', 'completed'))),
  constraint one_visit_per_clinician exclude using gist
    (stream with =, clinician with =, tstzrange(starts_at, ends_at) with &&)
    where (status in ('scheduled', 'started')),
  constraint one_visit_per_patient exclude using gist
    (stream with =, patient with =, tstzrange(starts_at, ends_at) with &&)
    where (status in ('scheduled', 'started'))
);
create index on visits (stream, patient, id);
create index on visits (stream, "case") where "case" is not null;

-- How many were booked: a delete of the patient decides on all of them or again (0005).
alter table patients add column visits int not null default 0;

do $$
declare
  plane constant text := current_schema();
  role constant text := 'svc_' || current_schema();
  worker constant text := 'svc_worker_' || current_schema();
begin
  execute format('alter table %I.visits enable row level security', plane);
  execute format('alter table %I.visits force row level security', plane);
  execute format('create policy tenant on %I.visits to %I using (stream = public.opened_stream())',
                 plane, role);
  execute format('grant select, insert, update on %I.visits to %I', plane, role);
  -- What an event is about is embedded in its delivery (0009).
  execute format('create policy worker on %I.visits for select to %I using (stream = public.opened_stream())',
                 plane, worker);
  execute format('grant select on %I.visits to %I', plane, worker);
end $$;
