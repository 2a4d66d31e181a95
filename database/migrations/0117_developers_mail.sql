-- Developers are told by mail when the first event of a row could not be delivered, at the tenth, and
-- when their endpoint is disabled (contract/12, section 9). An integration has one address for it, or
-- none. The worker finds whom to tell; the site's queue of mail, which it sees nothing of, does the rest.

alter table auth.integrations add column developers_email text
  check (developers_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(developers_email) <= 254);

alter table site.mail drop constraint mail_audience_check,
  add constraint mail_audience_check check (audience in ('buyer', 'sales', 'developers'));

-- Queues a mail to whoever builds an integration; false where nobody is to be told.
create function site.tell_developers(mail text, of_integration text, about text, what text, more jsonb)
  returns boolean language plpgsql volatile security definer set search_path = site, pg_temp as $$
declare
  address text;
begin
  select developers_email into address from auth.integrations where id = of_integration;
  if address is null then return false; end if;
  insert into site.mail (id, subject, audience, kind, sequence, facts)
  select mail, about, 'developers', what, coalesce(max(m.sequence), 0) + 1,
         more || jsonb_build_object('email', address)
    from site.mail m where m.subject = about and m.audience = 'developers';
  return true;
end $$;
revoke execute on function site.tell_developers from public;
grant usage on schema site to svc_worker_test, svc_worker_live;
grant execute on function site.tell_developers to svc_worker_test, svc_worker_live;

do $$
declare
  plane text;
  worker text;
begin
  foreach plane in array array['test', 'live'] loop
    worker := 'svc_worker_' || plane;
    -- How many failed events in a row the developers were told of. A row of them begins anew with new
    -- rows here, so that nothing has to be remembered when one ends.
    execute format('alter table %I.failed_events add column told int2 not null default 0', plane);
    execute format('grant update (told) on %I.failed_events to %I', plane, worker);
    -- Under the lock of the endpoint's lane, as failed events are counted.
    execute format($f$
      create function %1$I.failures_to_tell(several int, disabling int, many int,
                                            out endpoint text, out kind text, out mailed boolean)
        returns setof record language plpgsql volatile set search_path = %1$I, public, pg_temp as $t$
      #variable_conflict use_column
      declare
        one record;
        failed int;
        known int;
        reached int;
      begin
        for one in
          select f.stream, f.webhook_endpoint, own.integration, w.url, w.status
            from failed_events f
            join webhook_endpoints w on w.stream = f.stream and w.id = f.webhook_endpoint
            join streams own on own.id = f.stream
           group by f.stream, f.webhook_endpoint, own.integration, w.url, w.status
          having max(f.told) < case when count(*) >= disabling and w.status = 'disabled' then disabling
                                    when count(*) >= several then several else 1 end
           order by f.stream, f.webhook_endpoint limit many
        loop
          perform from delivery_lanes l
            where l.stream = one.stream and l.webhook_endpoint = one.webhook_endpoint
              for no key update skip locked;
          continue when not found;
          select count(*), max(f.told) into failed, known from failed_events f
           where f.stream = one.stream and f.webhook_endpoint = one.webhook_endpoint;
          reached := case when failed = 0 then 0
                          when failed >= disabling and one.status = 'disabled' then disabling
                          when failed >= several then several else 1 end;
          continue when reached <= coalesce(known, 0);
          update failed_events f set told = reached
           where f.stream = one.stream and f.webhook_endpoint = one.webhook_endpoint;
          endpoint := one.webhook_endpoint;
          kind := case reached when disabling then 'endpoint_disabled' when several then 'events_failing'
                               else 'event_failed' end;
          mailed := site.tell_developers(
            ulid('mail', clock_timestamp(), random_half()), one.integration, one.webhook_endpoint, kind,
            jsonb_build_object('mode', '%1$s', 'failed', failed,
                               'host', substring(one.url from '^https://([^/?#]+)')));
          return next;
        end loop;
      end $t$ $f$, plane);
  end loop;
end $$;
