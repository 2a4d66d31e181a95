-- A revoked grant's tokens are recorded as ended all at once, so they must all be returned at once.
-- The previous version sends all it gets to Ably in one request, which takes at most 100, so it
-- keeps tokens_to_revoke.
-- compatible with 0022

-- As tokens_to_revoke in 0013, but it returns every holder of the last grant, and no key that
-- expired so long ago that its tokens did too.
create function realtime_tokens_to_revoke(life interval, out why text, out credential text)
  returns setof record language sql stable security definer set search_path = {mode}, pg_temp as $$
  with holders as (
    select id, integration, organization, revoked_at, expires_at from auth.credentials
     where mode = current_schema() and kind = 'key'
    union all
    select id, integration, organization, revoked_at, ends_at from auth.token_families
     where mode = current_schema()
  ), ended as (
    select h.id as why, h.id as credential
      from holders h join auth.integrations i on i.id = h.integration
     where h.revoked_at > now() - life or i.suspended_at > now() - life
        or h.expires_at between now() - life and now()
    union all
    select g.id, h.id from auth.grants g
      join holders h on h.integration = g.integration and h.revoked_at is null
       and (h.expires_at is null or h.expires_at > now() - life)
       and (h.organization is null or h.organization = g.organization)
     where g.mode = current_schema() and g.status = 'revoked'
  )
  select e.why, e.credential from ended e
   where not exists (select from realtime_revocations r where r.of_grant_or_key = e.why)
   order by e.why fetch first 100 rows with ties
$$;
revoke execute on function realtime_tokens_to_revoke from public;
grant execute on function realtime_tokens_to_revoke to app_worker_{mode};
