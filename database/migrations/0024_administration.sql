-- What a member of an integration, or the operator, changes about it: keys, clients and agreements.
-- No role of a gateway writes these tables: each change is a function that checks what the change
-- needs and writes its audit row in the same transaction, and only the role of the authorization
-- server and of the pages of people may call them. They are given hashes, never a secret.
--
-- Each returns null, or the code of what it refused. `act` says who asked: {surface, request,
-- person, address, agent}, where no person means the operator.

-- The scopes of contract/scopes.ts; a test compares them.
create function auth.all_scopes() returns text[] language sql immutable parallel safe
  return array['organization:read', 'patients:read', 'patients:write', 'cases:read', 'cases:write',
    'events:read', 'webhooks:manage', 'realtime:subscribe', 'test:manage', 'billing:read',
    'visits:read', 'visits:write'];

create function auth.record_act(act jsonb, action text, of_mode text, of_integration text,
    of_client text, of_target text, refusal text) returns text language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into audit.entries (mode, integration, actor, person, client, surface, action, target,
                             outcome, status, code, request, address, agent)
  values (of_mode, of_integration, coalesce(act ->> 'person', 'operator'), act ->> 'person',
          of_client, act ->> 'surface', action, of_target,
          case when refusal is null then 'ok' else 'refused' end,
          case when refusal is null then 200 else 409 end, refusal, act ->> 'request',
          act ->> 'address', left(act ->> 'agent', 300));
  return refusal;
end $$;
revoke execute on function auth.record_act from public;

-- What a credential of an integration needs; null when it has all of it. Live needs an agreement in
-- force and a clinic that granted access; each call checks both again.
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

create function auth.create_key(new_id text, of_integration text, of_mode text, key_name text,
    wanted text[], new_hash bytea, new_pepper text, ending text, act jsonb,
    of_organization text default null, expiry timestamptz default null)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_credential(of_integration, of_mode, of_organization, wanted);
begin
  if refusal is null and expiry <= now() then refusal := 'expired'; end if;
  if refusal is null then
    insert into credentials (id, integration, organization, mode, name, scopes, hash, pepper, last4,
                             expires_at)
    values (new_id, of_integration, of_organization, of_mode, key_name, wanted, new_hash, new_pepper,
            ending, expiry);
  end if;
  return record_act(act, 'createKey', of_mode, of_integration, null, new_id, refusal);
end $$;

-- `of_integration`: null for the operator, who may revoke any.
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

create function auth.create_client(new_id text, of_integration text, of_mode text,
    client_name text, wanted text[], secret_id text, new_hash bytea, new_pepper text, ending text,
    act jsonb, of_organization text default null)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_credential(of_integration, of_mode, of_organization, wanted);
begin
  if refusal is null then
    insert into clients (id, kind, integration, mode, organization, scopes, name)
    values (new_id, 'confidential', of_integration, of_mode, of_organization, wanted, client_name);
    insert into client_secrets (id, client, hash, pepper, last4)
    values (secret_id, new_id, new_hash, new_pepper, ending);
  end if;
  return record_act(act, 'createClient', of_mode, of_integration, new_id, new_id, refusal);
end $$;

-- A client has two secrets at most. The row of the client is locked, so that two calls at once do
-- not make three.
create function auth.add_client_secret(new_id text, of_client text, of_integration text,
    new_hash bytea, new_pepper text, ending text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owner clients; refusal text;
begin
  select * into owner from clients
   where id = of_client and kind = 'confidential' and revoked_at is null
     and (of_integration is null or integration = of_integration) for update;
  if owner.id is null then refusal := 'not_found';
  elsif (select count(*) from client_secrets where client = of_client and revoked_at is null
            and (expires_at is null or expires_at > now())) >= 2 then refusal := 'two_secrets';
  else
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

-- Its tokens end in the same transaction, by the trigger on clients.
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

-- Accepting the version that is in force again changes nothing.
create function auth.accept_agreement(new_id text, of_integration text, of_version text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text;
begin
  perform from integrations where id = of_integration and suspended_at is null for update;
  if not found then refusal := 'unknown_integration';
  elsif exists (select from agreements where integration = of_integration and version = of_version
     and terminated_at is null and ends_at is null) then refusal := 'already_accepted';
  else
    insert into agreements (id, integration, version) values (new_id, of_integration, of_version);
  end if;
  return record_act(act, 'acceptAgreement', 'live', of_integration, null, new_id, refusal);
end $$;

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('create_key', 'revoke_key', 'create_client', 'add_client_secret',
                     'revoke_client_secret', 'revoke_client', 'accept_agreement') loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to app_auth', made);
  end loop;
end $$;
