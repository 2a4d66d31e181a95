-- Visits, the charge ledger, and the resulting invoices.

-- Only the two exclusion constraints prevent a person from having two visits at the same time. A
-- range is [start, end), so adjacent visits don't overlap, and a visit that was canceled, missed or
-- completed takes no time. In test mode, each sandbox has its own clinicians. In live mode,
-- clinicians belong to the clinic, so visits of the same clinician can't overlap even if different
-- integrations book them.
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
  organization text collate "C" not null, -- only live
  primary key (tenant, id),
  foreign key (tenant, patient) references patients,
  foreign key (tenant, "case") references cases,
  check ((ended_at is not null) = (status in ('completed', 'cancelled', 'no_show'))),
  check ((started_at is not null) = (status in ('started', 'completed'))),
  constraint one_visit_per_clinician exclude using gist
    (tenant with =, clinician with =, tstzrange(starts_at, ends_at) with &&) -- only test
    (organization with =, clinician with =, tstzrange(starts_at, ends_at) with &&) -- only live
    where (status in ('scheduled', 'started')),
  constraint one_visit_per_patient exclude using gist
    (tenant with =, patient with =, tstzrange(starts_at, ends_at) with &&)
    where (status in ('scheduled', 'started'))
);
create index on visits (tenant, patient, id);
create index on visits (tenant, "case") where "case" is not null;
create index on visits using brin (created_at); -- only test
-- The tenant comes last for the console's policy, which would otherwise also read the primary key.
create index visits_by_start on visits (organization, starts_at, tenant); -- only live
grant select, insert, update on visits to app_{mode};

-- begin only live
create function name_organization_of_visit() returns trigger language plpgsql
  set search_path = live, pg_temp as $$
begin
  select t.organization into new.organization from tenants t where t.id = new.tenant;
  return new;
end $$;
create trigger name_organization before insert on visits
  for each row execute function name_organization_of_visit();
-- end only live

-- The participants in a live visit's video room, and the messages between their browsers until
-- those are connected. A row is one participant's seat. It exists only while that page is open, so
-- the table is unlogged. A sandbox visit has no room.
create unlogged table room_seats (
  tenant bigint not null,
  visit text collate "C" not null,
  seat text not null check (seat in ('patient', 'clinician')),
  connection text not null, -- from the newest page; an older one is closed
  inbox text[] not null default '{}', -- messages for this seat's gateway
  seen_at timestamptz(3) not null default now(),
  left_at timestamptz(3), -- when its person counts as gone; null while a page is open
  primary key (tenant, visit, seat),
  constraint room_inbox_is_full check (cardinality(inbox) <= 200)
);
alter table room_seats enable row level security;
alter table room_seats force row level security;
create policy tenant on room_seats to app_{mode} using (tenant = public.current_tenant());
create policy worker on room_seats to app_worker_{mode} using (true);
grant select, insert, update, delete on room_seats to app_{mode};
grant select (seen_at), delete on room_seats to app_worker_{mode}; -- removes abandoned ones

-- The browser that may use a link to a visit, and how often a wrong date of birth was entered. A
-- row is one used link. It contains digests of the link and of the browser's cookie, and is removed
-- within a day, long after the visit can no longer be joined.
create table visit_entrances (
  tenant bigint not null,
  link text collate "C" not null, -- SHA-256
  tries int not null default 0 check (tries >= 0), -- wrong dates
  browser text collate "C", -- SHA-256 of the cookie in the browser that entered; it never changes
  used_at timestamptz(3) not null default now(),
  primary key (tenant, link)
);
create index visit_entrances_by_time on visit_entrances (used_at);
alter table visit_entrances enable row level security;
alter table visit_entrances force row level security;
create policy tenant on visit_entrances to app_{mode} using (tenant = public.current_tenant());
create policy worker on visit_entrances to app_worker_{mode} using (true);
grant select, insert, update on visit_entrances to app_{mode};
grant select (used_at), delete on visit_entrances to app_worker_{mode}; -- removes old ones

-- Charges --------------------------------------------------------------------------------------------

-- A kind's price for the current tenant; null if it has none. Uses real time in both modes, because
-- advancing a sandbox's clock doesn't change prices.
create function price_of(kind text) returns json language sql stable security definer
  set search_path = {mode}, pg_temp as $$
  select json_build_object('amount', p.amount, 'currency', p.currency)
    from tenants t, billing.price_of(kind, t.integration, t.organization, now()) p
   where t.id = public.current_tenant() and p.amount > 0
$$;
revoke execute on function price_of from public;
grant execute on function price_of to app_{mode};
grant execute on function price_of to app_console; -- only live

-- A charge never changes: a wrong one is reversed by another charge. A charge's invoice is recorded
-- in invoice_lines, so invoicing doesn't change the charge either. In live mode, triggers keep even
-- the owner from removing a charge by mistake; in test mode, charges are removed after thirty days.
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
-- A resource is charged once per kind, and a charge is reversed at most once.
create unique index charged_once on charges (tenant, kind, resource_type, resource_id)
  where reverses is null;
create unique index reversed_once on charges (tenant, reverses) where reverses is not null;
create index on charges (tenant, created_at);
grant select, insert on charges to app_{mode};

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

-- The same policies as in 0009_patients_and_cases.mode.sql.
do $$
declare
  made text;
begin
  foreach made in array array['visits', 'charges'] loop
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
    execute format('create policy owner on %I to current_user using (true)', made); -- only test
    -- For functions that read all of a clinic's or an integration's tenants.
    execute format( -- only live
      'create policy owner on %I for select to current_user using (true)', made); -- only live
  end loop;
end $$;

-- Invoices -------------------------------------------------------------------------------------------

-- Invoices belong to an integration, and may include charges from several clinics, so they are rows
-- in the integration's own tenant.
create table invoices (
  tenant bigint not null,
  id text collate "C" not null,
  number text not null,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null check (period_end > period_start),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total bigint not null,
  credit bigint not null default 0, -- the part paid from earlier negative invoices
  amount_paid bigint not null default 0,
  issued_at timestamptz(3) not null,
  due_at timestamptz(3) not null,
  paid_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (tenant, id),
  unique (number, tenant),
  check (credit between 0 and greatest(total, 0)),
  check (amount_paid between credit and greatest(total, 0)),
  check ((paid_at is not null) = (status = 'paid')),
  check (status <> 'paid' or amount_paid = greatest(total, 0)),
  constraint one_invoice_per_period exclude using gist
    (tenant with =, currency with =, tstzrange(period_start, period_end) with &&)
    where (status <> 'void')
);
alter table invoices enable row level security;
alter table invoices force row level security;
create policy tenant on invoices to app_{mode} using (tenant = (select integration_tenant()));
create policy owner on invoices to current_user using (true);
grant select on invoices to app_{mode};

-- The primary key puts a charge on at most one invoice. Test mode has no foreign key to charges,
-- because they are removed after thirty days.
create table invoice_lines (
  tenant bigint not null,
  invoice text collate "C" not null,
  charge_tenant bigint not null,
  charge text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (charge_tenant, charge),
  foreign key (charge_tenant, charge) references charges, -- only live
  foreign key (tenant, invoice) references invoices
);
create index on invoice_lines (tenant, invoice, charge);
alter table invoice_lines enable row level security;
alter table invoice_lines force row level security;
create policy tenant on invoice_lines to app_{mode} using (tenant = (select integration_tenant()));
create policy owner on invoice_lines to current_user using (true);
grant select on invoice_lines to app_{mode};
-- A delivery that includes its resource shows a charge's invoice, as the API does, so the worker
-- reads the current tenant's lines.
create policy worker on invoice_lines for select to app_worker_{mode}
  using (charge_tenant = public.current_tenant());
grant select on invoice_lines to app_worker_{mode};

-- An invoice's charges from all clinics, for the caller's integration.
create function invoiced_charges(of_invoice text) returns setof charges language sql stable
  security definer set search_path = {mode}, pg_temp as $$
  select c.* from invoice_lines l join charges c on c.tenant = l.charge_tenant and c.id = l.charge
   where l.tenant = integration_tenant() and l.invoice = of_invoice
$$;
revoke execute on function invoiced_charges from public;
grant execute on function invoiced_charges to app_{mode};
