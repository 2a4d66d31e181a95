-- The queue of an endpoint is due when its next delivery is that no worker holds. Until here it was
-- also due at the end of every lease, so each delivery had its endpoint claimed once more after
-- thirty seconds, for nothing. What a dead worker held is found by its lease instead
-- (clinical/webhooks/delivery/claim.ts).

-- When, after a given time, the next of an endpoint's deliveries is due that no worker holds.
create or replace function due_after(moment timestamptz, own bigint, endpoint text) returns timestamptz
  language sql stable as $$
  select coalesce(least(
    (select min(due_at) from due_deliveries
      where tenant = own and webhook_endpoint = endpoint and not retry and due_at > moment
        and claim is null),
    (select min(due_at) from due_deliveries
      where tenant = own and webhook_endpoint = endpoint and retry and due_at > moment
        and claim is null)), 'infinity')
$$;

-- As before, and an endpoint whose deliveries were all claimed is due when the next one is.
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
    returning p.n, d.tenant, d.delivery, d.claims, d.webhook_endpoint
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
     select x.attempt, x.event, x.event_type, x.event_tenant from deliveries x
      where x.tenant = c.tenant and x.id = c.delivery offset 0) d
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

-- As before, found by the tenants that are named: the fences keep the planner from looking at every
-- integration first.
create or replace function followed_tenants(of_tenants bigint[])
  returns table (tenant bigint, own bigint, integration text, organization text, ahead interval,
                 last timestamptz, realtime boolean, start text)
  language sql stable
begin atomic
  select s.id, own.id, s.integration, s.organization, s.ahead, s.last, own.realtime,
         ulid('evt', date_trunc('milliseconds', f.since) + s.ahead, '')
    from (
      select t.id, t.integration, t.organization, t.last, t.ahead_ms * interval '1 ms' as ahead
        from tenants t
       where t.id = any (of_tenants) and t.organization is not null and t.retired_at is null
      offset 0) s
   cross join lateral (
      select t.id, t.realtime_from, coalesce(t.realtime_until > now(), false) as realtime
        from tenants t
       where t.integration = s.integration and t.organization is null and t.retired_at is null
      offset 0) own
   cross join lateral (
      select least((select min(w.listens_from) from webhook_endpoints w
                     where w.tenant = own.id and w.status = 'enabled'),
                   case when own.realtime then own.realtime_from end) as since
      offset 0) f
   where f.since is not null;
end;
