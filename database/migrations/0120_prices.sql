-- What the kinds of charges cost. A price is not changed: it ends, and another one begins.
create schema billing;

create table billing.prices (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  amount bigint not null check (amount >= 0), -- minor units; zero raises no charge
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  integration text references auth.integrations, -- null: for every one
  organization text references auth.organizations, -- null: for every one
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3) check (valid_to > valid_from),
  created_at timestamptz(3) not null default now(),
  constraint one_price_at_a_time exclude using gist
    (kind with =, coalesce(integration, '') with =, coalesce(organization, '') with =,
     tstzrange(valid_from, valid_to) with &&)
);

create function billing.refuse_change_of_price() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and old.valid_to is null and new.valid_to is not null
     and (new.kind, new.amount, new.currency, new.integration, new.organization, new.valid_from)
         is not distinct from
         (old.kind, old.amount, old.currency, old.integration, old.organization, old.valid_from)
  then return new; end if;
  raise exception 'prices must not be changed or removed' using errcode = 'insufficient_privilege',
    hint = 'End the price, and add another.';
end $$;
create trigger never_changed before update or delete on billing.prices
  for each row execute function billing.refuse_change_of_price();
create trigger never_truncated before truncate on billing.prices
  for each statement execute function billing.refuse_change_of_price();

insert into billing.prices (kind, amount, currency, valid_from)
values ('video_visit', 4900, 'USD', '2020-01-01T00:00:00Z');

-- The price of a kind for an integration at a clinic: what was agreed with the integration counts
-- before what was agreed with the clinic, and either before what everyone pays.
create function billing.price_of(of_kind text, of_integration text, of_organization text,
    at timestamptz) returns billing.prices language sql stable
begin atomic
  select * from billing.prices p
   where p.kind = of_kind and p.valid_from <= at and (p.valid_to is null or p.valid_to > at)
     and (p.integration is null or p.integration = of_integration)
     and (p.organization is null or p.organization = of_organization)
   order by (p.integration is not null) desc, (p.organization is not null) desc
   limit 1;
end;

-- Adds a price from a moment on, and ends the one that it replaces, as {amount, currency,
-- integration, organization, from} says. Returns null, or the code of what it refused.
create function billing.add_price(of_kind text, price jsonb, act jsonb) returns text
  language plpgsql set search_path = billing, pg_temp as $$
declare
  wanted billing.prices := jsonb_populate_record(null::billing.prices, price);
  starts constant timestamptz(3) := 
    coalesce((price ->> 'from')::timestamptz, date_trunc('milliseconds', now()));
  refusal text;
begin
  lock table billing.prices in share row exclusive mode;
  if not exists (select from auth.integrations where id = wanted.integration)
     and wanted.integration is not null then refusal := 'unknown_integration';
  elsif not exists (select from auth.organizations where id = wanted.organization)
     and wanted.organization is not null then refusal := 'unknown_organization';
  elsif starts < now() - interval '1 minute' then refusal := 'in_the_past';
  elsif exists (
    select from prices p where p.kind = of_kind and p.valid_from >= starts
       and p.integration is not distinct from wanted.integration
       and p.organization is not distinct from wanted.organization) then refusal := 'later_price';
  else
    update prices p set valid_to = starts
     where p.kind = of_kind and p.valid_to is null
       and p.integration is not distinct from wanted.integration
       and p.organization is not distinct from wanted.organization;
    insert into prices (kind, amount, currency, integration, organization, valid_from)
    values (of_kind, wanted.amount, wanted.currency, wanted.integration, wanted.organization, starts);
  end if;
  return auth.record_act(act, 'addPrice', 'live', wanted.integration, null, of_kind, refusal);
end $$;
revoke execute on function billing.add_price from public;
