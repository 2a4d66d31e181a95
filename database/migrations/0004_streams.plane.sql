-- A stream is one integration acting for one organization in this plane. Its row is at once the
-- lock, the clock and the sequence of everything written in it (contract/05, sections 6 to 8):
-- every id and created_at comes from tick, taken last and held to the commit, so id order is
-- created_at order is commit order, and a poller that uses `since` can lose nothing.
-- Rows name their stream without a foreign key to it: the second wall (0007) admits only the stream
-- that the credential opened, and each check against the row that every write updates costs a lock.

create table streams (
  id bigint generated always as identity primary key,
  integration text not null references auth.integrations,
  organization text not null references auth.organizations,
  last timestamptz(3) not null default '2000-01-01',
  retired_at timestamptz(3)
) with (fillfactor = 50);
create unique index on streams (integration, organization) where retired_at is null;

-- Answers the first of n unused milliseconds of the stream, or null when the stream is retired.
create function tick(stream bigint, n int) returns timestamptz language plpgsql volatile as $$
declare
  first timestamptz;
begin
  update streams
     set last = greatest(date_trunc('milliseconds', clock_timestamp()),
                         last + interval '1 ms') + (n - 1) * interval '1 ms'
   where id = stream and retired_at is null
  returning last - (n - 1) * interval '1 ms' into first;
  return first;
end $$;

-- A finished write, remembered under its key in the transaction that made its effect: the record
-- exists if and only if the effect committed (contract/10, section 1).
create table idempotency_keys (
  stream bigint not null,
  key text collate "C" not null check (octet_length(key) between 1 and 255),
  fingerprint bytea not null check (octet_length(fingerprint) = 32),
  operation text not null,
  credential text not null,
  request text not null,
  status int2 not null check (status between 200 and 299),
  answer text not null,
  location text,
  patient text collate "C", -- whose details the answer holds: they are erased with the patient
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (stream, key)
) with (fillfactor = 90);
create index on idempotency_keys (expires_at);
create index on idempotency_keys (stream, patient) where patient is not null;

create table events (
  stream bigint not null,
  id text collate "C" not null,
  type text not null,
  resource_type text not null,
  resource_id text collate "C" not null,
  status text not null,
  previous_status text,
  created_at timestamptz(3) not null,
  primary key (stream, id)
);
create index on events (stream, type, id);
create index on events (stream, resource_id, id);

-- One row per event until the worker has turned it into deliveries and messages.
create table outbox (
  id bigint generated always as identity primary key,
  stream bigint not null,
  event text collate "C" not null,
  created_at timestamptz not null default now()
);
