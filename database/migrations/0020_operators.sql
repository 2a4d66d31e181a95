-- An operator's emergency access to one clinic's rows: one person requests it with a reason,
-- another approves, and a role that reads only that clinic exists for an hour. Only the command in
-- auth/operators/ calls these functions, as the owner. It reads the clinic's rows with the new
-- role.

create table auth.operators (
  person text collate "C" primary key references auth.persons,
  added_at timestamptz(3) not null default clock_timestamp(),
  removed_at timestamptz(3)
);

create table auth.operator_accesses (
  id text collate "C" primary key,
  organization text collate "C" not null references auth.organizations,
  reason text not null check (char_length(reason) between 10 and 500),
  asked_by text collate "C" not null references auth.operators,
  asked_at timestamptz(3) not null default clock_timestamp(),
  approved_by text collate "C" references auth.operators check (approved_by <> asked_by),
  approved_at timestamptz(3),
  ends_at timestamptz(3) check (ends_at <= approved_at + interval '1 hour'),
  ended_at timestamptz(3), -- if ended early
  role name unique,
  role_removed_at timestamptz(3),
  check (num_nulls(approved_by, approved_at, ends_at, role) in (0, 4))
);
grant select on auth.operator_accesses to app_auth;

-- The full text of each statement. Its audit row has the digest, which a signature covers.
create table audit.statements (
  id text collate "C" primary key,
  access text collate "C" not null references auth.operator_accesses,
  at timestamptz(3) not null default clock_timestamp(),
  statement text not null check (char_length(statement) between 1 and 20000)
);
create trigger never_changed before update or delete on audit.statements
  for each row execute function audit.refuse_change();
create trigger never_truncated before truncate on audit.statements
  for each statement execute function audit.refuse_change();

-- The operator's declaration of how the volume and backups are encrypted, which a database can't
-- check. Live mode requires a declaration, and each one is kept.
create table auth.encryption_statements (
  id bigint generated always as identity primary key,
  stated_at timestamptz(3) not null default clock_timestamp(),
  stated_by text not null check (char_length(stated_by) between 2 and 500),
  volume text not null check (char_length(volume) between 10 and 500),
  backups text not null check (char_length(backups) between 10 and 500)
);
create trigger never_changed before update or delete on auth.encryption_statements
  for each row execute function audit.refuse_change();
grant select on auth.encryption_statements to app_live, app_auth;

-- Operators ---------------------------------------------------------------------------------------

create function auth.is_operator(of_person text) returns boolean language sql volatile
  set search_path = auth, pg_temp as $$
  select exists (select from operators o join persons p on p.id = o.person and p.disabled_at is null
                  where o.person = of_person and o.removed_at is null)
$$;

-- The command itself may name the first two operators; after that, only an operator may name
-- another.
create function auth.change_operator(of_person text, is_added boolean, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare refusal text;
begin
  lock table operators in share row exclusive mode;
  if (select count(*) from operators where removed_at is null) >= 2
     and not is_operator(act ->> 'person') then refusal := 'operator_required';
  elsif is_added then
    insert into operators as o (person) values (of_person)
    on conflict (person) do update set removed_at = null, added_at = clock_timestamp()
     where o.removed_at is not null;
  else
    update operators set removed_at = clock_timestamp()
     where person = of_person and removed_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, case when is_added then 'addOperator' else 'removeOperator' end, 'live',
                    null, null, of_person, refusal);
end $$;

-- Temporary roles ---------------------------------------------------------------------------------

create function auth.ask_operator_access(new_id text, of_organization text, for_reason text,
    act jsonb)
  returns text language plpgsql set search_path = auth, pg_temp as $$
declare refusal text;
begin
  if not is_operator(act ->> 'person') then refusal := 'operator_required';
  elsif not exists (select from organizations where id = of_organization and sandbox_of is null) then
    refusal := 'unknown_organization';
  else
    insert into operator_accesses (id, organization, reason, asked_by)
    values (new_id, of_organization, for_reason, act ->> 'person');
  end if;
  return record_act(act, 'askOperatorAccess', 'live', null, null, new_id, refusal);
end $$;

-- Called by an operator other than the requester. A request lapses after a day. The clinic's
-- administrators are emailed.
create function auth.approve_operator_access(old_id text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare refusal text; asked operator_accesses;
begin
  select * into asked from operator_accesses where id = old_id for update;
  if not found or asked.approved_at is not null or asked.ended_at is not null
     or asked.asked_at < clock_timestamp() - interval '1 day' then refusal := 'not_found';
  elsif not is_operator(act ->> 'person') or not is_operator(asked.asked_by) then
    refusal := 'operator_required';
  elsif asked.asked_by = act ->> 'person' then refusal := 'own_request';
  end if;
  if refusal is null then
    asked.role := 'app_operator_' || right(old_id, 26);
    asked.approved_at := clock_timestamp();
    asked.ends_at := asked.approved_at + interval '1 hour';
    update operator_accesses a
       set approved_by = act ->> 'person', approved_at = asked.approved_at,
           ends_at = asked.ends_at, role = asked.role
     where a.id = old_id;
    -- The role has no password until the operator opens the access.
    execute format('create role %I login valid until %L in role app_operator', asked.role,
                   asked.ends_at);
    execute format('alter role %I set default_transaction_read_only = on', asked.role);
    execute format('alter role %I set statement_timeout = %L', asked.role, '60s');
    perform site.queue_person_email('operator_access_approved', jsonb_build_object(
        'email', p.email, 'ends_at', public.iso(asked.ends_at),
        'organization_id', asked.organization,
        'organization', (select o.name from organizations o where o.id = asked.organization),
        'asked_by', (select a.name from persons a where a.id = asked.asked_by),
        'approved_by', (select a.name from persons a where a.id = act ->> 'person')))
      from staff s join persons p on p.id = s.person and p.disabled_at is null
     where s.organization = asked.organization and 'admin' = any (s.roles)
       and s.removed_at is null;
  end if;
  return record_act(act || jsonb_build_object('organization', asked.organization),
                    'approveOperatorAccess', 'live', null, null, old_id, refusal);
end $$;

-- Why the person can't currently read with this access; null if they can. Locks the access.
create function auth.refuse_operator_access(old_id text, of_person text) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare asked operator_accesses;
begin
  select * into asked from operator_accesses where id = old_id for update;
  return case
    when not found or asked.asked_by is distinct from of_person or not is_operator(of_person)
      then 'not_found'
    when asked.approved_at is null then 'not_approved'
    when asked.ended_at is not null or asked.ends_at <= clock_timestamp() then 'ended'
  end;
end $$;

-- Sets the role's password to the given verifier; null removes it.
create function auth.open_operator_role(old_id text, verifier text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare refusal text := refuse_operator_access(old_id, act ->> 'person'); asked operator_accesses;
begin
  select * into asked from operator_accesses where id = old_id;
  if refusal is null then
    execute format('alter role %I password %L', asked.role, verifier);
  end if;
  return record_act(act || jsonb_build_object('organization', asked.organization),
    case when verifier is null then 'closeOperatorAccess' else 'openOperatorAccess' end, 'live',
    null, null, old_id, refusal);
end $$;

-- Called before a statement runs, in a separate transaction, so failed statements are recorded too.
create function auth.record_operator_statement(new_id text, old_id text, of_statement text, act jsonb)
  returns text language plpgsql set search_path = auth, pg_temp as $$
declare refusal text := refuse_operator_access(old_id, act ->> 'person'); clinic text;
begin
  select organization into clinic from operator_accesses where id = old_id;
  if refusal is not null then
    return record_act(act || jsonb_build_object('organization', clinic), 'readRowsOfClinic', 'live',
                      null, null, old_id, refusal);
  end if;
  insert into audit.statements (id, access, statement) values (new_id, old_id, of_statement);
  insert into audit.entries (mode, organization, actor, person, surface, action, target, outcome,
                             status, request, shape)
  values ('live', clinic, act ->> 'person', act ->> 'person', act ->> 'surface', 'readRowsOfClinic',
          new_id, 'ok', 200, act ->> 'request',
          encode(sha256(convert_to(of_statement, 'utf8')), 'hex'));
  return null;
end $$;

-- Removes the roles and sessions of ended accesses. The worker and the command call it.
create function auth.remove_operator_roles() returns int language plpgsql security definer
  set search_path = auth, pg_temp as $$
declare gone operator_accesses; removed int := 0;
begin
  for gone in select * from operator_accesses
     where role is not null and role_removed_at is null
       and (ended_at is not null or ends_at <= clock_timestamp())
     for update skip locked
  loop
    if exists (select from pg_roles where rolname = gone.role) then
      execute format('alter role %I nologin password null', gone.role);
      begin
        perform pg_terminate_backend(pid) from pg_stat_activity where usename = gone.role;
      exception when insufficient_privilege then null; -- the role can no longer read rows anyway
      end;
      execute format('drop role %I', gone.role);
    end if;
    update operator_accesses set role_removed_at = clock_timestamp() where id = gone.id;
    removed := removed + 1;
  end loop;
  return removed;
end $$;

create function auth.end_operator_access(old_id text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare refusal text; clinic text;
begin
  update operator_accesses set ended_at = clock_timestamp()
   where id = old_id and ended_at is null and coalesce(ends_at > clock_timestamp(), true)
  returning organization into clinic;
  if not found then refusal := 'not_found'; end if;
  perform remove_operator_roles();
  return record_act(act || jsonb_build_object('organization', clinic), 'endOperatorAccess', 'live',
                    null, null, old_id, refusal);
end $$;

-- Access of the role ------------------------------------------------------------------------------

-- The tenants that the session may read. Uses the role that logged in, which a statement can't
-- change.
create function live.operator_tenants() returns bigint[] language sql stable security definer
  set search_path = live, pg_temp
  return array(select t.id from live.tenants t
                 join auth.operator_accesses a on a.organization = t.organization
                where a.role = session_user and a.ended_at is null
                  and a.ends_at > clock_timestamp());

do $$
declare made text;
begin
  foreach made in array array['patients', 'consents', 'cases', 'messages', 'prescriptions', 'orders',
                              'visits', 'files', 'events'] loop
    execute format($p$create policy operator on live.%I for select to app_operator
      using (tenant = any ((select live.operator_tenants())::bigint[]))$p$, made);
    execute format('grant select on live.%I to app_operator', made);
  end loop;
end $$;
create policy operator on live.tenants for select to app_operator
  using (id = any ((select live.operator_tenants())::bigint[]));
grant select on live.tenants to app_operator;

-- Returns one query's rows. Embedded in another query, the statement can't be two statements, or
-- change the role or the transaction.
create function live.read_rows(statement text) returns setof json language plpgsql stable as $$
begin
  return query execute format(E'select row_to_json(r) from (%s\n) r limit 1000', statement);
end $$;

revoke execute on function auth.is_operator, auth.change_operator, auth.ask_operator_access,
  auth.approve_operator_access, auth.refuse_operator_access, auth.open_operator_role,
  auth.record_operator_statement, auth.remove_operator_roles, auth.end_operator_access from public;
revoke execute on function live.operator_tenants, live.read_rows from public;
grant execute on function live.operator_tenants, live.read_rows to app_operator;
grant execute on function auth.remove_operator_roles to app_worker_live;
