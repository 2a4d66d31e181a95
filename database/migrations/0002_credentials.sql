-- Who may call: integrations and their members, the clinics that granted them scopes, and every
-- credential. A credential is stored only as an HMAC under a pepper that isn't in this database, so
-- write access here isn't enough to create one, and read access isn't enough to use one.

create table auth.integrations (
  id text collate "C" primary key,
  name text not null check (char_length(name) between 1 and 200),
  -- Receives emails about failed webhook deliveries.
  developers_email text
    check (developers_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(developers_email) <= 254),
  created_at timestamptz(3) not null default clock_timestamp(),
  suspended_at timestamptz(3),
  -- Counts permission changes for the integration's keys (see the triggers below). A gateway with a
  -- cached credential compares this number, which reads two rows instead of a dozen
  -- (auth/principal.ts). The number changes in the same transaction as the permissions, so if it's
  -- unchanged, so are they.
  revision bigint not null default 0,
  -- Receives invoices.
  billing_email text
    check (billing_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(billing_email) <= 254)
);
grant select on auth.integrations to app_test, app_live, app_auth;
-- The console shows the brand that a case came from.
grant select (id, name) on auth.integrations to app_console;

create table auth.organizations (
  id text collate "C" primary key,
  name text not null check (char_length(name) between 1 and 200),
  slug text not null check (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and char_length(slug) <= 63),
  kind text not null default 'DIRECT',
  status text not null default 'active',
  sandbox_of text unique references auth.integrations,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- The catalog entries that a clinic dispenses; null means all.
  formulary text[] check (cardinality(formulary) > 0),
  constraint sandbox_dispenses_all check (sandbox_of is null or formulary is null)
);
create unique index on auth.organizations (slug) where sandbox_of is null;
grant select on auth.organizations to app_test, app_live, app_auth;
grant select (id, name, formulary) on auth.organizations to app_console;
grant select (id, name) on auth.organizations to app_pharmacy;

-- People who sign in. Their passwords and second factors are stored elsewhere. The operator, a
-- sign-up link or an invitation link creates a person, so the email address is verified.
create table auth.persons (
  id text collate "C" primary key,
  email text not null check (email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(email) <= 254),
  name text not null check (char_length(name) between 1 and 200),
  created_at timestamptz(3) not null default clock_timestamp(),
  disabled_at timestamptz(3),
  -- An IANA time zone. Null: the console uses the clinic's.
  time_zone text check (char_length(time_zone) between 1 and 64)
);
create unique index on auth.persons (public.normalized_email(email));
grant select on auth.persons to app_auth;

create table auth.members (
  integration text collate "C" not null references auth.integrations,
  person text collate "C" not null references auth.persons,
  role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
  created_at timestamptz(3) not null default clock_timestamp(),
  removed_at timestamptz(3),
  -- An owner lets the developer change live webhook endpoints until this time.
  live_until timestamptz(3),
  primary key (integration, person)
);
create index on auth.members (person);
grant select on auth.members to app_auth;
-- A member's role limits what their tokens may do.
grant select on auth.members to app_test, app_live;

-- A clinic's grants to an integration. In live mode, one of the integration's owners names the
-- clinic and the required scopes. Another person decides, and grants some or all of them.
create table auth.grants (
  id text collate "C" primary key,
  integration text not null references auth.integrations,
  organization text not null references auth.organizations,
  mode text not null check (mode in ('test', 'live')),
  scopes text[] not null,
  status text not null check (
    status in ('pending', 'active', 'declined', 'revoked', 'withdrawn', 'lapsed')),
  created_at timestamptz(3) not null default clock_timestamp(),
  -- Null if the grant was created without a request.
  requested_scopes text[],
  requested_by text collate "C" references auth.persons,
  note text check (char_length(note) <= 1000),
  -- An undecided request lapses at this time.
  lapses_at timestamptz(3),
  decided_by text collate "C" references auth.persons,
  decided_at timestamptz(3),
  decision_note text check (char_length(decision_note) <= 1000),
  -- Set when it's withdrawn, lapses or is revoked.
  ended_by text collate "C" references auth.persons,
  ended_at timestamptz(3),
  constraint grants_within_request check (requested_scopes is null or scopes <@ requested_scopes),
  constraint grants_open_give_nothing
    check (status <> 'pending' or requested_scopes is null or scopes = '{}'),
  constraint grants_decided_by_person check ((decided_by is null) = (decided_at is null))
);
create unique index on auth.grants (integration, organization, mode)
  where status in ('pending', 'active');
create index on auth.grants (organization);
alter table auth.grants enable row level security;
create policy test on auth.grants for select to app_test using (mode = 'test');
create policy live on auth.grants for select to app_live using (mode = 'live');
create policy auth on auth.grants for select to app_auth using (true);
-- The clinic's grant limits the data that a webhook delivery may embed.
create policy worker_test on auth.grants for select to app_worker_test using (mode = 'test');
create policy worker_live on auth.grants for select to app_worker_live using (mode = 'live');
grant select on auth.grants to app_test, app_live, app_worker_test, app_worker_live, app_auth;

-- A person who belongs to the integration can't decide its grant: auth.decide_grant refuses that,
-- and a trigger that calls this function refuses it for every other statement.
create function auth.belongs_to_integration(of_integration text, of_person text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from members
    where integration = of_integration and person = of_person and removed_at is null)
$$;
revoke execute on function auth.belongs_to_integration from public;

create function auth.refuse_own_decision() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  if new.decided_by = new.requested_by
     or belongs_to_integration(new.integration, new.decided_by) then
    raise exception 'who belongs to an integration may not decide its grant'
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
revoke execute on function auth.refuse_own_decision() from public;
create trigger refuse_own_decision before insert or update of decided_by on auth.grants
  for each row when (new.decided_by is not null) execute function auth.refuse_own_decision();

-- Each version's agreement text is stored once, so an accepted text stays readable even after the
-- site's files change.
create table auth.agreement_texts (
  version text primary key check (version ~ '^\d{4}-\d\d-\d\d$'),
  body text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz(3) not null default clock_timestamp()
);
grant select on auth.agreement_texts to app_auth;

-- An integration's business associate agreement, with the text that an owner accepted. Their name
-- and title are null if it was accepted on paper.
create table auth.agreements (
  id text collate "C" primary key,
  integration text not null references auth.integrations,
  version text not null,
  accepted_at timestamptz(3) not null default clock_timestamp(),
  ends_at timestamptz(3),
  terminated_at timestamptz(3),
  person text collate "C" references auth.persons,
  signatory_name text check (char_length(signatory_name) between 1 and 200),
  signatory_title text check (char_length(signatory_title) between 1 and 200),
  -- The contracting company.
  legal_name text check (char_length(legal_name) between 1 and 200),
  legal_address text check (char_length(legal_address) between 1 and 300),
  sha256 bytea check (octet_length(sha256) = 32),
  address text,
  agent text,
  constraint agreements_signed_whole check (
    num_nonnulls(person, signatory_name, signatory_title, legal_name, legal_address, sha256)
      in (0, 6))
);
create index on auth.agreements (integration);
grant select on auth.agreements to app_test, app_live, app_auth;
-- The worker can't read who signed.
grant select (integration, terminated_at, ends_at) on auth.agreements to app_worker_live;

-- Credentials --------------------------------------------------------------------------------------

-- OAuth clients. A confidential client belongs to one integration and mode, and gets tokens with
-- its secret. A registered client (RFC 7591) has no owner and acts for a person who consents. So
-- does a client identified by a document's URL, which is created and refreshed from that document.
create table auth.clients (
  id text collate "C" primary key,
  kind text not null check (kind in ('confidential', 'registered')),
  integration text collate "C" references auth.integrations,
  mode text check (mode in ('test', 'live')),
  organization text collate "C" references auth.organizations, -- null: any that granted scopes
  scopes text[],
  name text not null check (char_length(name) between 1 and 200),
  metadata jsonb not null default '{}', -- as registered
  network text,                         -- the registering network, for the quota
  created_at timestamptz(3) not null default clock_timestamp(),
  last_token_at timestamptz(3),
  revoked_at timestamptz(3),
  document_url text collate "C" unique check (char_length(document_url) between 10 and 500),
  document_host text collate "C" generated always as
    (substring(document_url from '^https://([^/]+)/')) stored,
  document_expires_at timestamptz(3),
  check ((kind = 'confidential') = (integration is not null and mode is not null and scopes is not null)),
  check (document_url is null or (kind = 'registered' and document_expires_at is not null))
);
create index on auth.clients (integration);
-- The sweep removes registered clients by their last use.
create index on auth.clients (coalesce(last_token_at, created_at)) where kind = 'registered';
create index on auth.clients (network, created_at) where kind = 'registered';
-- Clients that registered and never got a token.
create index on auth.clients (created_at) where kind = 'registered' and last_token_at is null;
grant select, insert, delete, update (last_token_at, name, metadata, document_expires_at)
  on auth.clients to app_auth;

-- A confidential client's secrets: at most two, so one can replace the other.
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

-- Token families. A family belongs to a confidential client, or to a person's consent to a client.
-- When a family ends, or its person or client is removed, all its tokens end.
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
  -- The host that an agent's browser was redirected to when its person consented. Consent is to a
  -- client at a host, because a registered client chooses its own name, and another program can use
  -- the same name.
  redirect_host text check (char_length(redirect_host) <= 300),
  check ((kind = 'client') = (person is null)),
  check (kind = 'client' or mode = 'test'),
  -- Inserting a family locks the member's row, so nobody can remove the member in the meantime.
  foreign key (integration, person) references auth.members,
  constraint agents_alone_are_redirected_to check (kind = 'agent' or redirect_host is null)
);
create index on auth.token_families (client);
create index on auth.token_families (person, integration);
create unique index on auth.token_families (client) where kind = 'client';
-- The sweep removes agents' and devices' families by when they ended.
create index on auth.token_families (coalesce(revoked_at, ends_at)) where kind <> 'client';
grant select, insert, delete, update (ends_at, revoked_at, revoked_reason) on auth.token_families to app_auth;
grant select on auth.token_families to app_test, app_live, app_worker_test, app_worker_live;

-- All credentials: API keys, the tokens of confidential clients, agents and devices, and people's
-- sessions.
create table auth.credentials (
  id text collate "C" primary key,
  integration text references auth.integrations,
  organization text references auth.organizations, -- null: any organization that granted scopes
  mode text check (mode in ('test', 'live')),
  name text not null check (char_length(name) between 1 and 200),
  scopes text[] not null,
  hash bytea not null unique check (octet_length(hash) = 32),
  last4 text not null check (char_length(last4) = 4),
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3),
  revoked_at timestamptz(3),
  last_used_at timestamptz(3),
  kind text not null default 'key'
    check (kind in ('key', 'client', 'agent', 'device', 'session')),
  family text collate "C" references auth.token_families on delete cascade,
  client text collate "C",
  person text collate "C" references auth.persons,
  audience text[] check (audience <@ array['api', 'mcp']),
  -- The pepper used for the hash.
  pepper text,
  revoked_reason text,
  -- For a session: when its person last confirmed the second factor.
  second_factor_at timestamptz(3),
  -- For a console session: its person's last signature, which keeps the second factor fresh.
  signed_at timestamptz(3),
  -- The origin where a session is valid; null if it isn't a session.
  origin text check (origin in ('auth', 'portal', 'console')),
  -- The first session of its sign-in. All sessions of one sign-in end together.
  sign_in text collate "C",
  -- For a key: the member who created it, or null for the operator.
  created_by text collate "C",
  -- For a key: its successor. Not a foreign key, because deleting a swept token would then search
  -- for references to it.
  replaced_by text collate "C",
  constraint agents_and_devices_are_test check (kind not in ('agent', 'device') or mode = 'test'),
  constraint sessions_alone_have_no_integration
    check ((kind = 'session') = (integration is null) and (integration is null) = (mode is null)),
  constraint tokens_have_a_family
    check ((kind in ('client', 'agent', 'device')) = (family is not null and client is not null)),
  constraint people_act_through_agents_devices_and_sessions
    check ((kind in ('agent', 'device', 'session')) = (person is not null)),
  constraint tokens_expire check (kind = 'key' or expires_at is not null),
  constraint sessions_alone_have_a_second_factor check (kind = 'session' or second_factor_at is null),
  constraint console_sessions_alone_sign check (origin = 'console' or signed_at is null),
  constraint sessions_alone_have_an_origin
    check ((kind = 'session') = (origin is not null) and (origin is null) = (sign_in is null)),
  constraint only_keys_are_replaced
    check (kind = 'key' or (created_by is null and replaced_by is null))
);
create index on auth.credentials (integration);
create index on auth.credentials (person) where person is not null;
-- Used by the sweep.
create index on auth.credentials (expires_at) where kind <> 'key';
-- A family's tokens, newest first: issuing one to a confidential client drops those beyond the
-- client's limit. Removing a family finds its tokens by the same index.
create index on auth.credentials (family, created_at desc) where family is not null;
create index on auth.credentials (sign_in) where sign_in is not null;
alter table auth.credentials enable row level security;
create policy test on auth.credentials to app_test using (mode = 'test');
create policy live on auth.credentials to app_live using (mode = 'live');
-- Only the integration's administration functions write keys.
create policy tokens on auth.credentials to app_auth using (kind <> 'key') with check (kind <> 'key');
grant select, update (last_used_at) on auth.credentials to app_test, app_live;
grant select, insert, delete,
      update (last_used_at, expires_at, revoked_at, revoked_reason, second_factor_at, signed_at)
  on auth.credentials to app_auth;

-- A confidential client's tokens belong to one family, which is created with the client. Issuing a
-- token locks it, so a client that's being revoked gets none.
create function auth.make_client_family() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  insert into token_families (id, kind, client, integration, organization, mode, scopes)
  values ('fam' || substr(new.id, 4), 'client', new.id, new.integration, new.organization, new.mode,
          new.scopes)
  on conflict do nothing;
  return null;
end $$;
revoke execute on function auth.make_client_family() from public;
create trigger make_family after insert on auth.clients
  for each row when (new.kind = 'confidential') execute function auth.make_client_family();

-- Removing a member, disabling a person or revoking a client ends their tokens in the same
-- transaction.
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

-- A pepper is replaced while gateways run. Each gateway has both peppers, and rehashes each
-- credential with the newest one when it's used (auth/principal.ts).

-- Only a caller who knows a hash can replace it, so one mode's role can't replace the other's.
create function auth.rehash_credential(credential text, older bytea[], newest bytea, pepper text)
  returns void language sql security definer set search_path = auth, pg_temp as $$
  update credentials c set hash = newest, pepper = rehash_credential.pepper
   where c.id = credential and c.hash = any (older)
$$;
revoke execute on function auth.rehash_credential from public;
grant execute on function auth.rehash_credential to app_test, app_live, app_auth;

create function auth.rehash_client_secret(secret text, older bytea[], newest bytea, pepper text)
  returns void language sql security definer set search_path = auth, pg_temp as $$
  update client_secrets c set hash = newest, pepper = rehash_client_secret.pepper
   where c.id = secret and c.hash = any (older)
$$;
revoke execute on function auth.rehash_client_secret from public;
grant execute on function auth.rehash_client_secret to app_auth;

-- The authorization server ---------------------------------------------------------------------------

-- The authorization server's temporary data: steps in a browser's authorization, codes, refresh
-- tokens, device codes. Each row is found by its value's HMAC under a pepper that isn't in this
-- database, and its payload contains no usable secret.
create table auth.artifacts (
  hash bytea primary key check (octet_length(hash) = 32),
  kind text not null check (kind in ('interaction', 'code', 'refresh', 'device')),
  -- The family created by the approval; null until then.
  family text collate "C" references auth.token_families on delete cascade,
  client text collate "C" not null references auth.clients on delete cascade,
  -- For a device: the code the person enters, and who entered it first.
  user_code bytea check (octet_length(user_code) = 32),
  person text collate "C" references auth.persons,
  payload jsonb not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null,
  consumed_at timestamptz(6),
  -- For a device: how often it may poll, and when it last did.
  poll_seconds int,
  polled_at timestamptz(3),
  denied_at timestamptz(3),
  -- The pepper used for the hash.
  pepper text,
  check (kind not in ('code', 'refresh') or family is not null),
  check ((kind = 'device') = (user_code is not null) and (kind = 'device') = (poll_seconds is not null))
);
create unique index on auth.artifacts (user_code) where user_code is not null;
create index on auth.artifacts (family) where family is not null;
create index on auth.artifacts (client);
-- Used by the sweep.
create index on auth.artifacts (expires_at);
grant select, insert, update, delete on auth.artifacts to app_auth;

-- A handoff: a person signs in at the authorization server, which redirects their browser to the
-- portal or the console with a code. The code starts a session there, once, within a minute.
create table auth.handoffs (
  hash bytea primary key check (octet_length(hash) = 32),
  -- The person's session at the authorization server, and the origin of the new session.
  session text collate "C" not null references auth.credentials on delete cascade,
  origin text not null check (origin in ('portal', 'console')),
  -- The HMAC of a value that only the requesting browser has.
  browser bytea not null check (octet_length(browser) = 32),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index on auth.handoffs (expires_at);
create index on auth.handoffs (session);
grant select, insert, delete on auth.handoffs to app_auth;

-- Removing a person from an integration ends their tokens in the same transaction. A simultaneous
-- consent locks the membership, so it can't create a token afterward. The authorization server's
-- role calls this function because it can't change members, so it can't lock one itself.
create function auth.lock_member(member text, of_integration text) returns text
  language sql volatile security definer set search_path = auth, pg_temp as $$
  select m.role from members m
    join persons p on p.id = m.person and p.disabled_at is null
    join integrations i on i.id = m.integration and i.suspended_at is null
   where m.person = member and m.integration = of_integration and m.removed_at is null
     for share of m, p
$$;
revoke execute on function auth.lock_member from public;
grant execute on function auth.lock_member to app_auth;

-- Finds the member who calls the API with a session, for the gateway's roles, which can't read
-- sessions in the table.
create function auth.member_of_session(of_hashes bytea[], of_integration text,
    out id text, out person text, out role text, out revision bigint, out agreed boolean)
  returns setof record language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.person, m.role, i.revision,
         exists (select from agreements a where a.integration = i.id
            and a.terminated_at is null and (a.ends_at is null or a.ends_at > now()))
    from credentials k
    join persons p on p.id = k.person and p.disabled_at is null
    join members m on m.person = k.person and m.integration = of_integration and m.removed_at is null
    join integrations i on i.id = m.integration and i.suspended_at is null
   where k.kind = 'session' and k.origin = 'portal' and k.hash = any (of_hashes)
     and k.revoked_at is null and k.expires_at > now()
$$;

-- Whether the session is still valid: the revision counts every change to its membership and
-- integration.
create function auth.session_stands(of_session text, of_integration text, at_revision bigint,
    needs_agreement boolean) returns boolean
  language sql stable security definer set search_path = auth, pg_temp
  return exists (
    select from auth.credentials k
      join auth.persons p on p.id = k.person and p.disabled_at is null
      join auth.integrations i on i.id = of_integration and i.revision = at_revision
       and i.suspended_at is null
     where k.id = of_session and k.kind = 'session' and k.origin = 'portal'
       and k.revoked_at is null and k.expires_at > now()
       and (not needs_agreement or exists (select from auth.agreements a
         where a.integration = i.id and a.terminated_at is null
           and (a.ends_at is null or a.ends_at > now()))));
revoke execute on function auth.member_of_session, auth.session_stands from public;
grant execute on function auth.member_of_session, auth.session_stands to app_test, app_live;

-- Revisions ------------------------------------------------------------------------------------------

-- Every call checks whether the key is revoked or expired and whether the integration is suspended.
-- Any other change to a key's permissions counts as a revision.
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

-- `hash` isn't listed: a cached credential is found by its id, so rehashing changes nothing.
create trigger bump_revision
  after update of integration, organization, mode, scopes, kind, family, client, person, audience
  on auth.credentials for each row execute function auth.bump_revision();
create trigger bump_revision after insert or update or delete on auth.members
  for each row execute function auth.bump_revision();
create trigger bump_revision after insert or update or delete on auth.grants
  for each row execute function auth.bump_revision();
create trigger bump_revision after insert or update or delete on auth.agreements
  for each row execute function auth.bump_revision();
create trigger bump_revision after update on auth.organizations
  for each row execute function auth.bump_revision_of_organization();

-- Uses -----------------------------------------------------------------------------------------------

-- The operations that a key, a client or a person's consent has called, how often, and when last.
-- Counted when calls are projected into the request log, so no page has to search the log. As in
-- auth/principal.ts, a key is its own holder, and a token's holder is its family.

create table auth.operation_uses (
  holder text collate "C" not null,
  operation text not null,
  calls bigint not null,
  first_at timestamptz(3) not null,
  last_at timestamptz(3) not null,
  primary key (holder, operation)
);
grant select on auth.operation_uses to app_auth;

-- Runs in a projection's transaction. Updates to a holder can't conflict, because it has one mode
-- and each mode runs one projection at a time. A call refused before its scope was checked doesn't
-- count as a use.
create function auth.count_operation_uses() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into operation_uses as u (holder, operation, calls, first_at, last_at)
  select coalesce(k.family, k.id), a.operation, count(*), min(a.created_at), max(a.created_at)
    from added a join credentials k on k.id = a.credential
   where a.status not in (401, 403)
   group by 1, 2
      on conflict (holder, operation) do update
     set calls = u.calls + excluded.calls, last_at = greatest(u.last_at, excluded.last_at);
  return null;
end $$;
revoke execute on function auth.count_operation_uses from public;

create function auth.forget_operation_uses() returns trigger language plpgsql security definer
  set search_path = auth, pg_temp as $$
begin
  delete from operation_uses u using gone g where u.holder = g.id;
  return null;
end $$;
revoke execute on function auth.forget_operation_uses from public;
create trigger forget_operation_uses after delete on auth.token_families
  referencing old table as gone for each statement execute function auth.forget_operation_uses();
