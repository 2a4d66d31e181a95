-- Live invoices: created each month, then paid, written off or voided. Operator actions are
-- functions that also write an audit row, as in 0006_administration.sql.

create policy billing_insert on live.charges for insert to current_user with check (true);
create policy billing_insert on live.events for insert to current_user
  with check (resource_type = 'charge');

create table billing.payments (
  tenant bigint not null,
  reference text not null check (length(reference) between 1 and 120), -- identifies the transfer or check
  invoice text collate "C" not null,
  amount bigint not null check (amount > 0), -- minor units, in the invoice's currency
  created_at timestamptz(3) not null default now(),
  primary key (tenant, reference), -- a payment is recorded once
  foreign key (tenant, invoice) references live.invoices
);
create index on billing.payments (tenant, invoice);

create sequence live.invoice_numbers;

-- The remaining credit from earlier negative invoices, in minor units.
create function live.invoice_credit(of_tenant bigint, of_currency text) returns bigint
  language sql stable set search_path = live, pg_temp
begin atomic
  select coalesce(sum(greatest(-total, 0) - credit), 0)::bigint from live.invoices
   where tenant = of_tenant and currency = of_currency and status <> 'void';
end;

-- Emails a new invoice to the integration's billing address, or without one to each owner.
create function live.email_invoice(made live.invoices) returns void language sql volatile
  set search_path = live, pg_temp as $$
  select site.queue_person_email('invoice_made', jsonb_build_object(
           'email', a.email, 'integration', i.name, 'integration_id', i.id,
           'invoice', made.id, 'number', made.number,
           'month', public.iso(made.period_start), 'total', made.total,
           'due', greatest(made.total - made.amount_paid, 0), 'currency', made.currency,
           'due_at', public.iso(made.due_at)))
    from tenants t join auth.integrations i on i.id = t.integration
   cross join lateral (
     select i.billing_email as email where i.billing_email is not null
     union all
     select p.email from auth.members m
       join auth.persons p on p.id = m.person and p.disabled_at is null
      where i.billing_email is null and m.integration = i.id and m.role = 'owner'
        and m.removed_at is null) a
   where t.id = made.tenant
$$;

create function live.uninvoiced_charges(of_integration text, before timestamptz)
  returns setof live.charges language sql stable set search_path = live, pg_temp
begin atomic
  select c.* from live.charges c
   where c.tenant in (select id from live.tenants where integration = of_integration)
     and c.created_at < before
     and not exists (select from live.invoice_lines l
                      where l.charge_tenant = c.tenant and l.charge = c.id);
end;

-- Creates an integration's invoices for a month, one per currency, from everything that was charged
-- before its end and isn't on an invoice. Returns how many.
--
-- A write that charges holds its tenant's row until it commits. Once these rows are locked, all
-- charges before `month_end` are visible, so no charge misses its month.
create function live.invoice_month(of_integration text, month_start timestamptz,
    month_end timestamptz, act jsonb) returns int
  language plpgsql set search_path = live, pg_temp as $$
declare
  own bigint;
  made int := 0;
  sums record;
  issued timestamptz(3);
  new_id text;
  paid bigint;
begin
  perform from tenants where integration = of_integration order by id for no key update;
  select id into own from tenants
   where integration = of_integration and organization is null and retired_at is null;
  for sums in
    select c.currency, sum(c.amount)::bigint as total
      from uninvoiced_charges(of_integration, month_end) c
     where not exists (
       select from invoices i where i.tenant = own and i.currency = c.currency
          and i.status <> 'void' and i.period_end > month_start and i.period_start < month_end)
     group by c.currency order by c.currency
  loop
    issued := next_timestamp(own, 1);
    new_id := public.ulid('inv', issued, public.ulid_random());
    paid := least(greatest(sums.total, 0), invoice_credit(own, sums.currency));
    insert into invoices (tenant, id, number, status, period_start, period_end, currency, total,
                          credit, amount_paid, issued_at, due_at, paid_at, created_at)
    select own, new_id, 'INV-' || lpad(nextval('invoice_numbers')::text, 6, '0'),
           case when is_paid then 'paid' else 'open' end, month_start, month_end, sums.currency,
           sums.total, paid, paid, issued, issued + interval '30 days',
           case when is_paid then issued end, issued
      from (select paid = greatest(sums.total, 0) as is_paid) x;
    insert into invoice_lines (tenant, invoice, charge_tenant, charge)
    select own, new_id, c.tenant, c.id from uninvoiced_charges(of_integration, month_end) c
     where c.currency = sums.currency;
    perform email_invoice(i) from invoices i where i.tenant = own and i.id = new_id;
    perform auth.record_act(act, 'createInvoice', 'live', of_integration, null, new_id, null);
    made := made + 1;
  end loop;
  return made;
end $$;
revoke execute on function live.invoice_month from public;

-- Creates one integration's missing invoices, for the UTC months that ended before `until`. Returns
-- how many; null if no integration has a missing invoice, or if another worker is doing this.
create function live.invoice_next(until timestamptz) returns int
  language plpgsql security definer set search_path = live, pg_temp as $$
declare
  ends constant timestamp := date_trunc('month', until at time zone 'UTC');
  own record;
  month timestamp;
  made int := 0;
begin
  if not pg_try_advisory_xact_lock(hashtext('live.invoice_next')) then return null; end if;
  select id, integration into own from tenants
   where organization is null and retired_at is null
     and (invoiced_until is null or invoiced_until < ends at time zone 'UTC')
   order by id limit 1;
  if not found then return null; end if;
  select date_trunc('month', min(c.created_at) at time zone 'UTC') into month
    from uninvoiced_charges(own.integration, ends at time zone 'UTC') c;
  while month < ends loop
    made := made + invoice_month(own.integration, month at time zone 'UTC',
      (month + interval '1 month') at time zone 'UTC', jsonb_build_object('actor', 'worker',
        'surface', 'worker', 'request', public.new_id('req')));
    month := month + interval '1 month';
  end loop;
  update tenants set invoiced_until = ends at time zone 'UTC' where id = own.id;
  return made;
end $$;
revoke execute on function live.invoice_next from public;
grant execute on function live.invoice_next to app_worker_live;

-- Reverses a charge with another charge, and adds its event. Returns null, or the code of its
-- refusal.
create function live.reverse_charge(old_id text, because text, act jsonb) returns text
  language plpgsql set search_path = live, pg_temp as $$
declare
  old charges;
  at timestamptz;
  new_id text;
  refusal text;
begin
  select * into old from charges where id = old_id;
  if old.id is null then refusal := 'unknown_charge';
  elsif old.reverses is not null then refusal := 'is_a_reversal';
  else
    at := next_timestamp(old.tenant, 2);
    if exists (select from charges where tenant = old.tenant and reverses = old.id) then
      refusal := 'already_reversed';
    else
      new_id := public.ulid('chg', at, public.ulid_random());
      insert into charges (tenant, id, kind, resource_type, resource_id, amount, currency, reverses,
                           reason, created_at)
      values (old.tenant, new_id, old.kind, old.resource_type, old.resource_id, -old.amount,
              old.currency, old.id, because, at);
      insert into events (tenant, id, type, resource_type, resource_id, status, created_at, request)
      values (old.tenant, public.ulid('evt', at + interval '1 ms', public.ulid_random()),
              'charge.created.v1', 'charge', new_id, 'pending', at + interval '1 ms',
              act ->> 'request');
    end if;
  end if;
  return auth.record_act(act, 'reverseCharge', 'live',
    (select integration from tenants where id = old.tenant), null, old_id, refusal);
end $$;
revoke execute on function live.reverse_charge from public;

-- Locks the integration's tenant row before any of its invoices is created or changed, because one
-- invoice's credit pays another.
create function live.lock_invoice(of_number text) returns void language sql
  set search_path = live, pg_temp
begin atomic
  select from live.tenants
   where id = (select tenant from live.invoices where number = of_number) for no key update;
end;

-- Records a payment for an open or written-off invoice. Returns null, or the code of its refusal.
create function live.pay_invoice(of_number text, amount bigint, of_reference text, act jsonb)
  returns text language plpgsql set search_path = live, pg_temp as $$
declare
  found_one invoices;
  refusal text;
begin
  perform live.lock_invoice(of_number);
  select * into found_one from invoices where number = of_number;
  if found_one.id is null then refusal := 'unknown_invoice';
  elsif exists (select from billing.payments where tenant = found_one.tenant
                   and reference = of_reference) then refusal := 'already_recorded';
  elsif found_one.status not in ('open', 'uncollectible') then refusal := 'not_open';
  elsif amount > found_one.total - found_one.amount_paid then refusal := 'too_much';
  else
    insert into billing.payments (tenant, invoice, reference, amount)
    values (found_one.tenant, found_one.id, of_reference, amount);
    update invoices set amount_paid = amount_paid + pay_invoice.amount,
           status = case when amount_paid + pay_invoice.amount = total then 'paid' else status end,
           paid_at = case when amount_paid + pay_invoice.amount = total then now() end
     where tenant = found_one.tenant and id = found_one.id;
  end if;
  return auth.record_act(act, 'payInvoice', 'live',
    (select integration from tenants where id = found_one.tenant), null, of_number, refusal);
end $$;
revoke execute on function live.pay_invoice from public;

-- Voids an invoice without payments, so the next run invoices its charges again; or writes it off,
-- 90 days after its due date. Returns null, or the code of its refusal.
create function live.end_invoice(of_number text, new_status text, act jsonb) returns text
  language plpgsql set search_path = live, pg_temp as $$
declare
  found_one invoices;
  refusal text;
begin
  perform live.lock_invoice(of_number);
  select * into found_one from invoices where number = of_number;
  if found_one.id is null then refusal := 'unknown_invoice';
  elsif new_status = 'void' and found_one.amount_paid > found_one.credit then refusal := 'paid_in_part';
  elsif found_one.status <> 'open'
    and not (new_status = 'void' and found_one.status = 'paid' and found_one.amount_paid = found_one.credit)
    then refusal := 'not_open';
  elsif new_status = 'void' and found_one.total < 0
    and invoice_credit(found_one.tenant, found_one.currency) < -found_one.total
    then refusal := 'credit_used';
  elsif new_status = 'uncollectible' and now() < found_one.due_at + interval '90 days'
    then refusal := 'too_early';
  else
    if new_status = 'void' then
      delete from invoice_lines where tenant = found_one.tenant and invoice = found_one.id;
      update tenants set invoiced_until = null where id = found_one.tenant;
    end if;
    update invoices set status = new_status, paid_at = null,
           credit = case when new_status = 'void' then 0 else credit end,
           amount_paid = case when new_status = 'void' then 0 else amount_paid end
     where tenant = found_one.tenant and id = found_one.id;
  end if;
  return auth.record_act(act, case new_status when 'void' then 'voidInvoice' else 'giveUpInvoice' end, 'live',
    (select integration from tenants where id = found_one.tenant), null, of_number, refusal);
end $$;
revoke execute on function live.end_invoice from public;

-- Audit rows of charges ------------------------------------------------------------------------------

-- Each live charge has an audit row with its digest, written with the charge. The audit signature
-- covers that row, so `npm run admin -- audit verify` lists any charge that a superuser changed,
-- removed or inserted past the triggers.

create function live.charge_digest(of_charge live.charges) returns text language sql stable
  set search_path = live, pg_temp
begin atomic
  select encode(sha256(convert_to(json_build_array(
    (of_charge).tenant, (of_charge).id, (of_charge).kind, (of_charge).resource_type,
    (of_charge).resource_id, (of_charge).amount, (of_charge).currency, (of_charge).reverses,
    (of_charge).reason, public.iso((of_charge).created_at))::text, 'utf8')), 'hex');
end;
revoke execute on function live.charge_digest from public;

create function live.note_charge() returns trigger language plpgsql security definer
  set search_path = live, pg_temp as $$
begin
  insert into audit.entries (mode, integration, organization, actor, surface, action, target,
                             outcome, status, request, shape)
  select 'live', t.integration, t.organization, 'billing', 'billing', 'recordCharge', new.id, 'ok',
         200, public.new_id('req'), live.charge_digest(new)
    from live.tenants t where t.id = new.tenant;
  return null;
end $$;
revoke execute on function live.note_charge from public;
create trigger note_charge after insert on live.charges
  for each row execute function live.note_charge();
