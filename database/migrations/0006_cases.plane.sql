-- A consult and what comes of it. Lists that are read only whole (medications, answers, plan) are
-- json: the very text that is published, in the order it was sent.

create table cases (
  stream bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  status text not null check (status in ('received', 'queued', 'in_review', 'waiting_on_patient',
    'waiting_on_integration', 'approved', 'declined', 'cancelled', 'withdrawn')),
  status_at timestamptz(3) not null, -- when it entered that status: autopilot counts from here
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
  primary key (stream, id),
  foreign key (stream, patient) references patients,
  check (num_nonnulls(question_message, question_target, question_body, question_asked_at) in (0, 4)),
  check ((question_message is not null) = (status in ('waiting_on_patient', 'waiting_on_integration')))
);
create index on cases (stream, status, id);
create index on cases (stream, patient, id);

create table messages (
  stream bigint not null,
  id text collate "C" not null,
  "case" text collate "C" not null,
  status text not null default 'sent',
  kind text not null check (kind in ('message', 'question', 'answer')),
  author text not null check (author in ('patient', 'integration', 'clinician')),
  target text check (target in ('patient', 'integration')),
  body text not null,
  created_at timestamptz(3) not null,
  primary key (stream, id),
  foreign key (stream, "case") references cases,
  check ((target is not null) = (kind = 'question'))
);
create index on messages (stream, "case", id);

create table prescriptions (
  stream bigint not null,
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
  primary key (stream, id),
  foreign key (stream, "case") references cases
);
create index on prescriptions (stream, "case", id);

create table orders (
  stream bigint not null,
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
  primary key (stream, id),
  foreign key (stream, "case") references cases,
  foreign key (stream, prescription) references prescriptions
);
create index on orders (stream, "case", id);
