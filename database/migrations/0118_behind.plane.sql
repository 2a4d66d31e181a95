-- What the worker and the callers ask of the whole plane, and get an answer to without seeing it.
--
-- Whether deliveries are behind: then nobody may ask for more of them (contract/12, section 11). The
-- oldest row of the outbox says how late the dispatcher is; how many wait is what the planner believes.
create function deliveries_behind(late interval, many bigint) returns boolean language sql stable
  security definer as $$
  select coalesce((select clock_timestamp() - created_at > late from outbox order by id limit 1), false)
      or (select reltuples > many from pg_class where oid = 'due_deliveries'::regclass)
$$;

-- Whose realtime tokens another provider has to end: keys that were revoked, ran out or were suspended
-- while a token of theirs may live, and those of an integration from which a clinic took its grant
-- back. What it was told is remembered by the id of the key or the grant.
create table realtime_revocations (
  of_grant_or_key text collate "C" primary key,
  told_at timestamptz not null default now()
);
alter table realtime_revocations enable row level security;
alter table realtime_revocations force row level security;

create function tokens_to_revoke(life interval, out why text, out credential text)
  returns setof record language sql stable security definer as $$
  with ended as (
    select k.id as why, k.id as credential
      from auth.keys k join auth.integrations i on i.id = k.integration
     where k.mode = current_schema()
       and (k.revoked_at > now() - life or i.suspended_at > now() - life
            or k.expires_at between now() - life and now())
    union all
    select g.id, k.id from auth.grants g
      join auth.keys k on k.integration = g.integration and k.mode = g.mode and k.revoked_at is null
       and (k.organization is null or k.organization = g.organization)
     where g.mode = current_schema() and g.status = 'revoked'
  )
  select e.why, e.credential from ended e
   where not exists (select from realtime_revocations r where r.of_grant_or_key = e.why)
   order by e.why, e.credential limit 100
$$;

do $$
declare
  plane constant text := current_schema();
  worker constant text := 'svc_worker_' || current_schema();
begin
  execute format('alter function %1$I.deliveries_behind set search_path = %1$I, pg_temp', plane);
  execute format('alter function %1$I.tokens_to_revoke set search_path = %1$I, pg_temp', plane);
  execute format('revoke execute on function %1$I.deliveries_behind, %1$I.tokens_to_revoke from public',
                 plane);
  execute format('grant execute on function %I.deliveries_behind to %I', plane, 'svc_' || plane);
  execute format('grant execute on function %I.tokens_to_revoke to %I', plane, worker);
  execute format('create policy worker on %I.realtime_revocations to %I using (true)', plane, worker);
  execute format('grant select, insert on %I.realtime_revocations to %I', plane, worker);
  execute format('create policy house on %I.realtime_revocations to %I using (true)', plane,
                 current_user);
  if not exists (select from pg_policies where schemaname = plane and tablename = 'outbox'
                    and policyname = 'house') then
    execute format('create policy house on %I.outbox to %I using (true)', plane, current_user);
  end if;
end $$;
