-- Every credential is a row of one table, whatever presents it: an API key, the token of a
-- confidential client, of an agent or of a device, or the session of a person. Each is stored only
-- as an HMAC under a pepper that is not in this database. What tokens are born of, their family,
-- is a row too: a family that ends, or whose person or client is gone, ends all its tokens.

do $$
begin
  -- The authorization server and the pages of people: its own role, which sees no patient.
  if not exists (select from pg_roles where rolname = 'app_auth') then
    create role app_auth login;
  end if;
exception when duplicate_object or unique_violation then null; -- made by another migration just now
end $$;
grant usage on schema public, auth, audit to app_auth;

-- Who signs in. How a person proves who they are is stored elsewhere.
create table auth.persons (
  id text collate "C" primary key,
  email text not null check (email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(email) <= 254),
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz(3) not null default clock_timestamp(),
  disabled_at timestamptz(3)
);
create unique index on auth.persons (lower(email));
grant select, insert, update on auth.persons to app_auth;

create table auth.members (
  integration text collate "C" not null references auth.integrations,
  person text collate "C" not null references auth.persons,
  role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
  created_at timestamptz(3) not null default clock_timestamp(),
  removed_at timestamptz(3),
  primary key (integration, person)
);
create index on auth.members (person);
grant select on auth.members to app_auth;
-- A member's role limits what their tokens may do.
grant select on auth.members to app_test, app_live;

-- An OAuth client. A confidential one is made for one integration and mode and gets tokens by its
-- secret. A registered one (RFC 7591) has no owner and acts for a person who consents.
create table auth.clients (
  id text collate "C" primary key,
  kind text not null check (kind in ('confidential', 'registered')),
  integration text collate "C" references auth.integrations,
  mode text check (mode in ('test', 'live')),
  organization text collate "C" references auth.organizations, -- null: any that granted scopes
  scopes text[],
  name text not null check (char_length(name) between 1 and 200),
  metadata jsonb not null default '{}', -- as registered
  network text,                         -- that registered it, for the quota
  created_at timestamptz(3) not null default clock_timestamp(),
  last_token_at timestamptz(3),
  revoked_at timestamptz(3),
  check ((kind = 'confidential') = (integration is not null and mode is not null and scopes is not null))
);
create index on auth.clients (integration);
-- What the sweep removes: registered clients by their last use.
create index on auth.clients (coalesce(last_token_at, created_at)) where kind = 'registered';
create index on auth.clients (network, created_at) where kind = 'registered';
grant select, insert, delete, update (last_token_at) on auth.clients to app_auth;

-- The secrets of a confidential client: two at most, so that one can replace the other.
create table auth.client_secrets (
  id text collate "C" primary key,
  client text collate "C" not null references auth.clients on delete cascade,
  hash bytea not null unique check (octet_length(hash) = 32),
  pepper text not null,
  last4 text not null check (char_length(last4) = 4),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3)
);
create index on auth.client_secrets (client);
grant select on auth.client_secrets to app_auth;

-- What tokens are born of: a confidential client, or the consent of a person to a client.
create table auth.token_families (
  id text collate "C" primary key,
  kind text not null check (kind in ('client', 'agent', 'device')),
  client text collate "C" not null references auth.clients on delete cascade,
  person text collate "C" references auth.persons,
  integration text collate "C" not null references auth.integrations,
  organization text collate "C" references auth.organizations,
  mode text not null check (mode in ('test', 'live')),
  scopes text[] not null,
  audience text[] check (audience <@ array['api', 'mcp']), -- null: every surface
  created_at timestamptz(3) not null default clock_timestamp(),
  ends_at timestamptz(3),
  revoked_at timestamptz(3),
  revoked_reason text,
  check ((kind = 'client') = (person is null)),
  check (kind = 'client' or mode = 'test'),
  -- The statement that inserts a family locks the member's row, so that it cannot be removed meanwhile.
  foreign key (integration, person) references auth.members
);
create index on auth.token_families (client);
create index on auth.token_families (person, integration);
create unique index on auth.token_families (client) where kind = 'client';
grant select, insert, delete, update (ends_at, revoked_at, revoked_reason) on auth.token_families to app_auth;
grant select on auth.token_families to app_test, app_live, app_worker_test, app_worker_live;

alter table auth.keys rename to credentials;
alter table auth.credentials
  alter column integration drop not null,
  alter column mode drop not null,
  add column kind text not null default 'key'
    check (kind in ('key', 'client', 'agent', 'device', 'session')),
  add column family text collate "C" references auth.token_families on delete cascade,
  add column client text collate "C",
  add column person text collate "C" references auth.persons,
  add column audience text[] check (audience <@ array['api', 'mcp']),
  -- Which pepper of the ring hashed it; null: one from before the ring.
  add column pepper text,
  -- What a token is bound to (RFC 9449, RFC 8705); nothing sets it yet.
  add column cnf jsonb,
  add column revoked_reason text,
  add constraint agents_and_devices_are_test check (kind not in ('agent', 'device') or mode = 'test'),
  add constraint sessions_alone_have_no_integration
    check ((kind = 'session') = (integration is null) and (integration is null) = (mode is null)),
  add constraint tokens_have_a_family
    check ((kind in ('client', 'agent', 'device')) = (family is not null and client is not null)),
  add constraint people_act_through_agents_devices_and_sessions
    check ((kind in ('agent', 'device', 'session')) = (person is not null)),
  add constraint tokens_expire check (kind = 'key' or expires_at is not null);
alter index auth.keys_pkey rename to credentials_pkey;
alter index auth.keys_hash_key rename to credentials_hash_key;
alter index auth.keys_integration_idx rename to credentials_integration_idx;
create index on auth.credentials (family) where family is not null;
create index on auth.credentials (person) where person is not null;
-- What the sweep removes.
create index on auth.credentials (expires_at) where kind <> 'key';

-- Keys are written by the functions of the integration's administration alone.
create policy tokens on auth.credentials to app_auth using (kind <> 'key') with check (kind <> 'key');
grant select, insert, delete, update (last_used_at, expires_at, revoked_at, revoked_reason)
  on auth.credentials to app_auth;
grant select on auth.integrations, auth.organizations, auth.grants, auth.agreements to app_auth;
create policy auth on auth.grants for select to app_auth using (true);

create trigger bump_revision after insert or update or delete on auth.members
  for each row execute function auth.bump_revision();

-- A member who is removed, a person who is disabled and a client that is revoked end their tokens
-- in the same transaction.
create function auth.end_families() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  update token_families f set revoked_at = clock_timestamp(), revoked_reason = tg_argv[0]
   where f.revoked_at is null and case tg_argv[0]
     when 'member_removed' then f.person = to_jsonb(new) ->> 'person' and f.integration = to_jsonb(new) ->> 'integration'
     when 'person_disabled' then f.person = to_jsonb(new) ->> 'id'
     else f.client = to_jsonb(new) ->> 'id' end;
  return null;
end $$;
revoke execute on function auth.end_families() from public;
create trigger end_families after update of removed_at on auth.members
  for each row when (new.removed_at is not null) execute function auth.end_families('member_removed');
create trigger end_families after update of disabled_at on auth.persons
  for each row when (new.disabled_at is not null) execute function auth.end_families('person_disabled');
create trigger end_families after update of revoked_at on auth.clients
  for each row when (new.revoked_at is not null) execute function auth.end_families('client_revoked');
