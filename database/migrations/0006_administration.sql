-- Changes to an integration by its members or the operator: keys, clients, members, grants,
-- agreements, and prices. No gateway role writes these tables. Each change is a function that
-- checks its requirements and writes its audit row in the same transaction, and only the role of
-- the authorization server and account pages may call it. The functions receive hashes, never a
-- secret.
--
-- Each function returns null, or the code of its refusal. `act` identifies the caller: {surface,
-- request, person, address, agent}, without a person for the operator. It may include the clinic as
-- `organization`. A job has no person, and passes its name as `actor`.

-- The scopes in contract/scopes.ts; a test compares them.
create function auth.all_scopes() returns text[] language sql immutable parallel safe
  return array['organization:read', 'patients:read', 'patients:write', 'cases:read', 'cases:write',
    'events:read', 'webhooks:manage', 'realtime:subscribe', 'test:manage', 'billing:read',
    'visits:read', 'visits:write'];

create function auth.record_act(act jsonb, action text, of_mode text, of_integration text,
    of_client text, of_target text, refusal text) returns text language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into audit.entries (mode, integration, organization, actor, person, client, surface, action,
                             target, outcome, status, code, request, address, agent)
  values (of_mode, of_integration, act ->> 'organization',
          coalesce(act ->> 'person', act ->> 'actor', 'operator'), act ->> 'person', of_client,
          act ->> 'surface', action, of_target,
          case when refusal is null then 'ok' else 'refused' end,
          case when refusal is null then 200 else 409 end, refusal, act ->> 'request',
          act ->> 'address', left(act ->> 'agent', 300));
  return refusal;
end $$;
revoke execute on function auth.record_act from public;

-- A form submitted twice creates one credential: `act` may include the form's ID, which the first
-- change claims. The second waits for the first, and is refused.
create table auth.sent_forms (
  once text collate "C" primary key check (char_length(once) <= 64),
  sent_at timestamptz not null default clock_timestamp()
);
create function auth.claim_form(act jsonb) returns text language plpgsql
  set search_path = auth, pg_temp as $$
begin
  if act ->> 'once' is null then return null; end if;
  delete from sent_forms where sent_at < clock_timestamp() - interval '1 day';
  insert into sent_forms (once) values (left(act ->> 'once', 64)) on conflict do nothing;
  return case when not found then 'already_sent' end;
end $$;
revoke execute on function auth.claim_form from public;

create function auth.email_person(what text, of_person text, more jsonb default '{}') returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select site.queue_person_email(what, more || jsonb_build_object('email', email))
    from persons where id = of_person
$$;
revoke execute on function auth.email_person from public;

-- The code of an integration's first unmet requirement for a credential; null if none. Live mode
-- requires an agreement in effect and a clinic that granted access; each call checks both again.
create function auth.refuse_credential(of_integration text, of_mode text, of_organization text,
    wanted text[]) returns text language plpgsql set search_path = auth, pg_temp as $$
begin
  perform from integrations where id = of_integration and suspended_at is null for share;
  if not found then return 'unknown_integration'; end if;
  if cardinality(wanted) = 0 or not wanted <@ all_scopes() then return 'unknown_scope'; end if;
  if of_mode = 'live' and not exists (
    select from agreements where integration = of_integration and terminated_at is null
       and (ends_at is null or ends_at > now())) then return 'agreement_required'; end if;
  if (of_mode = 'live' or of_organization is not null) and not exists (
    select from grants where integration = of_integration and mode = of_mode and status = 'active'
       and (of_organization is null or organization = of_organization)) then
    return 'grant_required';
  end if;
  return null;
end $$;
revoke execute on function auth.refuse_credential from public;

-- Keys and clients -----------------------------------------------------------------------------------

create function auth.create_key(new_id text, of_integration text, of_mode text,
    key_name text, wanted text[], new_hash bytea, new_pepper text, ending text, act jsonb,
    of_organization text default null, expiry timestamptz default null)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_credential(of_integration, of_mode, of_organization, wanted);
begin
  if refusal is null and expiry <= now() then refusal := 'expired'; end if;
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    insert into credentials (id, integration, organization, mode, name, scopes, hash, pepper, last4,
                             expires_at, created_by)
    values (new_id, of_integration, of_organization, of_mode, key_name, wanted, new_hash, new_pepper,
            ending, expiry, act ->> 'person');
  end if;
  return record_act(act, 'createKey', of_mode, of_integration, null, new_id, refusal);
end $$;

-- Null `of_integration` means the operator, who may revoke any key.
create function auth.revoke_key(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare key credentials;
begin
  update credentials set revoked_at = clock_timestamp()
   where id = old_id and kind = 'key' and revoked_at is null
     and (of_integration is null or integration = of_integration)
  returning * into key;
  return record_act(act, 'revokeKey', key.mode, coalesce(key.integration, of_integration), null,
                    old_id, case when key.id is null then 'not_found' end);
end $$;

-- The successor has the key's name, mode and organization, the same scopes or fewer, and the same
-- lifetime. The key's row is locked, so two simultaneous calls don't create two successors. A key
-- whose successor has ended can be rotated again.
create function auth.rotate_key(new_id text, old_id text, of_integration text, of_mode text,
    new_hash bytea, new_pepper text, ending text, overlap interval, act jsonb,
    wanted text[] default null)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  key credentials;
  refusal text;
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  select * into key from credentials
   where id = old_id and kind = 'key' and mode = of_mode and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())
     and (of_integration is null or integration = of_integration) for update;
  if not found then refusal := 'not_found';
  elsif exists (select from credentials where id = key.replaced_by and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())) then
    refusal := 'already_rotated';
  elsif not wanted <@ key.scopes then refusal := 'unknown_scope';
  else
    refusal := refuse_credential(key.integration, key.mode, key.organization,
                                 coalesce(wanted, key.scopes));
  end if;
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    insert into credentials (id, integration, organization, mode, name, scopes, hash, pepper, last4,
                             expires_at, created_by)
    values (new_id, key.integration, key.organization, key.mode, key.name,
            coalesce(wanted, key.scopes), new_hash, new_pepper, ending,
            moment + (key.expires_at - key.created_at), act ->> 'person');
    update credentials set replaced_by = new_id, expires_at = least(expires_at, moment + overlap)
     where id = old_id;
    perform record_act(act, 'createKey', key.mode, key.integration, null, new_id, null);
  end if;
  return record_act(act, 'rotateKey', of_mode, coalesce(key.integration, of_integration), null,
                    old_id, refusal);
end $$;

-- An integration's keys for its members, without the hashes, which the pages' role can't read.
create function auth.keys_of(of_integration text, of_mode text)
  returns table (id text, name text, last4 text, scopes text[], organization text,
                 organization_name text, created_at timestamptz, created_by_name text,
                 expires_at timestamptz, revoked_at timestamptz, revoked_reason text,
                 last_used_at timestamptz, replaced_by text)
  language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.name, k.last4, k.scopes, k.organization, o.name, k.created_at, p.name,
         k.expires_at, k.revoked_at, k.revoked_reason, k.last_used_at, k.replaced_by
    from credentials k left join organizations o on o.id = k.organization
         left join persons p on p.id = k.created_by
   where k.kind = 'key' and k.integration = of_integration and k.mode = of_mode
$$;

create function auth.create_client(new_id text, of_integration text, of_mode text,
    client_name text, wanted text[], secret_id text, new_hash bytea, new_pepper text, ending text,
    act jsonb, of_organization text default null)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_credential(of_integration, of_mode, of_organization, wanted);
begin
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    insert into clients (id, kind, integration, mode, organization, scopes, name)
    values (new_id, 'confidential', of_integration, of_mode, of_organization, wanted, client_name);
    insert into client_secrets (id, client, hash, pepper, last4)
    values (secret_id, new_id, new_hash, new_pepper, ending);
  end if;
  return record_act(act, 'createClient', of_mode, of_integration, new_id, new_id, refusal);
end $$;

-- A client has at most two secrets. Its row is locked, so two simultaneous calls don't create
-- three.
create function auth.add_client_secret(new_id text, of_client text,
    of_integration text, new_hash bytea, new_pepper text, ending text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owner clients; refusal text;
begin
  select * into owner from clients
   where id = of_client and kind = 'confidential' and revoked_at is null
     and (of_integration is null or integration = of_integration) for update;
  if owner.id is null then refusal := 'not_found';
  elsif (select count(*) from client_secrets where client = of_client and revoked_at is null
            and (expires_at is null or expires_at > now())) >= 2 then refusal := 'two_secrets';
  else refusal := claim_form(act); end if;
  if refusal is null then
    insert into client_secrets (id, client, hash, pepper, last4)
    values (new_id, of_client, new_hash, new_pepper, ending);
  end if;
  return record_act(act, 'addClientSecret', owner.mode, coalesce(owner.integration, of_integration),
                    owner.id, new_id, refusal);
end $$;

create function auth.revoke_client_secret(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owner clients;
begin
  with revoked as (
    update client_secrets s set revoked_at = clock_timestamp() from clients c
     where s.id = old_id and s.revoked_at is null and c.id = s.client
       and (of_integration is null or c.integration = of_integration)
    returning s.client
  ) select c.* into owner from clients c join revoked on revoked.client = c.id;
  return record_act(act, 'revokeClientSecret', owner.mode,
                    coalesce(owner.integration, of_integration), owner.id, old_id,
                    case when owner.id is null then 'not_found' end);
end $$;

-- A trigger on clients ends the client's tokens in the same transaction.
create function auth.revoke_client(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owner clients;
begin
  update clients set revoked_at = clock_timestamp()
   where id = old_id and kind = 'confidential' and revoked_at is null
     and (of_integration is null or integration = of_integration)
  returning * into owner;
  return record_act(act, 'revokeClient', owner.mode, coalesce(owner.integration, of_integration),
                    old_id, old_id, case when owner.id is null then 'not_found' end);
end $$;

-- The client stays active, and gets new tokens with its secret.
create function auth.end_client_tokens(of_client text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owner clients;
begin
  select * into owner from clients
   where id = of_client and kind = 'confidential'
     and (of_integration is null or integration = of_integration);
  update credentials k set revoked_at = clock_timestamp(), revoked_reason = 'ended_by_member'
    from token_families f
   where f.client = owner.id and k.family = f.id and k.revoked_at is null;
  return record_act(act, 'endClientTokens', owner.mode,
                    coalesce(owner.integration, of_integration), owner.id, of_client,
                    case when owner.id is null then 'not_found' end);
end $$;

-- Ends all of a client's token families that act for a person in an integration. Owners can end any
-- member's, and members can end their own. Anyone else gets `not_found`.
create function auth.end_access(of_client text, of_person text, of_integration text, of_kind text,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text; role_of_person text;
begin
  select m.role into role_of_person from members m
    join persons p on p.id = m.person and p.disabled_at is null
   where m.integration = of_integration and m.person = act ->> 'person' and m.removed_at is null;
  if not found or (role_of_person <> 'owner' and act ->> 'person' <> of_person) then
    refusal := 'not_found';
  else
    update token_families f set revoked_at = clock_timestamp(), revoked_reason = 'ended_by_member'
     where f.client = of_client and f.person = of_person and f.integration = of_integration
       and f.kind = of_kind and f.revoked_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'endAccess', 'test', of_integration, of_client, of_person, refusal);
end $$;

-- Keys that end without a member's action: a key reported as leaked is revoked immediately, and the
-- integration's owners are emailed. They are also emailed before a live key expires.

-- Emails each owner who can sign in about a key. `facts` are the values in the email.
create function auth.email_owners_of_key(of_integration text, what text, facts jsonb) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select site.queue_person_email(what, facts || jsonb_build_object('email', p.email,
           'integration', i.name, 'integration_id', i.id))
    from members m join persons p on p.id = m.person and p.disabled_at is null
    join integrations i on i.id = m.integration
   where m.integration = of_integration and m.role = 'owner' and m.removed_at is null
$$;
revoke execute on function auth.email_owners_of_key from public;

-- Anyone who has the key may report it. Returns nothing, so a report reveals nothing.
create function auth.report_key(of_hashes bytea[], act jsonb) returns void
  language plpgsql security definer set search_path = auth, pg_temp as $$
declare key credentials;
begin
  update credentials set revoked_at = clock_timestamp(), revoked_reason = 'reported'
   where kind = 'key' and hash = any (of_hashes) and revoked_at is null
     and (expires_at is null or expires_at > now())
  returning * into key;
  if key.id is null then return; end if;
  insert into audit.entries (mode, integration, surface, action, target, outcome, status, request,
                             address, agent)
  values (key.mode, key.integration, act ->> 'surface', 'reportKey', key.id, 'ok', 202,
          act ->> 'request', act ->> 'address', left(act ->> 'agent', 300));
  perform email_owners_of_key(key.integration, 'key_reported', jsonb_build_object(
    'key', key.id, 'name', key.name, 'mode', key.mode, 'last4', key.last4));
end $$;

-- Expiration notices sent to owners: 30, 7 and 1 days before.
create table auth.key_end_notices (
  key text collate "C" not null,
  days int not null check (days in (30, 7, 1)),
  sent_at timestamptz(3) not null default clock_timestamp(),
  primary key (key, days)
);

-- Sends each due notice once, and returns the number of keys. A rotated key gets no email, because
-- it has a successor. Neither does a key created after the notice would have been due. If no worker
-- ran for a while, only a key's latest notice is sent.
create function auth.notify_ending_keys() returns int
  language plpgsql security definer set search_path = auth, pg_temp as $$
declare notice record; notices int := 0;
begin
  for notice in
    with due as (
      select k.id, min(d.days) as days
        from credentials k join integrations i on i.id = k.integration and i.suspended_at is null
       cross join unnest(array[30, 7, 1]) as d (days)
       where k.kind = 'key' and k.mode = 'live' and k.revoked_at is null and k.replaced_by is null
         and k.expires_at > now() and k.expires_at <= now() + d.days * interval '1 day'
         and k.created_at < k.expires_at - d.days * interval '1 day'
       group by k.id
    ), made as (
      insert into key_end_notices (key, days) select id, days from due
          on conflict do nothing returning key, days
    )
    select k.*, m.days from made m join credentials k on k.id = m.key
  loop
    perform email_owners_of_key(notice.integration, 'key_ends', jsonb_build_object(
      'key', notice.id, 'name', notice.name, 'last4', notice.last4, 'days', notice.days, 'ends_at',
      public.iso(notice.expires_at)));
    perform record_act(jsonb_build_object('actor', 'worker', 'surface', 'worker', 'request',
        public.new_id('req')),
      'notifyKeyEnd', 'live', notice.integration, null, notice.id, null);
    notices := notices + 1;
  end loop;
  return notices;
end $$;
revoke execute on function auth.create_key, auth.revoke_key, auth.rotate_key, auth.keys_of,
  auth.create_client, auth.add_client_secret, auth.revoke_client_secret, auth.revoke_client,
  auth.end_client_tokens, auth.end_access, auth.report_key, auth.notify_ending_keys from public;
grant execute on function auth.create_key, auth.revoke_key, auth.rotate_key, auth.keys_of,
  auth.create_client, auth.add_client_secret, auth.revoke_client_secret, auth.revoke_client,
  auth.end_client_tokens, auth.end_access, auth.report_key to app_auth;
grant execute on function auth.notify_ending_keys to app_worker_live;

-- Members --------------------------------------------------------------------------------------------

-- An integration is created with its first owner. Owners invite others, change their roles and
-- remove them. Each change locks the integration's row, so two owners who leave at the same time
-- don't leave it without one.

-- `of_person` is the first owner; null for the operator. A trigger on tenants creates the
-- integration's own tenant.
create function auth.create_integration(new_id text, new_organization text, new_grant text,
    integration_name text, of_person text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := claim_form(act);
begin
  if refusal is null and of_person is not null then
    -- The lock keeps simultaneous calls from exceeding the person's limit.
    perform from persons where id = of_person and disabled_at is null for no key update;
    if not found then refusal := 'not_found';
    elsif (select count(*) from members m join integrations i on i.id = m.integration
            where m.person = of_person and m.role = 'owner' and m.removed_at is null
              and i.suspended_at is null) >= 20 then refusal := 'too_many_integrations';
    end if;
  end if;
  if refusal is null then
    insert into integrations (id, name) values (new_id, integration_name);
    insert into organizations (id, name, slug, sandbox_of)
    values (new_organization, 'Harbor Telehealth Clinic (sandbox)', 'harbor-sandbox', new_id);
    insert into grants (id, integration, organization, mode, scopes, status)
    values (new_grant, new_id, new_organization, 'test', all_scopes(), 'active');
    insert into test.tenants (integration, organization) values (new_id, new_organization);
    if of_person is not null then
      insert into members (integration, person, role) values (new_id, of_person, 'owner');
    end if;
  end if;
  return record_act(act, 'createIntegration', 'test', case when refusal is null then new_id end,
                    null, new_id, refusal);
end $$;

-- An invitation is to an integration with one role, or to a clinic with several. It contains the
-- address of a person who may never have joined, so it's removed 90 days after it ends.
create table auth.invitations (
  id text collate "C" primary key,
  integration text collate "C" references auth.integrations,
  email text not null check (email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(email) <= 254),
  role text check (role in ('owner', 'developer', 'billing', 'viewer')),
  invited_by text collate "C" references auth.persons, -- null: the operator
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null default clock_timestamp() + interval '7 days',
  accepted_by text collate "C" references auth.persons,
  accepted_at timestamptz(3),
  cancelled_at timestamptz(3),
  organization text collate "C" references auth.organizations,
  roles text[] check (cardinality(roles) > 0
    and roles <@ array['admin', 'clinician', 'nurse', 'pharmacy', 'records', 'auditor']),
  check ((accepted_by is null) = (accepted_at is null)),
  check (accepted_at is null or cancelled_at is null),
  constraint invitations_to_one check (
    (integration is null) = (role is null) and (organization is null) = (roles is null)
    and (integration is null) <> (organization is null))
);
-- An address has at most one open invitation to an integration.
create unique index invitations_open on auth.invitations (integration, public.normalized_email(email))
  where accepted_at is null and cancelled_at is null;
create unique index invitations_open_of_clinic on auth.invitations (organization, public.normalized_email(email))
  where accepted_at is null and cancelled_at is null and organization is not null;
create index on auth.invitations (integration, created_at);
create index on auth.invitations (organization, created_at) where organization is not null;
create index on auth.invitations (expires_at);
grant select, delete on auth.invitations to app_auth;

-- Locks the integration for a change to its members, and checks that the caller is an owner.
-- Nonmembers get `unknown_integration`.
create function auth.refuse_member_change(of_integration text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare role_of_person text;
begin
  perform from integrations where id = of_integration and suspended_at is null for no key update;
  if not found then return 'unknown_integration'; end if;
  if act ->> 'person' is null then return null; end if;
  select m.role into role_of_person from members m
    join persons p on p.id = m.person and p.disabled_at is null
   where m.integration = of_integration and m.person = act ->> 'person' and m.removed_at is null;
  if not found then return 'unknown_integration'; end if;
  return case when role_of_person <> 'owner' then 'owner_required' end;
end $$;
revoke execute on function auth.refuse_member_change from public;

-- Whether the integration has another owner who can sign in.
create function auth.has_other_owner(of_integration text, member text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from members m join persons p on p.id = m.person and p.disabled_at is null
    where m.integration = of_integration and m.person <> member and m.role = 'owner'
      and m.removed_at is null)
$$;
revoke execute on function auth.has_other_owner from public;

-- A new invitation replaces an open one to the same address.
create function auth.invite_member(new_id text, of_integration text, to_email text, new_role text,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null and exists (
    select from members m join persons p on p.id = m.person
     where m.integration = of_integration and m.removed_at is null
       and public.normalized_email(p.email) = public.normalized_email(to_email)) then refusal := 'already_member'; end if;
  if refusal is null and (select count(*) from invitations where integration = of_integration
       and created_at > clock_timestamp() - interval '1 day') >= 50 then
    refusal := 'too_many_invitations';
  end if;
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where integration = of_integration and public.normalized_email(email) = public.normalized_email(to_email)
       and accepted_at is null and cancelled_at is null;
    insert into invitations (id, integration, email, role, invited_by)
    values (new_id, of_integration, to_email, new_role, act ->> 'person');
    perform site.queue_person_email('invitation', jsonb_build_object(
      'email', to_email, 'invitation', new_id, 'role', new_role,
      'integration', (select name from integrations where id = of_integration),
      'by', (select name from persons where id = act ->> 'person')));
  end if;
  return record_act(act, 'inviteMember', null, of_integration, null, new_id, refusal);
end $$;

create function auth.cancel_invitation(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where id = old_id and integration = of_integration
       and accepted_at is null and cancelled_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'cancelInvitation', null, of_integration, null, old_id, refusal);
end $$;

-- The person must have the invited address. Current members and staff keep their role, because an
-- invitation to a lower role must not demote the last owner. Former members get the new role.
create function auth.accept_invitation(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text; invited invitations;
begin
  perform from integrations i where i.suspended_at is null
     and i.id = (select integration from invitations where id = old_id) for no key update;
  perform from organizations o where o.id = (select organization from invitations where id = old_id)
     for no key update;
  select * into invited from invitations v
   where id = old_id and accepted_at is null and cancelled_at is null
     and expires_at > clock_timestamp()
     and (exists (select from integrations i where i.id = v.integration and i.suspended_at is null)
       or exists (select from organizations o where o.id = v.organization and o.status = 'active'))
     for update;
  if not found then refusal := 'not_found';
  elsif not exists (select from persons where id = act ->> 'person' and disabled_at is null
     and public.normalized_email(email) = public.normalized_email(invited.email)) then refusal := 'other_address';
  elsif exists (select from members where integration = invited.integration
     and person = act ->> 'person' and removed_at is null)
     or exists (select from staff where organization = invited.organization
     and person = act ->> 'person' and removed_at is null) then refusal := 'already_member';
  else
    update invitations set accepted_at = clock_timestamp(), accepted_by = act ->> 'person'
     where id = old_id;
    if invited.integration is not null then
      insert into members (integration, person, role)
      values (invited.integration, act ->> 'person', invited.role)
      on conflict (integration, person) do update
         set role = excluded.role, removed_at = null, created_at = clock_timestamp(),
             live_until = null;
    else
      insert into staff (organization, person, name, roles)
      select invited.organization, p.id, p.name, invited.roles from persons p
       where p.id = act ->> 'person'
      on conflict (organization, person) do update
         set roles = excluded.roles, removed_at = null, created_at = clock_timestamp();
    end if;
  end if;
  if invited.organization is not null then
    act := act || jsonb_build_object('organization', invited.organization);
  end if;
  return record_act(act, 'acceptInvitation', case when invited.organization is not null then 'live' end,
                    invited.integration, null, old_id, refusal);
end $$;

create function auth.change_role(of_integration text, member text, new_role text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    if not exists (select from members where integration = of_integration and person = member
       and removed_at is null) then refusal := 'not_found';
    elsif new_role <> 'owner' and not has_other_owner(of_integration, member) then
      refusal := 'last_owner';
    else
      update members set role = new_role, live_until = null
       where integration = of_integration and person = member;
    end if;
  end if;
  return record_act(act, 'changeRole', null, of_integration, null, member, refusal);
end $$;

-- An owner lets a developer change live webhook endpoints, and replay live events, for a day.
create function auth.allow_live_changes(of_integration text, member text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update members set live_until = clock_timestamp() + interval '24 hours'
     where integration = of_integration and person = member and removed_at is null
       and role = 'developer';
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'allowLiveChanges', 'live', of_integration, null, member, refusal);
end $$;
revoke execute on function auth.allow_live_changes from public;
grant execute on function auth.allow_live_changes to app_auth;

-- Owners can remove any member, and everyone may leave. Triggers on members end the member's tokens
-- in the same transaction.
create function auth.remove_member(of_integration text, member text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal = 'owner_required' and member = act ->> 'person' then refusal := null; end if;
  if refusal is null then
    if not exists (select from members where integration = of_integration and person = member
       and removed_at is null) then refusal := 'not_found';
    elsif not has_other_owner(of_integration, member) then refusal := 'last_owner';
    else
      update members set removed_at = clock_timestamp()
       where integration = of_integration and person = member;
    end if;
  end if;
  return record_act(act, 'removeMember', null, of_integration, null, member, refusal);
end $$;

revoke execute on function auth.create_integration, auth.invite_member, auth.cancel_invitation,
  auth.accept_invitation, auth.change_role, auth.remove_member from public;
grant execute on function auth.create_integration, auth.invite_member, auth.cancel_invitation,
  auth.accept_invitation, auth.change_role, auth.remove_member to app_auth;

-- Grants ---------------------------------------------------------------------------------------------

-- A clinic has at most one open request or grant per integration; a lapsed one doesn't count. The
-- clinic's administrators are emailed about an open request.
create function auth.email_admins_of_request(requested text) returns void
  language plpgsql volatile set search_path = auth, pg_temp as $$
begin
  perform email_person('grant_requested', s.person, jsonb_build_object(
            'grant', g.id, 'integration', i.name, 'organization', o.name, 'organization_id', o.id,
            'requested', cardinality(g.requested_scopes)))
     from grants g join integrations i on i.id = g.integration
     join organizations o on o.id = g.organization
     join staff s on s.organization = o.id and 'admin' = any (roles_now(s)) and s.removed_at is null
     join persons p on p.id = s.person and p.disabled_at is null
    where g.id = requested;
end $$;
revoke execute on function auth.email_admins_of_request from public;

create function auth.request_grant(new_id text, of_integration text, of_organization text,
    wanted text[], for_note text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null and (cardinality(wanted) = 0 or not wanted <@ all_scopes()) then
    refusal := 'unknown_scope';
  elsif refusal is null and not exists (select from organizations
     where id = of_organization and sandbox_of is null and status = 'active') then
    refusal := 'unknown_organization';
  end if;
  if refusal is null then
    update grants set status = 'lapsed', ended_at = lapses_at
     where integration = of_integration and organization = of_organization and mode = 'live'
       and status = 'pending' and lapses_at <= clock_timestamp();
    insert into grants (id, integration, organization, mode, scopes, status, requested_scopes,
                        requested_by, note, lapses_at)
    values (new_id, of_integration, of_organization, 'live', '{}', 'pending', wanted,
            act ->> 'person', nullif(for_note, ''), clock_timestamp() + interval '30 days')
    on conflict do nothing;
    if not found then refusal := 'already_requested';
    else perform email_admins_of_request(new_id);
    end if;
  end if;
  return record_act(act, 'requestGrant', 'live', of_integration, null, new_id, refusal);
end $$;

create function auth.withdraw_grant(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update grants set status = 'withdrawn', ended_by = act ->> 'person', ended_at = clock_timestamp()
     where id = old_id and integration = of_integration and status = 'pending'
       and lapses_at > clock_timestamp();
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'withdrawGrant', 'live', of_integration, null, old_id, refusal);
end $$;

-- Emails the integration's owners the decision.
create function auth.email_owners_of_grant(decided text) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select email_person('grant_decided', m.person, jsonb_build_object(
           'integration', i.name, 'integration_id', i.id, 'grant', g.id,
           'organization', o.name, 'status', g.status,
           'scopes', cardinality(g.scopes), 'requested', cardinality(g.requested_scopes)))
    from grants g join integrations i on i.id = g.integration
    join organizations o on o.id = g.organization
    join members m on m.integration = i.id and m.role = 'owner' and m.removed_at is null
    join persons p on p.id = m.person and p.disabled_at is null
   where g.id = decided
$$;
revoke execute on function auth.email_owners_of_grant from public;

-- Null `given` means declined. Locks the integration's row, as changes to its members do, so the
-- person who decides can't become a member in the meantime.
create function auth.decide_grant(old_id text, given text[], for_note text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked grants; refusal text; decider text := act ->> 'person';
begin
  perform from integrations
   where id = (select integration from grants where id = old_id) for no key update;
  select * into asked from grants where id = old_id for update;
  if asked.status is distinct from 'pending' or asked.lapses_at <= clock_timestamp() then
    refusal := 'not_found';
  elsif not exists (select from persons where id = decider and disabled_at is null) then
    refusal := 'unknown_person';
  elsif decider = asked.requested_by or belongs_to_integration(asked.integration, decider) then
    refusal := 'own_grant';
  elsif cardinality(given) = 0 or not given <@ asked.requested_scopes then
    refusal := 'unknown_scope';
  elsif given is not null and not exists (select from clinic_settings
     where organization = asked.organization and incident_email is not null) then
    refusal := 'incident_email_required';
  else
    update grants
       set status = case when given is null then 'declined' else 'active' end,
           scopes = coalesce(given, '{}'), decided_by = decider, decided_at = clock_timestamp(),
           decision_note = nullif(for_note, '')
     where id = old_id;
    if given is not null then
      insert into live.tenants (integration, organization)
      values (asked.integration, asked.organization) on conflict do nothing;
    end if;
    perform email_owners_of_grant(asked.id);
  end if;
  return record_act(act, case when given is null then 'declineGrant' else 'approveGrant' end, 'live',
                    asked.integration, null, old_id, refusal);
end $$;

create function auth.revoke_grant(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare ended grants; refusal text;
begin
  if not exists (select from persons where id = act ->> 'person' and disabled_at is null) then
    refusal := 'unknown_person';
  else
    update grants set status = 'revoked', ended_by = act ->> 'person', ended_at = clock_timestamp()
     where id = old_id and mode = 'live' and status = 'active' returning * into ended;
    if not found then refusal := 'not_found';
    else perform email_owners_of_grant(ended.id);
    end if;
  end if;
  return record_act(act, 'revokeGrant', 'live', ended.integration, null, old_id, refusal);
end $$;

-- Only the operator decides and revokes grants here.
revoke execute on function auth.request_grant, auth.withdraw_grant, auth.decide_grant,
  auth.revoke_grant from public;
grant execute on function auth.request_grant, auth.withdraw_grant to app_auth;

-- Agreements and integration settings ----------------------------------------------------------------

-- `of_text` is the text that the person read; each version has one. Accepting a newer version ends
-- older agreements.
create function auth.accept_agreement(new_id text, of_integration text, of_version text,
    of_text text, name_of_signatory text, title_of_signatory text, company text,
    company_address text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  digest bytea := sha256(convert_to(of_text, 'UTF8'));
  refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null and exists (select from agreements
       where integration = of_integration and version >= of_version
         and terminated_at is null and ends_at is null) then refusal := 'already_accepted';
  end if;
  if refusal is null then
    insert into agreement_texts (version, body, sha256) values (of_version, of_text, digest)
    on conflict (version) do nothing;
    if digest <> (select sha256 from agreement_texts where version = of_version) then
      refusal := 'other_text';
    end if;
  end if;
  if refusal is null then
    update agreements set ends_at = clock_timestamp()
     where integration = of_integration and terminated_at is null
       and (ends_at is null or ends_at > clock_timestamp());
    insert into agreements (id, integration, version, person, signatory_name, signatory_title,
                            legal_name, legal_address, sha256, address, agent)
    values (new_id, of_integration, of_version, act ->> 'person', name_of_signatory,
            title_of_signatory, company, company_address, digest, act ->> 'address', left(act ->> 'agent', 300));
  end if;
  return record_act(act, 'acceptAgreement', 'live', of_integration, null, new_id, refusal);
end $$;

-- '' removes an address.
create function auth.change_integration(of_integration text, new_name text, developers text,
    billing text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update integrations
       set name = new_name, developers_email = nullif(developers, ''),
           billing_email = nullif(billing, '')
     where id = of_integration;
  end if;
  return record_act(act, 'changeIntegration', null, of_integration, null, of_integration, refusal);
end $$;

-- Every call checks whether its integration is suspended, so all of its keys, clients and tokens
-- end with the commit. Clinics keep their records.
create function auth.close_integration(of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  refusal text := refuse_member_change(of_integration, act);
  moment timestamptz := clock_timestamp();
  closed integrations;
begin
  if refusal is null then
    update integrations set suspended_at = moment where id = of_integration returning * into closed;
    update grants
       set status = case status when 'pending' then 'withdrawn' else 'revoked' end,
           ended_by = act ->> 'person', ended_at = moment
     where integration = of_integration and mode = 'live' and status in ('pending', 'active');
    update agreements set terminated_at = moment
     where integration = of_integration and terminated_at is null
       and (ends_at is null or ends_at > moment);
    update invitations set cancelled_at = moment
     where integration = of_integration and accepted_at is null and cancelled_at is null;
    perform email_person('integration_closed', m.person, jsonb_build_object(
        'integration', closed.name,
        'by', (select name from persons where id = act ->> 'person')))
      from members m join persons p on p.id = m.person and p.disabled_at is null
     where m.integration = of_integration and m.role = 'owner' and m.removed_at is null;
  end if;
  return record_act(act, 'closeIntegration', null, of_integration, null, of_integration, refusal);
end $$;

revoke execute on function auth.accept_agreement, auth.change_integration, auth.close_integration
  from public;
grant execute on function auth.accept_agreement, auth.change_integration, auth.close_integration
  to app_auth;

-- Prices ---------------------------------------------------------------------------------------------

-- The price of each kind of charge. A price never changes: it ends, and another one starts.
create table billing.prices (
  id bigint generated always as identity primary key,
  kind text not null check (kind ~ '^[a-z][a-z_]{0,39}$'),
  amount bigint not null check (amount >= 0), -- minor units; zero raises no charge
  currency text not null check (currency ~ '^[A-Z]{3}$'),
  integration text references auth.integrations, -- null: all integrations
  organization text references auth.organizations, -- null: all clinics
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

-- A kind's price for an integration at a clinic: the integration's own price if there is one, else
-- the clinic's, else the general one.
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

-- Adds a price from a given time on, and ends the price it replaces. `price` is {amount, currency,
-- integration, organization, from}. Returns null, or the code of its refusal.
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
