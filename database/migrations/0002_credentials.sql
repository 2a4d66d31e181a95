-- Who may call: integrations, the clinics that granted them scopes, and their keys. A key is
-- stored only as an HMAC under a pepper that is not in this database, so nobody who can write
-- here can plant one and nobody who can read here can use one.

create schema auth;
grant usage on schema auth to svc_test, svc_live;

create table auth.integrations (
  id text collate "C" primary key,
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz(3) not null default clock_timestamp(),
  suspended_at timestamptz(3)
);

create table auth.organizations (
  id text collate "C" primary key,
  name text not null check (char_length(name) between 1 and 200),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 63),
  kind text not null default 'DIRECT',
  status text not null default 'active',
  sandbox_of text unique references auth.integrations,
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index on auth.organizations (slug) where sandbox_of is null;

create table auth.grants (
  id text collate "C" primary key,
  integration text not null references auth.integrations,
  organization text not null references auth.organizations,
  mode text not null check (mode in ('test', 'live')),
  scopes text[] not null,
  status text not null check (status in ('pending', 'active', 'declined', 'revoked')),
  created_at timestamptz(3) not null default clock_timestamp()
);
create unique index on auth.grants (integration, organization, mode)
  where status in ('pending', 'active');

-- The business associate agreement of an integration, as accepted.
create table auth.agreements (
  id text collate "C" primary key,
  integration text not null references auth.integrations,
  version text not null,
  accepted_at timestamptz(3) not null default clock_timestamp(),
  ends_at timestamptz(3),
  terminated_at timestamptz(3)
);
create index on auth.agreements (integration);

create table auth.keys (
  id text collate "C" primary key,
  integration text not null references auth.integrations,
  organization text references auth.organizations, -- null: any organization that granted
  mode text not null check (mode in ('test', 'live')),
  name text not null check (char_length(name) between 1 and 200),
  scopes text[] not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  last4 text not null check (char_length(last4) = 4),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3)
);
create index on auth.keys (integration);

grant select on auth.integrations, auth.organizations, auth.grants, auth.agreements, auth.keys
  to svc_test, svc_live;
grant update (last_used_at) on auth.keys to svc_test, svc_live;

alter table auth.keys enable row level security;
alter table auth.grants enable row level security;
create policy test on auth.keys to svc_test using (mode = 'test');
create policy live on auth.keys to svc_live using (mode = 'live');
create policy test on auth.grants for select to svc_test using (mode = 'test');
create policy live on auth.grants for select to svc_live using (mode = 'live');
