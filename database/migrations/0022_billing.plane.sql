-- The charge ledger, and the invoices made of it. A charge is never changed: what was wrong is
-- taken back by a reversal, a line of its own. Whether a charge is invoiced is read from the lines
-- of invoices, so that the ledger's row need not change for it either. In live even the owner is
-- stopped from changing or removing a line by mistake; a sandbox row is removed when its days are
-- over, and changed by nobody.

create table charges (
  stream bigint not null,
  id text collate "C" not null,
  kind text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  amount bigint not null,
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  reverses text collate "C",
  reason text,
  created_at timestamptz(3) not null,
  primary key (stream, id),
  foreign key (stream, reverses) references charges,
  check (case when reverses is null then amount > 0 and reason is null
              else amount < 0 and reason is not null end)
);
-- A resource is charged once of a kind, and a charge is taken back once.
create unique index charged_once on charges (stream, kind, resource_type, resource_id)
  where reverses is null;
create unique index reversed_once on charges (stream, reverses) where reverses is not null;
create index on charges (stream, created_at);

create table invoices (
  stream bigint not null,
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
  primary key (stream, id),
  unique (number, stream),
  check ((paid_at is not null) = (status = 'paid')),
  constraint one_invoice_per_period exclude using gist
    (stream with =, currency with =, tstzrange(period_start, period_end) with &&)
    where (status <> 'void')
);

-- The key makes a charge stand on one invoice at most.
create table invoice_lines (
  stream bigint not null,
  charge text collate "C" not null,
  invoice text collate "C" not null,
  created_at timestamptz(3) not null default now(),
  primary key (stream, charge),
  foreign key (stream, charge) references charges,
  foreign key (stream, invoice) references invoices
);
create index on invoice_lines (stream, invoice, charge);

create function refuse_change_of_charge() returns trigger language plpgsql as $$
begin
  raise exception 'a charge is never changed or removed' using errcode = 'insufficient_privilege',
    hint = 'Take it back with a reversal.';
end $$;

do $$
declare
  plane constant text := current_schema();
  role constant text := 'svc_' || current_schema();
  worker constant text := 'svc_worker_' || current_schema();
  tenant text;
begin
  foreach tenant in array array['charges', 'invoices', 'invoice_lines'] loop
    execute format('alter table %I.%I enable row level security', plane, tenant);
    execute format('alter table %I.%I force row level security', plane, tenant);
    execute format('create policy tenant on %I.%I to %I using (stream = public.opened_stream())',
                   plane, tenant, role);
    execute format('grant select on %I.%I to %I', plane, tenant, role);
    -- What an event is about is embedded in its delivery (0009).
    execute format('create policy worker on %I.%I for select to %I using (stream = public.opened_stream())',
                   plane, tenant, worker);
    execute format('grant select on %I.%I to %I', plane, tenant, worker);
  end loop;
  execute format('grant insert on %I.charges to %I', plane, role);

  execute format('create trigger never_changed before update on %I.charges
                    for each row execute function refuse_change_of_charge()', plane);
  if plane = 'live' then
    execute format('create trigger never_removed before delete on %I.charges
                      for each row execute function refuse_change_of_charge()', plane);
    execute format('create trigger never_truncated before truncate on %I.charges
                      for each statement execute function refuse_change_of_charge()', plane);
  end if;
end $$;
