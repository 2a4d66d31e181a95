-- Without an agreement in force the deliveries of an integration wait in live mode: a worker that
-- claimed one puts it back where it stood, and its queue is due again when an agreement is accepted.

-- Nothing about who signed.
grant select (integration, terminated_at, ends_at) on auth.agreements to app_worker_live;

-- Puts back what was claimed and must not be sent: nothing is counted, and each is due at the moment
-- at which it was made, so that they leave in that order. The queue is due again at once if an
-- agreement is in force by now, else not at all: an acceptance either waits for the lock of the
-- queue, or has committed, and then the last statement sees it.
create function live.hold_deliveries(tenants bigint[], ids text[], claimed_as text[],
    moment timestamptz) returns void
  language plpgsql volatile set search_path = live, public, pg_temp as $$
begin
  perform from unnest(tenants, ids) with ordinality as h (tenant, id, n)
    join due_deliveries q on q.tenant = h.tenant and q.delivery = h.id
   order by h.n for update of q;
  -- Of a worker that died in the first attempt: it has no row yet.
  insert into deliveries (tenant, id, event, event_tenant, event_type, webhook_endpoint,
                          next_attempt_at, created_at)
  select q.tenant, q.delivery, q.event, q.event_tenant, q.event_type, q.webhook_endpoint,
         q.created_at, q.created_at
    from unnest(tenants, ids, claimed_as) as h (tenant, id, claim)
    join due_deliveries q on q.tenant = h.tenant and q.delivery = h.id and q.claim = h.claim
   where q.event is not null
  on conflict do nothing;
  update due_deliveries q
     set claim = null, claims = greatest(q.claims - 1, 0), event = null, event_tenant = null,
         event_type = null, created_at = null,
         due_at = (select d.created_at from deliveries d
                    where d.tenant = q.tenant and d.id = q.delivery)
    from unnest(tenants, ids, claimed_as) as h (tenant, id, claim)
   where q.tenant = h.tenant and q.delivery = h.id and q.claim = h.claim;
  perform from endpoint_queues q
   where (q.tenant, q.webhook_endpoint) in (
     select d.tenant, d.webhook_endpoint from unnest(tenants, ids) as h (tenant, id)
       join deliveries d on d.tenant = h.tenant and d.id = h.id)
   order by q.tenant, q.webhook_endpoint for no key update;
  update endpoint_queues q
     set is_full = false,
         next_due = case when exists (
             select from tenants t join auth.agreements a on a.integration = t.integration
              where t.id = q.tenant and a.terminated_at is null
                and (a.ends_at is null or a.ends_at > clock_timestamp()))
           then moment else 'infinity' end
   where (q.tenant, q.webhook_endpoint) in (
     select d.tenant, d.webhook_endpoint from unnest(tenants, ids) as h (tenant, id)
       join deliveries d on d.tenant = h.tenant and d.id = h.id);
end $$;
revoke execute on function live.hold_deliveries from public;
grant execute on function live.hold_deliveries to app_worker_live;

create policy releasing on live.endpoint_queues to current_user using (true);

create function live.release_deliveries() returns trigger language plpgsql security definer
  set search_path = live, pg_temp as $$
begin
  perform from endpoint_queues q
   where q.tenant in (select id from tenants where integration = new.integration)
   order by q.tenant, q.webhook_endpoint for no key update;
  update endpoint_queues q set next_due = least(q.next_due, clock_timestamp())
   where q.tenant in (select id from tenants where integration = new.integration);
  return null;
end $$;
revoke execute on function live.release_deliveries from public;
create trigger release_deliveries after insert or update of ends_at, terminated_at on auth.agreements
  for each row
  when (new.terminated_at is null and (new.ends_at is null or new.ends_at > clock_timestamp()))
  execute function live.release_deliveries();
