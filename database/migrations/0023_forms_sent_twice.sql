-- A form submitted twice is refused as `already_sent` before anything else is checked. The first
-- submission changes what the second would be refused for: the key is already rotated, or the
-- client has two secrets, and that answer hides that the first one worked.
-- compatible with 0022

-- As in 0006, but it claims the form first.
create or replace function auth.rotate_key(new_id text, old_id text, of_integration text,
    of_mode text, new_hash bytea, new_pepper text, ending text, overlap interval, act jsonb,
    wanted text[] default null)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  key credentials;
  refusal text := claim_form(act);
  moment constant timestamptz := date_trunc('milliseconds', clock_timestamp());
begin
  select * into key from credentials
   where id = old_id and kind = 'key' and mode = of_mode and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())
     and (of_integration is null or integration = of_integration) for update;
  if refusal is not null then null;
  elsif key.id is null then refusal := 'not_found';
  elsif exists (select from credentials where id = key.replaced_by and revoked_at is null
     and (expires_at is null or expires_at > clock_timestamp())) then
    refusal := 'already_rotated';
  elsif not wanted <@ key.scopes then refusal := 'unknown_scope';
  else
    refusal := refuse_credential(key.integration, key.mode, key.organization,
                                 coalesce(wanted, key.scopes));
  end if;
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

-- As in 0006, but it claims the form first.
create or replace function auth.add_client_secret(new_id text, of_client text,
    of_integration text, new_hash bytea, new_pepper text, ending text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owner clients; refusal text := claim_form(act);
begin
  select * into owner from clients
   where id = of_client and kind = 'confidential' and revoked_at is null
     and (of_integration is null or integration = of_integration) for update;
  if refusal is not null then null;
  elsif owner.id is null then refusal := 'not_found';
  elsif (select count(*) from client_secrets where client = of_client and revoked_at is null
            and (expires_at is null or expires_at > now())) >= 2 then refusal := 'two_secrets';
  end if;
  if refusal is null then
    insert into client_secrets (id, client, hash, pepper, last4)
    values (new_id, of_client, new_hash, new_pepper, ending);
  end if;
  return record_act(act, 'addClientSecret', owner.mode, coalesce(owner.integration, of_integration),
                    owner.id, new_id, refusal);
end $$;
