-- Visits, the charge ledger, and the invoices made of it.

-- Two exclusion constraints alone prevent two visits of one person at the same time. A range is
-- [start, end), so visits that touch do not overlap, and a visit that is cancelled, missed or over
-- takes no time.
create table visits (
  tenant bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  "case" text collate "C",
  status text not null check (status in ('scheduled', 'started', 'completed', 'cancelled', 'no_show')),
  state text not null check (state ~ '^[A-Z]{2}$'),
  time_zone text not null,
  clinician text collate "C" not null, -- whose time it takes; only the name is published
  clinician_name text,
  starts_at timestamptz(3) not null,
  ends_at timestamptz(3) not null check (ends_at > starts_at),
  started_at timestamptz(3),
  ended_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (tenant, id),
  foreign key (tenant, patient) references patients,
  foreign key (tenant, "case") references cases,
  check ((ended_at is not null) = (status in ('completed', 'cancelled', 'no_show'))),
  check ((started_at is not null) = (status in ('started', 'completed'))),
  constraint one_visit_per_clinician exclude using gist
    (tenant with =, clinician with =, tstzrange(starts_at, ends_at) with &&)
    where (status in ('scheduled', 'started')),
  constraint one_visit_per_patient exclude using gist
    (tenant with =, patient with =, tstzrange(starts_at, ends_at) with &&)
    where (status in ('scheduled', 'started'))
);
create index on visits (tenant, patient, id);
create index on visits (tenant, "case") where "case" is not null;
create index on visits using brin (created_at); -- only test
alter table visits enable row level security;
alter table visits force row level security;
create policy tenant on visits to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on visits for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on visits to current_user using (true); -- only test
grant select, insert, update on visits to app_{mode};
grant select on visits to app_worker_{mode};

-- A charge is never changed: a wrong one is taken back by a reversal, which is a charge of its own.
-- Whether a charge is invoiced is in invoice_lines, so invoicing does not change it either. In live
-- a trigger stops even the owner from removing one by mistake; in test a charge is removed when it
-- is thirty days old.
create table charges (
  tenant bigint not null,
  id text collate "C" not null,
  kind text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  amount bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reverses text collate "C",
  reason text,
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  foreign key (tenant, reverses) references charges,
  check (case when reverses is null then amount > 0 and reason is null
              else amount < 0 and reason is not null end)
);
-- A resource is charged once for each kind, and a charge is reversed once.
create unique index charged_once on charges (tenant, kind, resource_type, resource_id)
  where reverses is null;
create unique index reversed_once on charges (tenant, reverses) where reverses is not null;
create index on charges (tenant, created_at);
create index on charges using brin (created_at); -- only test
alter table charges enable row level security;
alter table charges force row level security;
create policy tenant on charges to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on charges for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on charges to current_user using (true); -- only test
grant select, insert on charges to app_{mode};
grant select on charges to app_worker_{mode};

create function refuse_change_of_charge() returns trigger language plpgsql as $$
begin
  raise exception 'charges must not be changed or removed' using errcode = 'insufficient_privilege',
    hint = 'Reverse the charge instead.';
end $$;
create trigger never_changed before update on charges
  for each row execute function refuse_change_of_charge();
create trigger never_removed before delete on charges -- only live
  for each row execute function refuse_change_of_charge(); -- only live
create trigger never_truncated before truncate on charges -- only live
  for each statement execute function refuse_change_of_charge(); -- only live

create table invoices (
  tenant bigint not null,
  id text collate "C" not null,
  number text not null,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null check (period_end > period_start),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total bigint not null,
  amount_paid bigint not null default 0 check (amount_paid >= 0),
  issued_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  unique (number, tenant),
  check ((paid_at is not null) = (status = 'paid')),
  constraint one_invoice_per_period exclude using gist
    (tenant with =, currency with =, tstzrange(period_start, period_end) with &&)
    where (status <> 'void')
);
create index on invoices using brin (created_at); -- only test
alter table invoices enable row level security;
alter table invoices force row level security;
create policy tenant on invoices to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on invoices for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on invoices to current_user using (true); -- only test
grant select on invoices to app_{mode}, app_worker_{mode};

-- The primary key puts a charge on one invoice at most.
create table invoice_lines (
  tenant bigint not null,
  charge text collate "C" not null,
  invoice text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (tenant, charge),
  foreign key (tenant, charge) references charges,
  foreign key (tenant, invoice) references invoices
);
create index on invoice_lines (tenant, invoice, charge);
create index on invoice_lines using brin (created_at); -- only test
alter table invoice_lines enable row level security;
alter table invoice_lines force row level security;
create policy tenant on invoice_lines to app_{mode} using (tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy worker on invoice_lines for select to app_worker_{mode} using (
  tenant = public.current_tenant()
  and created_at > now() - interval '30 days' -- only test
);
create policy owner on invoice_lines to current_user using (true); -- only test
grant select on invoice_lines to app_{mode}, app_worker_{mode};
