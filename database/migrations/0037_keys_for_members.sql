-- The keys of an integration, as its members see them: without their hashes, which the role of the
-- pages cannot read.
create function auth.keys_of(of_integration text, of_mode text)
  returns table (id text, name text, last4 text, scopes text[], organization text,
                 organization_name text, created_at timestamptz, expires_at timestamptz,
                 revoked_at timestamptz, last_used_at timestamptz)
  language sql stable security definer set search_path = auth, pg_temp as $$
  select k.id, k.name, k.last4, k.scopes, k.organization, o.name, k.created_at, k.expires_at,
         k.revoked_at, k.last_used_at
    from credentials k left join organizations o on o.id = k.organization
   where k.kind = 'key' and k.integration = of_integration and k.mode = of_mode
$$;
revoke execute on function auth.keys_of from public;
grant execute on function auth.keys_of to app_auth;
