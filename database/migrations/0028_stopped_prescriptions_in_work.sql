-- Staff who watch the order board see that a prescription stopped. Stopping changes no order, so the
-- board's mark didn't change.
-- compatible with 0022

-- How many of a clinic's prescriptions wait for a person.
create function auth.stopped_prescriptions(of_organization text) returns int
  language sql stable security definer set search_path = auth, pg_temp as $$
  select count(*)::int from pharmacy.transmissions t
   where t.organization = of_organization and t.status = 'stopped'
$$;
revoke execute on function auth.stopped_prescriptions from public;
grant execute on function auth.stopped_prescriptions to app_auth;

-- As in 0016, but the mark of 'orders' also changes with the stopped prescriptions.
create or replace function auth.clinic_work(of_organization text, of_person text, of_states text[], of_list text)
  returns table (open_cases int, open_orders int, grants int, waiting json, mark text)
  language sql stable security definer set search_path = auth, pg_temp as $$
  select (select count(*)::int from (
            select from live.cases c
             where c.organization = of_organization and c.status in ('queued', 'in_review')
               and (of_states is null or (
                 select p.address ->> 'state' from live.patients p
                  where p.tenant = c.tenant and p.id = c.patient) = any (of_states))
             limit 100) c),
         (select count(*)::int from (
            select from live.tenants t join live.orders o on o.tenant = t.id
               and o.status in ('created', 'at_pharmacy', 'blocked')
             where t.organization = of_organization limit 100) o),
         (select count(*)::int from grants g
           where g.organization = of_organization and g.mode = 'live' and g.status = 'pending'
             and g.lapses_at > now()),
         (select coalesce(json_agg(json_build_object('id', v.id, 'starts_at', public.iso(v.starts_at))
                   order by v.starts_at, v.id), '[]')
            from live.visits v join live.room_seats s on s.tenant = v.tenant and s.visit = v.id
             and s.seat = 'patient' and s.seen_at > now() - interval '15 seconds'
           where v.organization = of_organization and v.clinician = of_person
             and v.status in ('scheduled', 'started')
             and not exists (select from live.room_seats c where c.tenant = v.tenant and c.visit = v.id
                  and c.seat = 'clinician' and c.seen_at > now() - interval '15 seconds')),
         case of_list
         when 'cases' then (
           select count(*) || ' ' || coalesce(public.iso(max(c.updated_at)), '')
                  || ' ' || count(*) filter (where c.claimed_until > now())
             from live.cases c where c.organization = of_organization and c.status in (
               'queued', 'in_review', 'waiting_on_patient', 'waiting_on_integration'))
         when 'orders' then (
           select count(*) || ' ' || coalesce(public.iso(max(o.updated_at)), '')
             from live.tenants t join live.orders o on o.tenant = t.id
              and o.status in ('created', 'at_pharmacy', 'blocked')
            where t.organization = of_organization) || (
           select ' ' || count(*) || ' ' || coalesce(public.iso(max(t.status_at)), '')
             from pharmacy.transmissions t
            where t.organization = of_organization and t.status = 'stopped')
         when 'visits' then (
           select count(*) || ' ' || coalesce(public.iso(max(v.updated_at)), '') from live.visits v
            where v.organization = of_organization
              and v.starts_at between now() - interval '1 day' and now() + interval '2 days')
         when 'grants' then (
           select count(*) || ' ' || coalesce(public.iso(max(greatest(g.created_at, g.decided_at, g.ended_at))), '')
             from grants g where g.organization = of_organization and g.mode = 'live')
         end
$$;
