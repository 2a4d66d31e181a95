-- Invoices are of an integration, whichever clinics its charges come from, so they are rows of the
-- integration's own tenant. No invoice was made before this.
drop table invoice_lines;
drop table invoices;

-- The price of a kind for the tenant that this session has set; null where it has none. In real
-- time in either mode: the clock of a sandbox changes no price.
create function price_of(kind text) returns json language sql stable security definer
  set search_path = {mode}, pg_temp as $$
  select json_build_object('amount', p.amount, 'currency', p.currency)
    from tenants t, billing.price_of(kind, t.integration, t.organization, now()) p
   where t.id = public.current_tenant() and p.amount > 0
$$;
revoke execute on function price_of from public;
grant execute on function price_of to app_{mode};
grant execute on function price_of to app_console; -- only live

create table invoices (
  tenant bigint not null,
  id text collate "C" not null,
  number text not null,
  status text not null check (status in ('open', 'paid', 'void', 'uncollectible')),
  period_start timestamptz(3) not null,
  period_end timestamptz(3) not null check (period_end > period_start),
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  total bigint not null,
  credit bigint not null default 0, -- of the amount paid: from earlier invoices below zero
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

-- The primary key puts a charge on one invoice at most. In test there is none, and charges end after
-- thirty days.
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

-- For the functions below, which the owner runs.
create policy owner on charges for select to current_user using (true); -- only live

-- The charges of an invoice of the caller's integration, from every clinic.
create function invoiced_charges(of_invoice text) returns setof charges language sql stable
  security definer set search_path = {mode}, pg_temp as $$
  select c.* from invoice_lines l join charges c on c.tenant = l.charge_tenant and c.id = l.charge
   where l.tenant = integration_tenant() and l.invoice = of_invoice
$$;
revoke execute on function invoiced_charges from public;
grant execute on function invoiced_charges to app_{mode};
