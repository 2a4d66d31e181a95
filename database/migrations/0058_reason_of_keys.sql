-- Members see why a key was revoked: one that was reported as leaked says so on its page.
drop function auth.keys_of;
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
revoke execute on function auth.keys_of from public;
grant execute on function auth.keys_of to app_auth;
