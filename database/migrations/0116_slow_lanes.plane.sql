-- A thousand endpoints that hang keep nobody waiting. What slow endpoints may not have was asked of each
-- one that came up, and those that came up are the ones served longest ago: so many slow ones, none of
-- which was served, stood before everybody else. Now no more of them come up than may be served.
--
-- And an endpoint is taken for a slow one until it has answered once in time: a thousand that nobody
-- knows may not have all of a worker's connections for the fifteen seconds that it takes to know them.

alter table delivery_lanes alter column slow set default true;

create or replace function claim_deliveries(free int, slow_free int, claimed_as text, moment timestamptz,
                                 lease interval, out stream bigint, out delivery text)
  returns setof record language plpgsql volatile as $$
#variable_conflict use_column
declare
  lane record;
  ready int;
  share int;
  room int;
  want int;
  got int;
begin
  select (select count(*) from (
    select from delivery_lanes l
      join webhook_endpoints w on w.stream = l.stream and w.id = l.webhook_endpoint
     where l.next_due <= moment and w.status = 'enabled' and not l.slow limit free) quick)
    + (select count(*) from (
    select from delivery_lanes l
      join webhook_endpoints w on w.stream = l.stream and w.id = l.webhook_endpoint
     where l.next_due <= moment and w.status = 'enabled' and l.slow limit slow_free) slow)
    into ready;
  if ready = 0 then return; end if;
  share := greatest(1, free / ready);
  for lane in
    select l.stream, l.webhook_endpoint, l.slots, l.slow from delivery_lanes l
      join webhook_endpoints w on w.stream = l.stream and w.id = l.webhook_endpoint
     where l.next_due <= moment and w.status = 'enabled'
       and (not l.slow or (l.stream, l.webhook_endpoint) in (
         select s.stream, s.webhook_endpoint from delivery_lanes s
           join webhook_endpoints e on e.stream = s.stream and e.id = s.webhook_endpoint
          where s.slow and s.next_due <= moment and e.status = 'enabled'
          order by s.served_at limit slow_free))
     order by l.served_at limit 2 * free for no key update of l skip locked
  loop
    exit when free <= 0;
    continue when lane.slow and slow_free <= 0;
    select lane.slots - count(*) into room from due_deliveries d
     where d.stream = lane.stream and d.webhook_endpoint = lane.webhook_endpoint
       and d.claim is not null and d.due_at > moment;
    want := least(share, room, free, case when lane.slow then slow_free else free end);
    got := 0;
    if want > 0 then
      return query
        with picked as materialized (
          select p.stream, p.delivery from due_deliveries p
           where p.stream = lane.stream and p.webhook_endpoint = lane.webhook_endpoint
             and p.due_at <= moment
           order by p.retry, p.due_at limit want for update skip locked)
        update due_deliveries d set claim = claimed_as, claims = d.claims + 1, due_at = moment + lease
          from picked
         where d.stream = picked.stream and d.delivery = picked.delivery
        returning d.stream, d.delivery;
      get diagnostics got = row_count;
    end if;
    free := free - got;
    if lane.slow then slow_free := slow_free - got; end if;
    -- With every slot taken, it is its turn again when an attempt has ended.
    update delivery_lanes l
       set served_at = moment,
           next_due = case when room <= got then moment + lease
                           else first_due(l.stream, l.webhook_endpoint) end
     where l.stream = lane.stream and l.webhook_endpoint = lane.webhook_endpoint;
  end loop;
end $$;
