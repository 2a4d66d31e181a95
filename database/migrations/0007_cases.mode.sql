-- Cases with their messages, prescriptions and orders, and the timers of the sandbox's autopilot.
-- Lists that are only ever read whole (medications, answers, plan) are json: the text that is
-- published, in the order that was sent.

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
  primary key (tenant, id),
  foreign key (tenant, patient) references patients,
  check (num_nonnulls(question_message, question_target, question_body, question_asked_at) in (0, 4)),
  check ((question_message is not null) = (status in ('waiting_on_patient', 'waiting_on_integration')))
);
create index on cases (tenant, status, id);
create index on cases (tenant, patient, id);
-- For the autopilot of the sandbox.
create index on cases (tenant, status_at) where status in ('queued', 'in_review');
create index on cases using brin (created_at); -- only test
alter table cases enable row level security;
alter table cases force row level security;
create policy tenant on cases to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on cases for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on cases to current_user using (true); -- only test
grant select, insert, update on cases to app_{mode};
grant select on cases to app_worker_{mode};

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
  primary key (tenant, id),
  foreign key (tenant, "case") references cases,
  check ((target is not null) = (kind = 'question'))
);
create index on messages (tenant, "case", id);
create index on messages using brin (created_at); -- only test
alter table messages enable row level security;
alter table messages force row level security;
create policy tenant on messages to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on messages for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on messages to current_user using (true); -- only test
grant select, insert on messages to app_{mode};
grant select on messages to app_worker_{mode};

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
  primary key (tenant, id),
  foreign key (tenant, "case") references cases
);
create index on prescriptions (tenant, "case", id);
-- For exports, which read everything of one patient in order of id.
create index on prescriptions (tenant, patient, id);
create index on prescriptions using brin (created_at); -- only test
alter table prescriptions enable row level security;
alter table prescriptions force row level security;
create policy tenant on prescriptions to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on prescriptions for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on prescriptions to current_user using (true); -- only test
grant select, insert, update on prescriptions to app_{mode};
grant select on prescriptions to app_worker_{mode};

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
  primary key (tenant, id),
  foreign key (tenant, "case") references cases,
  foreign key (tenant, prescription) references prescriptions
);
create index on orders (tenant, "case", id);
create index on orders (tenant, patient, id);
-- A prescription may be removed only when no order refers to it.
create index on orders (tenant, prescription);
-- For the autopilot of the sandbox.
create index on orders (tenant, status_at) where status in ('created', 'at_pharmacy', 'shipped');
create index on orders using brin (created_at); -- only test
alter table orders enable row level security;
alter table orders force row level security;
create policy tenant on orders to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on orders for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on orders to current_user using (true); -- only test
grant select, insert, update on orders to app_{mode};
grant select on orders to app_worker_{mode};

-- After how many seconds the autopilot approves a case and ships its order. Made in both modes, as
-- every table is; only the test mode uses it.
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
