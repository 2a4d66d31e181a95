-- How many realtime connections an integration has in a mode, over all gateways. A gateway reports
-- its number when a connection begins or ends, and again every few seconds, so the connections of a
-- dead gateway stop counting when its row expires. Unlogged: after a crash of PostgreSQL the table
-- is empty, and the gateways report again.

create unlogged table public.realtime_connections (
  mode text not null check (mode in ('test', 'live')),
  integration text collate "C" not null,
  gateway text collate "C" not null,
  connections int not null check (connections > 0),
  expires_at timestamptz not null,
  primary key (mode, integration, gateway)
) with (fillfactor = 60, autovacuum_vacuum_scale_factor = 0.01);

-- Sets how many connections of an integration a gateway has. False, and nothing is changed, when
-- the total would exceed `most`; a number lower than before is never refused.
create function public.reserve_realtime_connections(
    in_mode text, whose text, at text, wanted int, most int, seconds int)
  returns boolean
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
declare
  own int;
  others int;
begin
  -- One call at a time for each integration, so that each sees what the one before wrote.
  perform pg_advisory_xact_lock(hashtextextended(in_mode || ' ' || whose, 727275));
  delete from realtime_connections
   where mode = in_mode and integration = whose
     and (expires_at <= clock_timestamp() or (gateway = at and wanted <= 0));
  if wanted <= 0 then return true; end if;
  select coalesce(sum(connections) filter (where gateway = at), 0),
         coalesce(sum(connections) filter (where gateway <> at), 0) into own, others
    from realtime_connections where mode = in_mode and integration = whose;
  if wanted > own and wanted + others > most then return false; end if;
  insert into realtime_connections
  values (in_mode, whose, at, wanted, clock_timestamp() + seconds * interval '1 s')
  on conflict (mode, integration, gateway)
  do update set connections = excluded.connections, expires_at = excluded.expires_at;
  return true;
end $$;
revoke execute on function public.reserve_realtime_connections from public;
