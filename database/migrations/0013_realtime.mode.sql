-- Realtime: the connection quota of this mode, and what an external realtime provider was sent.

-- Each gateway's role counts in its own mode alone.
create function reserve_connections(whose text, at text, wanted int, most int, seconds int)
  returns boolean language sql volatile security definer set search_path = {mode}, pg_temp
  as $$ select public.reserve_realtime_connections('{mode}', whose, at, wanted, most, seconds) $$;
revoke execute on function reserve_connections from public;
grant execute on function reserve_connections to app_{mode};

-- Up to which event of each tenant the provider was sent messages. Only the dispatcher and the
-- worker use it, and it holds nothing but ids of events.
create table realtime_cursors (
  of_tenant bigint primary key,
  published text collate "C" not null, -- the last event that was published
  latest text collate "C" not null,    -- the last event that is to be
  attempts int2 not null default 0,    -- since the last one that succeeded
  due_at timestamptz not null default now() -- moved on while a worker is publishing
) with (fillfactor = 40, autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_cost_delay = 0);
create index on realtime_cursors (due_at) where latest > published;
alter table realtime_cursors enable row level security;
alter table realtime_cursors force row level security;
create policy worker on realtime_cursors to app_worker_{mode} using (true);
grant select, insert, update, delete on realtime_cursors to app_worker_{mode};

-- Which revocations the provider was sent, by the id of the key or the grant.
create table realtime_revocations (
  of_grant_or_key text collate "C" primary key,
  sent_at timestamptz not null default now()
);
alter table realtime_revocations enable row level security;
alter table realtime_revocations force row level security;
create policy worker on realtime_revocations to app_worker_{mode} using (true);
create policy owner on realtime_revocations to current_user using (true);
grant select, insert on realtime_revocations to app_worker_{mode};

-- The keys whose tokens the provider still has to end, and why: the key was revoked, expired or its
-- integration suspended within the life of a token, or a clinic revoked the integration's grant.
create function tokens_to_revoke(life interval, out why text, out credential text)
  returns setof record language sql stable security definer set search_path = {mode}, pg_temp as $$
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
revoke execute on function tokens_to_revoke from public;
grant execute on function tokens_to_revoke to app_worker_{mode};
