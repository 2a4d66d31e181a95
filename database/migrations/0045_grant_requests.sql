-- An integration asks a clinic for access in live mode: an owner names the clinic and the scopes it
-- needs. Another person decides, and grants all of them or fewer. Who belongs to the integration may
-- not decide its grant, which the trigger below also refuses to a statement that does not use
-- auth.decide_grant. As in 0024, each change is a function that decides it, writes its audit row in
-- the same transaction, and returns null or the code of what it refused.

alter table auth.grants
  -- Null: the grant was made without a request.
  add column requested_scopes text[],
  add column requested_by text collate "C" references auth.persons,
  add column note text check (char_length(note) <= 1000),
  -- A request that is not decided by then has lapsed.
  add column lapses_at timestamptz(3),
  add column decided_by text collate "C" references auth.persons,
  add column decided_at timestamptz(3),
  add column decision_note text check (char_length(decision_note) <= 1000),
  -- When it was withdrawn, had lapsed or was revoked, and by whom.
  add column ended_by text collate "C" references auth.persons,
  add column ended_at timestamptz(3),
  drop constraint grants_status_check,
  add constraint grants_status_check check (
    status in ('pending', 'active', 'declined', 'revoked', 'withdrawn', 'lapsed')),
  add constraint grants_within_request check (requested_scopes is null or scopes <@ requested_scopes),
  add constraint grants_open_give_nothing
    check (status <> 'pending' or requested_scopes is null or scopes = '{}'),
  add constraint grants_decided_by_person check ((decided_by is null) = (decided_at is null));
create index on auth.grants (organization);

create function auth.belongs_to_integration(of_integration text, of_person text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from members
    where integration = of_integration and person = of_person and removed_at is null)
$$;
revoke execute on function auth.belongs_to_integration from public;

create function auth.refuse_own_decision() returns trigger language plpgsql
  set search_path = auth, pg_temp as $$
begin
  if new.decided_by = new.requested_by
     or belongs_to_integration(new.integration, new.decided_by) then
    raise exception 'who belongs to an integration may not decide its grant'
      using errcode = 'check_violation';
  end if;
  return new;
end $$;
revoke execute on function auth.refuse_own_decision() from public;
create trigger refuse_own_decision before insert or update of decided_by on auth.grants
  for each row when (new.decided_by is not null) execute function auth.refuse_own_decision();

-- A clinic has one open request or grant of an integration; one that lapsed makes room.
create function auth.request_grant(new_id text, of_integration text, of_organization text,
    wanted text[], for_note text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null and (cardinality(wanted) = 0 or not wanted <@ all_scopes()) then
    refusal := 'unknown_scope';
  elsif refusal is null and not exists (select from organizations
     where id = of_organization and sandbox_of is null and status = 'active') then
    refusal := 'unknown_organization';
  end if;
  if refusal is null then
    update grants set status = 'lapsed', ended_at = lapses_at
     where integration = of_integration and organization = of_organization and mode = 'live'
       and status = 'pending' and lapses_at <= clock_timestamp();
    insert into grants (id, integration, organization, mode, scopes, status, requested_scopes,
                        requested_by, note, lapses_at)
    values (new_id, of_integration, of_organization, 'live', '{}', 'pending', wanted,
            act ->> 'person', nullif(for_note, ''), clock_timestamp() + interval '30 days')
    on conflict do nothing;
    if not found then refusal := 'already_requested'; end if;
  end if;
  return record_act(act, 'requestGrant', 'live', of_integration, null, new_id, refusal);
end $$;

create function auth.withdraw_grant(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update grants set status = 'withdrawn', ended_by = act ->> 'person', ended_at = clock_timestamp()
     where id = old_id and integration = of_integration and status = 'pending'
       and lapses_at > clock_timestamp();
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'withdrawGrant', 'live', of_integration, null, old_id, refusal);
end $$;

-- `given` null: declined. The integration's row is locked, as changes of its members lock it, so
-- that the person who decides does not become a member meanwhile.
create function auth.decide_grant(old_id text, given text[], for_note text, act jsonb)
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
  end if;
  return record_act(act, case when given is null then 'declineGrant' else 'approveGrant' end, 'live',
                    asked.integration, null, old_id, refusal);
end $$;

create function auth.revoke_grant(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare ended grants; refusal text;
begin
  if not exists (select from persons where id = act ->> 'person' and disabled_at is null) then
    refusal := 'unknown_person';
  else
    update grants set status = 'revoked', ended_by = act ->> 'person', ended_at = clock_timestamp()
     where id = old_id and mode = 'live' and status = 'active' returning * into ended;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'revokeGrant', 'live', ended.integration, null, old_id, refusal);
end $$;

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('request_grant', 'withdraw_grant', 'decide_grant', 'revoke_grant') loop
    execute format('revoke execute on function %s from public', made);
  end loop;
end $$;
-- Deciding and revoking are the operator's.
grant execute on function auth.request_grant, auth.withdraw_grant to app_auth;
