-- The request log: each integration's calls, projected from the audit log by a worker job. The
-- audit log itself has no index by caller, because it would slow down every call. A row belongs to
-- the integration's own tenant, and includes the call's organization. Rows are kept for thirty days
-- in either mode: each day is a partition, which is dropped as a whole. A row includes the call's
-- OAuth client and the person it acts for, so an agent's actions can be found after its tokens are
-- gone. It also has the shape of the call's body, from the audit log, and the events that the call
-- caused, which include the id of their request.

create table requests (
  tenant bigint not null,
  id text collate "C" not null,
  organization text collate "C", -- null: refused before it was resolved
  credential text collate "C",
  surface text not null,
  operation text not null,
  method text not null,
  path text not null, -- the route's template
  target text collate "C",
  status int2 not null,
  code text,
  replayed boolean not null,
  duration_ms int not null,
  created_at timestamptz(3) not null, -- the id's time: when the request arrived
  shape json, -- names and types as in the audit log; null if no body was read
  events json, -- the id and type of each event it caused; null: none
  client text collate "C", -- null: a key
  person text collate "C", -- null: a key, or a confidential client
  primary key (tenant, id)
) partition by range (id);
create index on requests (tenant, operation, id);
create index on requests (tenant, credential, id);
create index on requests (tenant, id) where code is not null;
create index on requests (tenant, client, id) where client is not null;
create index on requests (tenant, target, id) where target is not null;
alter table requests enable row level security;
alter table requests force row level security;
create policy tenant on requests to app_{mode}
  using (tenant = (select integration_tenant()) and created_at > now() - interval '30 days');
create policy owner on requests to current_user using (true);
grant select on requests to app_{mode};

create trigger count_operation_uses after insert on requests
  referencing new table as added for each statement execute function auth.count_operation_uses();
-- Each hour's calls by status class, counted as they are projected into the request log, so a chart
-- doesn't read a whole day's calls.

create table request_counts (
  tenant bigint not null,
  hour timestamptz(0) not null,
  organization text collate "C" not null, -- '': refused before it was resolved
  answered int not null,
  refused int not null,
  failed int not null,
  primary key (tenant, hour, organization)
);
alter table request_counts enable row level security;
alter table request_counts force row level security;
create policy tenant on request_counts to app_{mode}
  using (tenant = (select integration_tenant()) and hour > now() - interval '30 days');
create policy owner on request_counts to current_user using (true);
grant select on request_counts to app_{mode};

create function count_requests() returns trigger language plpgsql
  set search_path = {mode}, pg_temp as $$
begin
  insert into request_counts as c (tenant, hour, organization, answered, refused, failed)
  select tenant, date_trunc('hour', created_at, 'UTC'), coalesce(organization, ''),
         count(*) filter (where status < 400),
         count(*) filter (where status between 400 and 499),
         count(*) filter (where status >= 500)
    from added group by 1, 2, 3
      on conflict (tenant, hour, organization) do update set
         answered = c.answered + excluded.answered,
         refused = c.refused + excluded.refused,
         failed = c.failed + excluded.failed;
  return null;
end $$;
revoke execute on function count_requests from public;
create trigger counted after insert on requests referencing new table as added
  for each statement execute function count_requests();

-- How far the audit log has been projected: every row of transactions before `upper`. An audit
-- signature covers its rows in the same order (audit.unsigned_entries).
create table request_log (
  one boolean primary key default true check (one),
  upper xid8 not null,
  lowest_seq bigint not null, -- the last batch's lowest; a later row's seq is barely lower, if at all
  -- The audit log's sequence and the next transaction, as last read. While the sequence is
  -- unchanged and every transaction before `seen_xid` is projected, no new row can have become
  -- visible.
  seen_seq bigint not null default 0,
  seen_xid xid8 not null default '0'
);
insert into request_log (upper, lowest_seq)
  select pg_snapshot_xmin(pg_current_snapshot()), coalesce((select max(seq) from audit.entries), 0);
alter table request_log enable row level security;

-- The time in an id: the inverse of `ulid`. A single expression is ten times as fast as a loop.
create function moment_of(id text) returns timestamptz language sql immutable parallel safe
  return to_timestamp((
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 1, 1)) - 1)::bigint << 45) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 2, 1)) - 1)::bigint << 40) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 3, 1)) - 1)::bigint << 35) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 4, 1)) - 1)::bigint << 30) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 5, 1)) - 1)::bigint << 25) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 6, 1)) - 1)::bigint << 20) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 7, 1)) - 1)::bigint << 15) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 8, 1)) - 1)::bigint << 10) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 9, 1)) - 1)::bigint << 5) |
    ((strpos('0123456789abcdefghjkmnpqrstvwxyz', substr(id, strpos(id, '_') + 10, 1)) - 1)::bigint << 0)
  ) / 1000.0);

-- Creates a day's partition if it doesn't exist. Rows are read through the parent table, which has
-- the policy.
create function create_request_partition(day date) returns void language plpgsql volatile
  set search_path = {mode}, pg_temp as $$
declare
  name constant text := 'requests_' || to_char(day, 'YYYYMMDD');
  starts constant timestamptz := day::timestamp at time zone 'utc';
begin
  if to_regclass('{mode}.' || name) is not null then return; end if;
  execute format('create table %I partition of requests for values from (%L) to (%L)', name,
                 public.ulid('req', starts, ''), public.ulid('req', starts + interval '1 day', ''));
  execute format('alter table %I enable row level security', name);
  execute format('alter table %I force row level security', name);
end $$;
revoke execute on function create_request_partition from public;

-- Creates tomorrow's partition ahead of time, and drops partitions whose rows can no longer be
-- read. A reader's lock blocks a drop, so this waits briefly, then leaves the partition to the next
-- run.
create function keep_request_partitions() returns int language plpgsql volatile security definer
  set search_path = {mode}, pg_temp set lock_timeout = '2s' as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  old text;
  dropped int := 0;
begin
  perform from request_log for update;
  perform create_request_partition(today), create_request_partition(today + 1);
  delete from request_counts where hour < now() - interval '30 days';
  for old in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
     where i.inhparent = 'requests'::regclass
       and c.relname < 'requests_' || to_char(today - 30, 'YYYYMMDD')
  loop
    execute format('drop table %I', old);
    dropped := dropped + 1;
  end loop;
  return dropped;
end $$;
revoke execute on function keep_request_partitions from public;
grant execute on function keep_request_partitions to app_worker_{mode};

-- Projects about `batch` audit rows, and returns how many. Only one worker does this at a time, and
-- everything commits with the new position, so a worker's death never skips or repeats a row.
-- `operations` are the audit actions that are API calls, with their routes.
create function project_requests(operations json, batch int) returns int language plpgsql volatile
  security definer set search_path = {mode}, pg_temp as $$
declare
  today constant date := (now() at time zone 'utc')::date;
  log request_log;
  head bigint;
  ended xid8;
  entries audit.entries[];
  day date;
begin
  select * into log from request_log for update skip locked;
  if not found then return 0; end if;
  -- Reads the sequence before the next statement takes its snapshot, so that snapshot includes the
  -- transaction of each row up to `head`.
  select last_value into head from audit.entries_seq_seq;
  if head = log.seen_seq and log.upper >= log.seen_xid then return 0; end if;
  select pg_snapshot_xmin(s), pg_snapshot_xmax(s) into ended, log.seen_xid
    from pg_current_snapshot() s;
  -- Whole, ended transactions, in order.
  select coalesce(array_agg(e), '{}') into entries from (
    select e from audit.entries e
     where e.seq > log.lowest_seq - 20000 and e.xid >= log.upper and e.xid < ended
     order by e.xid fetch first batch rows with ties) next;

  for day in
    select distinct (moment_of(x.request) at time zone 'utc')::date from unnest(entries) x
     where x.mode = '{mode}' and x.integration is not null and x.request like 'req~_%' escape '~'
  loop
    if day between today - 30 and today + 1 then perform create_request_partition(day); end if;
  end loop;

  insert into requests (tenant, id, organization, credential, surface, operation, method, path,
                        target, status, code, replayed, duration_ms, created_at, shape, events,
                        client, person)
  select own.id, x.request, x.organization, x.actor, x.surface, x.action, o.method, o.path, x.target,
         x.status, x.code, x.outcome = 'replayed',
         greatest(0, least(extract(epoch from x.at - x.arrived) * 1000, 2147483647))::int, x.arrived,
         x.shape::json,
         case when o.method <> 'GET' and x.outcome = 'ok' then (
           select json_agg(row_to_json(y)) from (
             select e.id, e.type from events e join tenants s on s.id = e.tenant
              where e.request = x.request and s.integration = x.integration order by e.id) y) end,
         x.client, x.person
    -- `offset 0` makes the planner compute the time once per row.
    from (select y.*, moment_of(y.request) as arrived from unnest(entries) y
           where y.mode = '{mode}' and y.surface in ('rest', 'mcp')
             and y.request like 'req~_%' escape '~' offset 0) x
    join json_to_recordset(operations) as o (operation text, method text, path text)
      on o.operation = x.action
    join tenants own on own.integration = x.integration and own.organization is null
     and own.retired_at is null
   where (x.arrived at time zone 'utc')::date between today - 30 and today + 1
      -- Keeps the first row of a request that was retried after a lost connection.
   order by x.seq
      on conflict do nothing;

  update request_log r set
    upper = case when cardinality(entries) < batch then ended
                 else ((select max(x.xid)::text::bigint + 1 from unnest(entries) x)::text)::xid8 end,
    lowest_seq = greatest(r.lowest_seq, (select min(x.seq) from unnest(entries) x)),
    seen_seq = case when cardinality(entries) < batch then head else 0 end,
    seen_xid = log.seen_xid;
  return cardinality(entries);
end $$;
revoke execute on function project_requests from public;
grant execute on function project_requests to app_worker_{mode};
