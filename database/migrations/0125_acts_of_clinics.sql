-- An act names the clinic for which it was done (0105), and a job is neither a person nor the operator
-- (0122).
create or replace function auth.record_act(act jsonb, action text, of_mode text, of_integration text,
    of_client text, of_target text, refusal text) returns text language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into audit.entries (mode, integration, organization, actor, person, client, surface, action,
                             target, outcome, status, code, request, address, agent)
  values (of_mode, of_integration, act ->> 'organization',
          coalesce(act ->> 'person', act ->> 'actor', 'operator'), act ->> 'person', of_client,
          act ->> 'surface', action, of_target, case when refusal is null then 'ok' else 'refused' end,
          case when refusal is null then 200 else 409 end, refusal, act ->> 'request',
          act ->> 'address', left(act ->> 'agent', 300));
  return refusal;
end $$;
