-- A clinic's pharmacy in live mode: where its prescriptions are sent, which ones were sent, and
-- which updates came back. A clinic without a connection dispenses by hand, using its console's
-- board.

-- A connection's URL never changes, because another URL could be another pharmacy, without the
-- first one's orders.
create table pharmacy.connections (
  id text collate "C" primary key,
  organization text collate "C" not null references auth.organizations,
  name text not null check (char_length(name) between 1 and 200),
  url text not null check (char_length(url) between 1 and 2048),
  -- Encrypted (database/encryption.ts). Both sides sign with it.
  secret text not null,
  previous_secret text,
  previous_secret_expires_at timestamptz(3),
  created_at timestamptz(3) not null default clock_timestamp(),
  ended_at timestamptz(3),
  check ((previous_secret is null) = (previous_secret_expires_at is null))
);
create unique index one_connection on pharmacy.connections (organization) where ended_at is null;
grant select on pharmacy.connections to app_pharmacy, app_auth;
grant select (id, organization, name, ended_at) on pharmacy.connections to app_console;

-- The transmissions, one for each prescription. A transmission is either due or finished: the
-- pharmacy has the order, sending it failed permanently and waits for a person, or a person handles
-- it.
create table pharmacy.transmissions (
  tenant bigint not null,
  prescription text collate "C" not null,
  "order" text collate "C" not null,
  organization text collate "C" not null,
  connection text collate "C" not null references pharmacy.connections,
  status text not null default 'due' check (status in ('due', 'accepted', 'stopped', 'by_hand')),
  due_at timestamptz not null default clock_timestamp(), -- during an attempt: the end of its lease
  lease text, -- identifies the current attempt
  attempts int not null default 0, -- counted before the connection is opened
  error text, -- why the last attempt failed
  http_status int,
  detail text, -- the pharmacy's reason for refusing
  reference text check (char_length(reference) between 1 and 100), -- the pharmacy's reference for the order
  updated_to timestamptz(3), -- the timestamp of the newest applied update
  status_at timestamptz(3) not null default clock_timestamp(),
  primary key (tenant, prescription),
  foreign key (tenant, "order") references live.orders,
  foreign key (tenant, prescription) references live.prescriptions,
  check (lease is null or status = 'due')
);
create unique index transmissions_by_order on pharmacy.transmissions ("order", tenant);
create index due_transmissions on pharmacy.transmissions (connection, due_at) where status = 'due';

-- The ids of received updates, so each counts once.
create table pharmacy.updates (
  connection text collate "C" not null references pharmacy.connections,
  id text collate "C" not null check (char_length(id) between 1 and 255),
  digest text not null, -- SHA-256 of the body
  result text not null check (result in ('applied', 'ignored')),
  received_at timestamptz(3) not null default clock_timestamp(),
  primary key (connection, id)
);
create index updates_by_time on pharmacy.updates (received_at);

alter table pharmacy.connections enable row level security;
alter table pharmacy.connections force row level security;
create policy pharmacy on pharmacy.connections to app_pharmacy, app_auth using (true);
create policy console on pharmacy.connections to app_console
  using (organization = (select public.current_organization()));
create policy owner on pharmacy.connections to current_user using (true);
alter table pharmacy.transmissions enable row level security;
alter table pharmacy.transmissions force row level security;
create policy pharmacy on pharmacy.transmissions to app_pharmacy using (true);
create policy console on pharmacy.transmissions to app_console
  using (organization = (select public.current_organization()));
create policy owner on pharmacy.transmissions to current_user using (true);
grant select, update on pharmacy.transmissions to app_pharmacy;
grant select,
  update (status, status_at, due_at, lease, attempts, connection, error, http_status, detail)
  on pharmacy.transmissions to app_console;
grant select, insert, delete on pharmacy.updates to app_pharmacy;

-- A transmission is created in the signature's transaction, whichever statement creates the order.
create function pharmacy.intend_transmission() returns trigger language plpgsql security definer
  set search_path = pharmacy, pg_temp as $$
begin
  insert into transmissions (tenant, prescription, "order", organization, connection)
  select new.tenant, new.prescription, new.id, c.organization, c.id
    from live.tenants t join connections c on c.organization = t.organization and c.ended_at is null
   where t.id = new.tenant;
  return null;
end $$;
revoke execute on function pharmacy.intend_transmission from public;
create trigger intend_transmission after insert on live.orders
  for each row execute function pharmacy.intend_transmission();

-- The role's access to rows of the current tenant.
do $$
declare made text;
begin
  foreach made in array array['patients', 'prescriptions', 'orders', 'events'] loop
    execute format('create policy pharmacy on live.%I for select to app_pharmacy
      using (tenant = public.current_tenant())', made);
    execute format('grant select on live.%I to app_pharmacy', made);
  end loop;
  foreach made in array array['prescriptions', 'orders'] loop
    execute format('create policy pharmacy_update on live.%I for update to app_pharmacy
      using (tenant = public.current_tenant())', made);
  end loop;
end $$;
create policy pharmacy_insert on live.events for insert to app_pharmacy
  with check (tenant = public.current_tenant());
grant insert on live.events to app_pharmacy;
create policy pharmacy on live.tenants for select to app_pharmacy
  using (id = public.current_tenant());
create policy pharmacy_clock on live.tenants for update to app_pharmacy
  using (id = public.current_tenant());
grant select, update (last) on live.tenants to app_pharmacy;
grant update (status, updated_at) on live.prescriptions to app_pharmacy;
grant update (status, status_at, updated_at, reason, tracking, shipped_at, delivered_at, moved_by,
              moved_by_name) on live.orders to app_pharmacy;
grant select (id, name) on auth.organizations to app_pharmacy;
grant insert on audit.entries to app_pharmacy;

-- Administrators' changes, as in 0008_clinics.sql.

create function pharmacy.connect(new_id text, of_organization text, to_name text, to_url text,
    new_secret text, act jsonb)
  returns text language plpgsql security definer set search_path = pharmacy, pg_temp as $$
declare refusal text := auth.refuse_clinic_change(of_organization, act);
begin
  if refusal is null and exists (
    select from connections where organization = of_organization and ended_at is null) then
    refusal := 'already_connected';
  end if;
  if refusal is null then
    insert into connections (id, organization, name, url, secret)
    values (new_id, of_organization, to_name, to_url, new_secret);
  end if;
  return auth.record_act(act, 'connectPharmacy', 'live', null, null, new_id, refusal);
end $$;

-- The previous secret stays valid for a day. If one already exists, it's replaced.
create function pharmacy.rotate(old_id text, of_organization text, new_secret text, act jsonb)
  returns text language plpgsql security definer set search_path = pharmacy, pg_temp as $$
declare refusal text := auth.refuse_clinic_change(of_organization, act);
begin
  if refusal is null then
    update connections
       set previous_secret = secret, secret = new_secret,
           previous_secret_expires_at = clock_timestamp() + interval '24 hours'
     where id = old_id and organization = of_organization and ended_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return auth.record_act(act, 'rotatePharmacySecret', 'live', null, null, old_id, refusal);
end $$;

-- Transmissions that aren't sent yet stop, and wait for a person.
create function pharmacy.disconnect(old_id text, of_organization text, act jsonb)
  returns text language plpgsql security definer set search_path = pharmacy, pg_temp as $$
declare refusal text := auth.refuse_clinic_change(of_organization, act);
begin
  if refusal is null then
    update connections set ended_at = clock_timestamp()
     where id = old_id and organization = of_organization and ended_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return auth.record_act(act, 'disconnectPharmacy', 'live', null, null, old_id, refusal);
end $$;

revoke execute on function pharmacy.connect, pharmacy.rotate, pharmacy.disconnect from public;
grant execute on function pharmacy.connect, pharmacy.rotate, pharmacy.disconnect to app_auth;
-- Re-encrypts a pharmacy's secrets with the newest key in SEAL_KEYS, unless they have since
-- changed. app_pharmacy can't change a connection in any other way. Writes an audit row.

create function pharmacy.reencrypt(of_connection text, older text, older_previous text,
    newest text, newest_previous text)
  returns boolean language plpgsql security definer set search_path = pharmacy, pg_temp as $$
declare clinic text;
begin
  update connections set secret = newest, previous_secret = newest_previous
   where id = of_connection and secret = older
     and previous_secret is not distinct from older_previous
     and (previous_secret is null) = (newest_previous is null)
  returning organization into clinic;
  if not found then return false; end if;
  perform auth.record_act(jsonb_build_object('actor', 'worker', 'surface', 'worker',
      'organization', clinic,
      'request', public.new_id('req')),
    'reencryptPharmacySecret', 'live', null, null, of_connection, null);
  return true;
end $$;
revoke execute on function pharmacy.reencrypt from public;
grant execute on function pharmacy.reencrypt to app_pharmacy;

-- A transmission is destroyed with its patient's record (0018_records.sql).
create policy retention on pharmacy.transmissions to app_retention using (true);
grant select, delete on pharmacy.transmissions to app_retention;
