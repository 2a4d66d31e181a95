-- Who may call: integrations, the clinics that granted them scopes, and their API keys. A key is
-- stored only as an HMAC under a pepper that is not in this database: write access here does not
-- allow anybody to make a key, and read access does not allow anybody to use one.

create schema auth;
grant usage on schema auth to app_test, app_live, app_worker_test, app_worker_live;

create table auth.integrations (
  id text collate "C" primary key,
  name text not null check (char_length(name) between 1 and 200),
  -- Where emails about failed webhook deliveries go.
  developers_email text
    check (developers_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(developers_email) <= 254),
  created_at timestamptz(3) not null default clock_timestamp(),
  suspended_at timestamptz(3),
  -- Counts the changes of what the integration's keys may do (the triggers below). A gateway with a
  -- cached credential compares this number, which is two rows instead of a dozen
  -- (auth/principal.ts). It changes in the transaction of the change, so a number that is the same
  -- means that all of it is the same.
  revision bigint not null default 0
);
grant select on auth.integrations to app_test, app_live;

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
grant select on auth.organizations to app_test, app_live;

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
alter table auth.grants enable row level security;
create policy test on auth.grants for select to app_test using (mode = 'test');
create policy live on auth.grants for select to app_live using (mode = 'live');
-- What a clinic granted decides what a webhook delivery may embed.
create policy worker_test on auth.grants for select to app_worker_test using (mode = 'test');
create policy worker_live on auth.grants for select to app_worker_live using (mode = 'live');
grant select on auth.grants to app_test, app_live, app_worker_test, app_worker_live;

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
grant select on auth.agreements to app_test, app_live;

create table auth.keys (
  id text collate "C" primary key,
  integration text not null references auth.integrations,
  organization text references auth.organizations, -- null: any organization that granted scopes
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
alter table auth.keys enable row level security;
create policy test on auth.keys to app_test using (mode = 'test');
create policy live on auth.keys to app_live using (mode = 'live');
grant select, update (last_used_at) on auth.keys to app_test, app_live;

-- Every call checks by itself whether the key is revoked or expired and the integration suspended;
-- every other change of what a key may do counts as a revision.
create function auth.bump_revision() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  update integrations set revision = revision + 1 where id in (old.integration, new.integration);
  return null;
end $$;
revoke execute on function auth.bump_revision() from public;

create function auth.bump_revision_of_organization() returns trigger language plpgsql
  security definer set search_path = auth, pg_temp as $$
begin
  update integrations set revision = revision + 1
   where id in (select integration from grants where organization = old.id);
  return null;
end $$;
revoke execute on function auth.bump_revision_of_organization() from public;

create trigger bump_revision after update of integration, organization, mode, scopes, hash
  on auth.keys for each row execute function auth.bump_revision();
create trigger bump_revision after insert or update or delete on auth.grants
  for each row execute function auth.bump_revision();
create trigger bump_revision after insert or update or delete on auth.agreements
  for each row execute function auth.bump_revision();
create trigger bump_revision after update on auth.organizations
  for each row execute function auth.bump_revision_of_organization();
