-- A delivery gets its row with the result of its first attempt, so that most are written once.
-- Until then it is the due delivery that was claimed as it was made, which says what the row will.

alter table due_deliveries
  -- Of a delivery that has no row yet; null when it has one.
  add column event text collate "C", add column event_tenant bigint, add column event_type text,
  add column created_at timestamptz(3),
  add check (num_nulls(event, event_tenant, event_type, created_at) in (0, 4)),
  -- So `claimed_deliveries` finds these few, however many wait.
  add check (event is null or claim is not null and not retry);

-- As those of reset sandboxes that have a row: hidden from the commit of the reset on.
create policy not_reset on due_deliveries as restrictive for select to app_test -- only test
  using (event is null or event_tenant = any ((select integration_tenants())::bigint[])); -- only test

-- Every delivery. Reads that may show one whose first attempt is under way read this.
create view all_deliveries with (security_invoker) as
  select tenant, id, event, event_tenant, event_type, webhook_endpoint, redelivery, status, attempt,
         http_status, latency_ms, error, next_attempt_at, last_attempt_at, created_at, replay
    from deliveries
  union all
  select tenant, delivery, event, event_tenant, event_type, webhook_endpoint, false, 'pending',
         0::int2, null::int2, null::int, null::text, created_at, null::timestamptz(3), created_at,
         null::text collate "C"
    from due_deliveries where event is not null and claim is not null;
grant select on all_deliveries to app_{mode}, app_worker_{mode};

-- As before, and a delivery that has no row yet is read from what is due.
create or replace function claim_deliveries(
    free int, slow_free int, claimed_as text, moment timestamptz, lease interval)
  returns table (
    own bigint, delivery text, claims int2, attempt int2, event text, event_type text,
    event_tenant bigint, webhook_endpoint text, slow boolean, integration text, organization text,
    url text, secret text, previous_secret text, include_resource boolean, scopes text[],
    event_id text, created_at timestamptz, resource_type text, resource_id text, status text,
    previous_status text)
  language plpgsql volatile
  -- Everything below is looked up by key, whatever the statistics of tables that grow and shrink
  -- say.
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  -- How many deliveries of an endpoint a claim takes at least: several cost no more than one.
  slice constant int := 4;
  places tid[];
  tenants bigint[];
  endpoints text[];
  slots int2[];
  slows boolean[];
  slow_count int;
begin
  -- The rows of the queues stay locked, so the slots hold across any number of workers; a worker
  -- skips the queues that another one has locked.
  with quick as materialized (
    select q.ctid as place, q.tenant, q.webhook_endpoint, q.slots, q.slow, q.next_due
      from endpoint_queues q
     where not q.slow and q.next_due <= moment and q.next_due < 'infinity'
       and (select w.status from webhook_endpoints w
             where w.tenant = q.tenant and w.id = q.webhook_endpoint) = 'enabled'
     order by q.next_due limit free for no key update of q skip locked
  ), slow as materialized (
    select q.ctid as place, q.tenant, q.webhook_endpoint, q.slots, q.slow, q.next_due
      from endpoint_queues q
     where q.slow and q.next_due <= moment and q.next_due < 'infinity'
       and (select w.status from webhook_endpoints w
             where w.tenant = q.tenant and w.id = q.webhook_endpoint) = 'enabled'
     order by q.next_due limit slow_free for no key update of q skip locked
  )
  select array_agg(x.place), array_agg(x.tenant), array_agg(x.webhook_endpoint), array_agg(x.slots),
         array_agg(x.slow), count(*) filter (where x.slow)
    into places, tenants, endpoints, slots, slows, slow_count
    from (select * from quick union all select * from slow order by next_due) x;
  if places is null then return; end if;

  -- A second statement, which sees what became due until the queues were locked; what becomes due
  -- from here on makes their queues due again. Materialized, because rows locked under a limit
  -- would be picked anew each time a plan read the subquery again.
  return query
  with roomy as materialized (
    select x.*, x.slots - (
             select count(*)::int from due_deliveries d
              where d.tenant = x.tenant and d.webhook_endpoint = x.webhook_endpoint
                and d.claim is not null and d.due_at > moment) as room,
           case when x.slow then (slow_free + slow_count - 1) / slow_count
                else greatest(slice, free / cardinality(places)) end as share
      from unnest(places, tenants, endpoints, slots, slows) with ordinality
             as x (place, tenant, webhook_endpoint, slots, slow, n)
  ), waiting as materialized (
    -- One more than may be taken, to know whether that was all; first attempts before retries.
    select r.n, r.place, r.slow, r.room, least(r.room, r.share) as want,
           case when r.room > 0 then
             array(select d.ctid from due_deliveries d
                    where d.tenant = r.tenant and d.webhook_endpoint = r.webhook_endpoint
                      and not d.retry and d.due_at <= moment
                    order by d.due_at limit least(r.room, r.share) + 1)
             || array(select d.ctid from due_deliveries d
                       where d.tenant = r.tenant and d.webhook_endpoint = r.webhook_endpoint
                         and d.retry and d.due_at <= moment
                       order by d.due_at limit least(r.room, r.share) + 1)
           else '{}' end as line
      from roomy r
  ), allowed as materialized (
    -- Slow ones within their share, and then all together within what is free.
    select a.n, a.place, a.slow, a.room, a.line, greatest(0, least(
             a.want, free - coalesce(sum(a.want) over (
               order by a.n rows between unbounded preceding and 1 preceding), 0)))::int as take
      from (select w.n, w.place, w.slow, w.room, w.line,
                   case when w.slow then greatest(0, least(
                     least(w.want, cardinality(w.line)),
                     slow_free - coalesce(sum(least(w.want, cardinality(w.line))) filter (where w.slow)
                       over (order by w.n rows between unbounded preceding and 1 preceding), 0)))
                   else least(w.want, cardinality(w.line)) end as want
              from waiting w) a
  ), picked as materialized (
    select a.n, d.ctid as place
      from allowed a cross join lateral unnest(a.line[1:a.take]) as l (place)
      join due_deliveries d on d.ctid = l.place
       for update of d skip locked
  ), claimed as (
    update due_deliveries d
       set claim = claimed_as, claims = d.claims + 1, due_at = moment + lease
      from picked p where d.ctid = p.place
    returning p.n, d.tenant, d.delivery, d.claims, d.webhook_endpoint, d.event, d.event_type,
              d.event_tenant
  ), served as (
    update endpoint_queues q
       set is_full = a.room <= 0 or a.take >= a.room and cardinality(a.line) > a.take,
           next_due = case
             when a.room <= 0 or a.take >= a.room and cardinality(a.line) > a.take then moment + lease
             when cardinality(a.line) > a.take then moment
             else due_after(moment, q.tenant, q.webhook_endpoint) end
      from allowed a
     where q.ctid = a.place
       -- Those that got nothing because nothing was free keep their position.
       and (a.take > 0 or a.room <= 0 or a.line = '{}')
  )
  select c.tenant, c.delivery, c.claims, d.attempt, d.event, d.event_type, d.event_tenant,
         c.webhook_endpoint, slows[c.n], own.integration, t.organization, w.url, w.secret,
         case when w.previous_secret_expires_at > moment then w.previous_secret end,
         w.include_resource,
         case when w.include_resource then coalesce((
           select g.scopes from auth.grants g
            where g.integration = own.integration and g.organization = t.organization
              and g.status = 'active'), '{}') end,
         e.id, e.created_at, e.resource_type, e.resource_id, e.status, e.previous_status
    from claimed c
   -- `offset 0`: one by one, by the whole key.
   cross join lateral (
     select 0::int2 as attempt, c.event, c.event_type, c.event_tenant where c.event is not null
     union all
     (select x.attempt, x.event, x.event_type, x.event_tenant from deliveries x
       where c.event is null and x.tenant = c.tenant and x.id = c.delivery offset 0)) d
    join tenants own on own.id = c.tenant
    left join tenants t on t.id = d.event_tenant
    left join lateral (
      select x.url, x.secret, x.previous_secret, x.previous_secret_expires_at, x.include_resource
        from webhook_endpoints x
       where x.tenant = c.tenant and x.id = c.webhook_endpoint offset 0) w on true
    left join lateral (
      select x.id, x.created_at, x.resource_type, x.resource_id, x.status, x.previous_status
        from events x
       where x.tenant = d.event_tenant and x.id = d.event and t.retired_at is null offset 0) e on true;
end $$;

-- The queues of endpoints change in functions, whose statements are short: a row that changed since
-- the calling statement began is looked at again by starting the whole plan of its statement once
-- more, and that of a dispatch or a record costs more than its rows.

-- Locks the queues of endpoints, in the order that they are given in, and returns them as they are
-- then, with how many attempts are in progress; nulls for an endpoint that is gone.
create function lock_queues(tenants bigint[], endpoints text[], counts int[], moment timestamptz)
  returns table (tenant bigint, webhook_endpoint text, many int, slots int, slow boolean,
                 is_full boolean, next_due timestamptz, in_progress int)
  language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform from unnest(tenants, endpoints) with ordinality as e (tenant, endpoint, n)
    join endpoint_queues q on q.tenant = e.tenant and q.webhook_endpoint = e.endpoint
   order by e.n for no key update of q;
  return query
    select e.tenant, e.endpoint, e.many, q.slots::int, q.slow, q.is_full, q.next_due,
           (select count(*)::int from due_deliveries d
             where d.tenant = e.tenant and d.webhook_endpoint = e.endpoint and d.claim is not null
               and d.due_at > moment)
      from unnest(tenants, endpoints, counts) with ordinality as e (tenant, endpoint, many, n)
      left join endpoint_queues q on q.tenant = e.tenant and q.webhook_endpoint = e.endpoint
     order by e.n;
end $$;
drop function deliveries_in_progress;

-- Locks the queues of endpoints that exist, and changes them by what attempts led to: how many
-- failed, how many succeeded since the last failure, when the next retry is due, and whether the
-- last one was slow. The due time of a queue may only become earlier; only a claim makes it later,
-- because this may miss deliveries that became due since.
create function note_results(tenants bigint[], endpoints text[], bad int[], good int[],
                             retry_at timestamptz[], slow boolean[], moment timestamptz,
                             slots_min int, slots_max int, to_grow int)
  returns table (tenant bigint, webhook_endpoint text, is_due boolean)
  language plpgsql volatile as $$
#variable_conflict use_column
begin
  perform from unnest(tenants, endpoints) with ordinality as e (tenant, endpoint, n)
    join endpoint_queues q on q.tenant = e.tenant and q.webhook_endpoint = e.endpoint
   order by e.n for no key update of q;
  return query
  with results as materialized (
    select q.ctid as place, q.tenant, q.webhook_endpoint, r.slow, c.slots,
           -- At the most slots there is nothing to grow to, and mostly nothing to change.
           case when c.slots < slots_max then c.successes % to_grow else 0 end as successes,
           -- A queue that waited for a slot is due now, after those that are due already.
           least(q.next_due, r.retry_at, case when q.is_full then moment end) as next_due
      from unnest(tenants, endpoints, bad, good, retry_at, slow)
             as r (tenant, endpoint, bad, good, retry_at, slow)
      join endpoint_queues q on q.tenant = r.tenant and q.webhook_endpoint = r.endpoint
     cross join lateral (
       select x.successes, least(greatest(q.slots >> r.bad, slots_min) + x.successes / to_grow,
                                 slots_max) as slots
         from (select case when r.bad > 0 then r.good else q.successes + r.good end as successes) x
     ) c
  ), changed as (
    update endpoint_queues q
       set slow = r.slow, successes = r.successes, slots = r.slots, next_due = r.next_due,
           is_full = false
      from results r
     where q.ctid = r.place
       and (q.slow, q.successes, q.slots, q.next_due, q.is_full)
           is distinct from (r.slow, r.successes, r.slots, r.next_due, false)
  )
  select r.tenant, r.webhook_endpoint, r.next_due <= moment from results r;
end $$;
