-- A key is replaced while both work: its successor is made, and its own end is moved to when the
-- overlap is over. The end is `expires_at`, which every check of a key reads already, so that a
-- retired key is refused by the next call at every gateway (auth/guard.ts, auth/principal.ts).

alter table auth.credentials
  -- Of a key: the member who made it; null: the operator.
  add column created_by text collate "C",
  -- Of a key: its successor. No foreign key: each token that the sweep removes would look for it.
  add column replaced_by text collate "C",
  add constraint only_keys_are_replaced
    check (kind = 'key' or (created_by is null and replaced_by is null));

-- A form that was sent twice makes one credential: `act` may name the form, and its first change
-- claims it. The second waits for the first, and is refused.
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

create or replace function auth.create_key(new_id text, of_integration text, of_mode text,
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

create or replace function auth.create_client(new_id text, of_integration text, of_mode text,
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

create or replace function auth.add_client_secret(new_id text, of_client text,
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

-- The successor has the name, mode and organization of the key, and its scopes or fewer. It lives
-- as long as the key was to live. The row of the key is locked, so that two calls at once do not
-- make two successors; one whose successor has ended can be rotated again.
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
revoke execute on function auth.rotate_key from public;
grant execute on function auth.rotate_key to app_auth;

drop function auth.keys_of;
create function auth.keys_of(of_integration text, of_mode text)
  returns table (id text, name text, last4 text, scopes text[], organization text,
                 organization_name text, created_at timestamptz, created_by_name text,
                 expires_at timestamptz, revoked_at timestamptz, last_used_at timestamptz,
                 replaced_by text)
  language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.name, k.last4, k.scopes, k.organization, o.name, k.created_at, p.name,
         k.expires_at, k.revoked_at, k.last_used_at, k.replaced_by
    from credentials k left join organizations o on o.id = k.organization
         left join persons p on p.id = k.created_by
   where k.kind = 'key' and k.integration = of_integration and k.mode = of_mode
$$;
revoke execute on function auth.keys_of from public;
grant execute on function auth.keys_of to app_auth;
