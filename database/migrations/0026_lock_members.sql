-- A person's tokens end in the transaction that removes them from an integration. A consent that is
-- given at the same moment must not come too late for that, so it locks the membership while it is
-- stored. The role of the authorization server may not change members, so it cannot lock one itself.

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
