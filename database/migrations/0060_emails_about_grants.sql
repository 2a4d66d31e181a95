-- As those of 0045, and the owners of the integration are emailed what was decided.

create function auth.email_owners_of_grant(decided text) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select email_person('grant_decided', m.person, jsonb_build_object(
           'integration', i.name, 'organization', o.name, 'status', g.status,
           'scopes', cardinality(g.scopes), 'requested', cardinality(g.requested_scopes)))
    from grants g join integrations i on i.id = g.integration
    join organizations o on o.id = g.organization
    join members m on m.integration = i.id and m.role = 'owner' and m.removed_at is null
    join persons p on p.id = m.person and p.disabled_at is null
   where g.id = decided
$$;
revoke execute on function auth.email_owners_of_grant from public;

create or replace function auth.decide_grant(old_id text, given text[], for_note text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked grants; refusal text; decider text := act ->> 'person';
begin
  perform from integrations
   where id = (select integration from grants where id = old_id) for no key update;
  select * into asked from grants where id = old_id for update;
  if asked.status is distinct from 'pending' or asked.lapses_at <= clock_timestamp() then
    refusal := 'not_found';
  elsif not exists (select from persons where id = decider and disabled_at is null) then
    refusal := 'unknown_person';
  elsif decider = asked.requested_by or belongs_to_integration(asked.integration, decider) then
    refusal := 'own_grant';
  elsif cardinality(given) = 0 or not given <@ asked.requested_scopes then
    refusal := 'unknown_scope';
  else
    update grants
       set status = case when given is null then 'declined' else 'active' end,
           scopes = coalesce(given, '{}'), decided_by = decider, decided_at = clock_timestamp(),
           decision_note = nullif(for_note, '')
     where id = old_id;
    if given is not null then
      insert into live.tenants (integration, organization)
      values (asked.integration, asked.organization) on conflict do nothing;
    end if;
    perform email_owners_of_grant(asked.id);
  end if;
  return record_act(act, case when given is null then 'declineGrant' else 'approveGrant' end, 'live',
                    asked.integration, null, old_id, refusal);
end $$;

create or replace function auth.revoke_grant(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare ended grants; refusal text;
begin
  if not exists (select from persons where id = act ->> 'person' and disabled_at is null) then
    refusal := 'unknown_person';
  else
    update grants set status = 'revoked', ended_by = act ->> 'person', ended_at = clock_timestamp()
     where id = old_id and mode = 'live' and status = 'active' returning * into ended;
    if not found then refusal := 'not_found';
    else perform email_owners_of_grant(ended.id);
    end if;
  end if;
  return record_act(act, 'revokeGrant', 'live', ended.integration, null, old_id, refusal);
end $$;
