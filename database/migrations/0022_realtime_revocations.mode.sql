-- What the realtime provider still has to end: the tokens of a key that was revoked, expired or
-- whose integration was suspended within the life of a token, of a family that ended, or those
-- under a grant that a clinic revoked. A token of realtime is held by a key or by a family
-- (auth/principal.ts), so that a refreshed access token ends nothing.
create or replace function tokens_to_revoke(life interval, out why text, out credential text)
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
       and (h.organization is null or h.organization = g.organization)
     where g.mode = current_schema() and g.status = 'revoked'
  )
  select e.why, e.credential from ended e
   where not exists (select from realtime_revocations r where r.of_grant_or_key = e.why)
   order by e.why, e.credential limit 100
$$;
