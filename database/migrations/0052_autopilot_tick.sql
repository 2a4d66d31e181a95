-- What the worker needs to play the sandbox's clinician and pharmacy by the clock (contract/06,
-- section 7). It finds what is due in every stream by one function, and moves each row in the stream
-- that it opened for it, as the gateway would.

-- Which worker has a minute: the one whose write of it came first.
create table public.ticks (
  job text primary key,
  minute timestamptz not null
);
grant select, insert, update on public.ticks to svc_worker_test;

-- What was due at a moment, a page at a time: the case, the step, and for a parcel the orders that
-- take it. What is made or moved after that moment is not in it, however often it is asked.
create function test.autopilot_due(moment timestamptz, after_stream bigint, after_case text,
                                   after_step text, batch int)
  returns table (stream bigint, "case" text, step text, orders text[], integration text,
                 organization json)
  language sql stable security definer set search_path = test, pg_temp as $$
  with due as (
    select c.stream, c.id as "case", 'approve' as step, null::text as "order"
      from autopilot a
      join cases c on c.stream = a.stream and c.status in ('queued', 'in_review')
       and c.status_at <= moment - a.approve_after_s * interval '1 s'
       and c.created_at > now() - interval '30 days'
    union all
    select o.stream, o."case", case o.status when 'shipped' then 'deliver' else 'ship' end, o.id
      from autopilot a
      join orders o on o.stream = a.stream and o.status in ('created', 'at_pharmacy', 'shipped')
       and o.status_at <= moment - a.ship_after_s * interval '1 s'
       and o.created_at > now() - interval '30 days'
  )
  select d.stream, d."case", d.step, array_remove(array_agg(d."order"), null), s.integration,
         (select row_to_json(o) from auth.organizations o where o.id = s.organization)
    from due d join streams s on s.id = d.stream and s.retired_at is null
   where (d.stream, d."case", d.step) > (after_stream, after_case, after_step)
   group by d.stream, d."case", d.step, s.integration, s.organization
   order by d.stream, d."case", d.step
   limit batch
$$;
revoke execute on function test.autopilot_due from public;
grant execute on function test.autopilot_due to svc_worker_test;

do $$
declare
  tenant text;
begin
  foreach tenant in array array['cases', 'orders', 'prescriptions', 'patients'] loop
    execute format('create policy autopilot on test.%I for update to svc_worker_test
                      using (stream = public.opened_stream())', tenant);
    execute format('grant update on test.%I to svc_worker_test', tenant);
  end loop;
  foreach tenant in array array['orders', 'prescriptions', 'events', 'outbox'] loop
    execute format('create policy autopilot_adds on test.%I for insert to svc_worker_test
                      with check (stream = public.opened_stream())', tenant);
    execute format('grant insert on test.%I to svc_worker_test', tenant);
  end loop;
end $$;
grant usage on schema audit to svc_worker_test;
grant insert on audit.entries to svc_worker_test;
