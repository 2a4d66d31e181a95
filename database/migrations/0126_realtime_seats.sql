-- How many realtime connections an integration has in a mode, at all gateways together (contract/13,
-- section 3). A gateway says what it has when it lets somebody in or out, and again every few seconds, so
-- what a dead one had is free when that is over. Nothing is written to the log: after a crash of
-- PostgreSQL the table is empty, and the gateways say again what they have.

create unlogged table public.realtime_seats (
  mode text not null check (mode in ('test', 'live')),
  integration text collate "C" not null,
  gateway text collate "C" not null,
  seats int not null check (seats > 0),
  until timestamptz not null,
  primary key (mode, integration, gateway)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01);

-- A gateway has so many of an integration's seats from now on; false when that would be more than there
-- are, and then nothing has changed. Whoever has fewer than before is never refused.
create function public.hold_realtime_seats(plane text, whose text, at text, wanted int, most int, seconds int)
  returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  own int;
  others int;
begin
  -- One after another, and each sees what the one before wrote.
  perform pg_advisory_xact_lock(hashtextextended(plane || ' ' || whose, 727275));
  delete from realtime_seats
   where mode = plane and integration = whose
     and (until <= clock_timestamp() or (gateway = at and wanted <= 0));
  if wanted <= 0 then return true; end if;
  select coalesce(sum(seats) filter (where gateway = at), 0),
         coalesce(sum(seats) filter (where gateway <> at), 0) into own, others
    from realtime_seats where mode = plane and integration = whose;
  if wanted > own and wanted + others > most then return false; end if;
  insert into realtime_seats values (plane, whose, at, wanted, clock_timestamp() + seconds * interval '1 s')
  on conflict (mode, integration, gateway) do update set seats = excluded.seats, until = excluded.until;
  return true;
end $$;
revoke execute on function public.hold_realtime_seats from public;

-- Each gateway's role counts in its own mode alone.
do $$
declare
  plane text;
begin
  foreach plane in array array['test', 'live'] loop
    execute format($f$
      create function %1$I.hold_seats(whose text, at text, wanted int, most int, seconds int)
        returns boolean language sql volatile security definer set search_path = %1$I, pg_temp
        as $t$ select public.hold_realtime_seats(%1$L, whose, at, wanted, most, seconds) $t$;
      revoke execute on function %1$I.hold_seats from public;
      grant execute on function %1$I.hold_seats to %2$I $f$, plane, 'svc_' || plane);
  end loop;
end $$;
