-- What is due is claimed for many endpoints at once: two statements a claim instead of several for each
-- endpoint. Endpoints queue by the moment at which their turn came, so whoever was served goes behind
-- those that wait. A turn is several deliveries long, because it costs as much for one.

-- Those whose turn has come are found without a look at the others, and slow ones apart from the rest:
-- however many of them wait, they hide nobody.
create index in_line on delivery_lanes (slow, next_due) where next_due < 'infinity';
alter table delivery_lanes drop column served_at;

-- More is due than it has slots: its turn comes when an attempt has ended. Whoever records one need not
-- look for what else is due, past all that was.
alter table delivery_lanes add column waits boolean not null default false;

-- What is under way, beside everything that is due: counted for each claim.
create index under_way on due_deliveries (stream, webhook_endpoint, due_at) where claim is not null;

-- When, after a moment, the next of an endpoint's deliveries is due or its lease over.
create function due_after(moment timestamptz, own bigint, endpoint text) returns timestamptz
  language sql stable as $$
  select coalesce(least(
    (select min(due_at) from due_deliveries
      where stream = own and webhook_endpoint = endpoint and not retry and due_at > moment),
    (select min(due_at) from due_deliveries
      where stream = own and webhook_endpoint = endpoint and retry and due_at > moment)), 'infinity')
$$;

-- Sixteen characters of an id, from the system's generator: each of 64 digits stands for one of 32.
create or replace function random_half() returns text language plpgsql volatile as $$
declare
  drawn constant bytea := uuid_send(gen_random_uuid());
begin
  -- Without the two bytes that say what kind of a UUID it is.
  return translate(encode(substr(drawn, 1, 6) || substr(drawn, 10, 6), 'base64'),
                   'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
                   '0123456789abcdefghjkmnpqrstvwxyz0123456789abcdefghjkmnpqrstvwxyz');
end $$;

-- `free` deliveries at most, of slow endpoints no more than `slow_free`, with what an attempt needs to
-- know. Of an endpoint that is gone there is no url, and of an event that is gone no `event_id`.
drop function claim_deliveries(int, int, text, timestamptz, interval);
create function claim_deliveries(
    free int, slow_free int, claimed_as text, moment timestamptz, lease interval)
  returns table (
    own bigint, delivery text, claims int2, attempt int2, event text, event_type text,
    event_stream bigint, webhook_endpoint text, slow boolean, integration text, organization text,
    url text, secret text, previous_secret text, include_resource boolean, scopes text[],
    event_id text, created_at timestamptz, resource_type text, resource_id text, status text,
    previous_status text)
  language plpgsql volatile
  -- Everything below is looked up by key, whatever the planner knows of tables that grow and shrink.
  set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off
  set enable_material = off set enable_bitmapscan = off
as $$
#variable_conflict use_column
declare
  -- The least that a turn may take, where more than one wait.
  turn constant int := 4;
  places tid[];
  streams bigint[];
  endpoints text[];
  slots int2[];
  slows boolean[];
  slow_count int;
begin
  -- The rows of lanes stay locked, so slots hold across any number of workers; nobody waits for them.
  with quick as materialized (
    select l.ctid as place, l.stream, l.webhook_endpoint, l.slots, l.slow, l.next_due
      from delivery_lanes l
     where not l.slow and l.next_due <= moment and l.next_due < 'infinity'
       and (select w.status from webhook_endpoints w
             where w.stream = l.stream and w.id = l.webhook_endpoint) = 'enabled'
     order by l.next_due limit free for no key update of l skip locked
  ), slow as materialized (
    select l.ctid as place, l.stream, l.webhook_endpoint, l.slots, l.slow, l.next_due
      from delivery_lanes l
     where l.slow and l.next_due <= moment and l.next_due < 'infinity'
       and (select w.status from webhook_endpoints w
             where w.stream = l.stream and w.id = l.webhook_endpoint) = 'enabled'
     order by l.next_due limit slow_free for no key update of l skip locked
  )
  select array_agg(x.place), array_agg(x.stream), array_agg(x.webhook_endpoint), array_agg(x.slots),
         array_agg(x.slow), count(*) filter (where x.slow)
    into places, streams, endpoints, slots, slows, slow_count
    from (select * from quick union all select * from slow order by next_due) x;
  if places is null then return; end if;

  -- A statement of its own, which sees what was made due until the lanes were locked; what is made due
  -- from here on rings them again.
  return query
  with roomy as materialized (
    select x.*, x.slots - (
             select count(*)::int from due_deliveries d
              where d.stream = x.stream and d.webhook_endpoint = x.webhook_endpoint
                and d.claim is not null and d.due_at > moment) as room,
           case when x.slow then (slow_free + slow_count - 1) / slow_count
                else greatest(turn, free / cardinality(places)) end as share
      from unnest(places, streams, endpoints, slots, slows) with ordinality
             as x (place, stream, webhook_endpoint, slots, slow, n)
  ), waiting as materialized (
    -- One more than may be taken, to know whether that was all; first attempts before retries.
    select r.n, r.place, r.slow, r.room, least(r.room, r.share) as want,
           case when r.room > 0 then
             array(select d.ctid from due_deliveries d
                    where d.stream = r.stream and d.webhook_endpoint = r.webhook_endpoint
                      and not d.retry and d.due_at <= moment
                    order by d.due_at limit least(r.room, r.share) + 1)
             || array(select d.ctid from due_deliveries d
                       where d.stream = r.stream and d.webhook_endpoint = r.webhook_endpoint
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
    returning p.n, d.stream, d.delivery, d.claims, d.webhook_endpoint
  ), served as (
    update delivery_lanes l
       set waits = a.room <= 0 or a.take >= a.room and cardinality(a.line) > a.take,
           next_due = case
             when a.room <= 0 or a.take >= a.room and cardinality(a.line) > a.take then moment + lease
             when cardinality(a.line) > a.take then moment
             else least(due_after(moment, l.stream, l.webhook_endpoint),
                        case when a.take > 0 then moment + lease end) end
      from allowed a
     where l.ctid = a.place
       -- Those that were not reached keep their place in the line.
       and (a.take > 0 or a.room <= 0 or a.line = '{}')
  )
  select c.stream, c.delivery, c.claims, d.attempt, d.event, d.event_type, d.event_stream,
         c.webhook_endpoint, slows[c.n], own.integration, s.organization, w.url, w.secret,
         case when w.previous_secret_expires_at > moment then w.previous_secret end,
         w.include_resource,
         case when w.include_resource then coalesce((
           select g.scopes from auth.grants g
            where g.integration = own.integration and g.organization = s.organization
              and g.status = 'active'), '{}') end,
         e.id, e.created_at, e.resource_type, e.resource_id, e.status, e.previous_status
    from claimed c
   -- `offset 0`: one by one, by the whole key.
   cross join lateral (
     select x.attempt, x.event, x.event_type, x.event_stream from deliveries x
      where x.stream = c.stream and x.id = c.delivery offset 0) d
    join streams own on own.id = c.stream
    left join streams s on s.id = d.event_stream
    left join lateral (
      select x.url, x.secret, x.previous_secret, x.previous_secret_expires_at, x.include_resource
        from webhook_endpoints x
       where x.stream = c.stream and x.id = c.webhook_endpoint offset 0) w on true
    left join lateral (
      select x.id, x.created_at, x.resource_type, x.resource_id, x.status, x.previous_status
        from events x
       where x.stream = d.event_stream and x.id = d.event and s.retired_at is null offset 0) e on true;
end $$;
