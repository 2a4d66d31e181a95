-- The request log names the OAuth client of a call and the person that it acts for, so that what an
-- agent did can be found after its tokens are gone.

alter table requests
  add column client text collate "C", -- null: a key
  add column person text collate "C"; -- null: a key, or a client of its own
create index on requests (tenant, client, id) where client is not null;

-- Projects about `batch` rows of the audit, and returns how many it took. Only one worker does it at
-- a time, and all of it commits with the new position, so that no row is missed or doubled wherever a
-- worker dies. `operations` are the actions of the audit that are calls of an API, with their routes.
create or replace function project_requests(operations json, batch int) returns int language plpgsql volatile
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
  -- Before the snapshot of the next statement, so that each row up to `head` is of a transaction that
  -- this snapshot knows.
  select last_value into head from audit.entries_seq_seq;
  if head = log.seen_seq and log.upper >= log.seen_xid then return 0; end if;
  select pg_snapshot_xmin(s), pg_snapshot_xmax(s) into ended, log.seen_xid
    from pg_current_snapshot() s;
  -- Whole transactions in their order, all of which have ended.
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
    -- `offset 0`: the moment is computed once a row.
    from (select y.*, moment_of(y.request) as arrived from unnest(entries) y
           where y.mode = '{mode}' and y.surface in ('rest', 'mcp')
             and y.request like 'req~_%' escape '~' offset 0) x
    join json_to_recordset(operations) as o (operation text, method text, path text)
      on o.operation = x.action
    join tenants own on own.integration = x.integration and own.organization is null
     and own.retired_at is null
   where (x.arrived at time zone 'utc')::date between today - 30 and today + 1
      -- The first row of a request that was tried again after its connection was lost.
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
