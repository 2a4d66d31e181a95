-- What members end: the tokens of a client, and what acts for a person. As in 0024, each function
-- writes its audit row with its effect, and returns null or the code of what it refused.

-- The client stays, and gets new tokens by its secret.
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

-- Ends all families of a client that act for a person in an integration. An owner ends those of any
-- member, and every member their own. Who is no member learns nothing of it.
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

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('end_client_tokens', 'end_access') loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to app_auth', made);
  end loop;
end $$;
