-- What the authorization server keeps for a while: a step of an authorization in a browser, a code,
-- a refresh token, the code of a device. Each row is found by the HMAC of its value under a pepper
-- that is not in this database; the payload holds no value that could be presented.

create table auth.artifacts (
  hash bytea primary key check (octet_length(hash) = 32),
  kind text not null check (kind in ('interaction', 'code', 'refresh', 'device')),
  -- What it was approved as; null: nothing yet.
  family text collate "C" references auth.token_families on delete cascade,
  client text collate "C" not null references auth.clients on delete cascade,
  -- Of a device: what the person types, and who typed it first.
  user_code bytea check (octet_length(user_code) = 32),
  person text collate "C" references auth.persons,
  payload jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(6),
  -- Of a device: how often it may ask, and when it asked last.
  poll_seconds int,
  polled_at timestamptz(3),
  denied_at timestamptz(3),
  check (kind not in ('code', 'refresh') or family is not null),
  check ((kind = 'device') = (user_code is not null) and (kind = 'device') = (poll_seconds is not null))
);
create unique index on auth.artifacts (user_code) where user_code is not null;
create index on auth.artifacts (family) where family is not null;
create index on auth.artifacts (client) where kind = 'device';
-- What the sweep removes.
create index on auth.artifacts (expires_at);
grant select, insert, update, delete on auth.artifacts to app_auth;

-- Issuances, refusals and revocations.
grant insert on audit.entries to app_auth;
