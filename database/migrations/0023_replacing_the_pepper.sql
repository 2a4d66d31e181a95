-- A pepper is replaced while gateways run: each of them knows both, and what is used is hashed
-- again with the newest (auth/principal.ts).

-- Only a caller who knows a hash can replace it, so the role of one mode replaces none of the other.
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

-- A cached credential is known by its id, so another hash of the same token changes nothing of what
-- it may do.
drop trigger bump_revision on auth.credentials;
create trigger bump_revision
  after update of integration, organization, mode, scopes, kind, family, client, person, audience
  on auth.credentials for each row execute function auth.bump_revision();
