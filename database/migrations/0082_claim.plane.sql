-- How workers share what is due. A worker claims only what it can start at once: of each endpoint no
-- more than its slots, of slow endpoints together no more than their share, and whoever was served
-- longest ago goes first. The row of a lane is locked while it is looked at, so the slots hold across
-- any number of workers; nobody waits for it.

-- Sixteen characters of an id, from the system's generator.
create function random_half() returns text language sql volatile as $$
  select string_agg(substr('0123456789abcdefghjkmnpqrstvwxyz', (get_byte(u.bytes, i) & 31) + 1, 1), '' order by i)
    from (select uuid_send(gen_random_uuid()) as bytes) u, generate_series(0, 15) i
$$;

alter table due_deliveries alter column claim type text;

drop index due_deliveries_stream_webhook_endpoint_due_at_idx;
create index in_turn on due_deliveries (stream, webhook_endpoint, retry, due_at);

-- When the first of an endpoint's deliveries is due.
create function first_due(own bigint, endpoint text) returns timestamptz language sql stable as $$
  select coalesce(least(
    (select min(due_at) from due_deliveries
      where stream = own and webhook_endpoint = endpoint and not retry),
    (select min(due_at) from due_deliveries
      where stream = own and webhook_endpoint = endpoint and retry)), 'infinity')
$$;

create function claim_deliveries(free int, slow_free int, claimed_as text, moment timestamptz,
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
  select count(*) into ready from (
    select from delivery_lanes l
      join webhook_endpoints w on w.stream = l.stream and w.id = l.webhook_endpoint
     where l.next_due <= moment and w.status = 'enabled' limit free) seen;
  if ready = 0 then return; end if;
  share := greatest(1, free / ready);
  for lane in
    select l.stream, l.webhook_endpoint, l.slots, l.slow from delivery_lanes l
      join webhook_endpoints w on w.stream = l.stream and w.id = l.webhook_endpoint
     where l.next_due <= moment and w.status = 'enabled'
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
        update due_deliveries d set claim = claimed_as, claims = d.claims + 1, due_at = moment + lease
          from (select p.stream, p.delivery from due_deliveries p
                 where p.stream = lane.stream and p.webhook_endpoint = lane.webhook_endpoint
                   and p.due_at <= moment
                 order by p.retry, p.due_at limit want for update skip locked) picked
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
