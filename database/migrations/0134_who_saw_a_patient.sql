-- Who saw a patient: the calls of staff, of the integration with its own credentials, of its members,
-- of agents and of the worker. An index of what calls of live mode named, beside that of the console;
-- a call that names nothing, such as a list, pays nothing for it.
create index entries_of_live_target on audit.entries (target, at, seq)
  where mode = 'live' and surface <> 'console' and target is not null;

create policy console on live.exports for select to app_console
  using (tenant = any ((select live.organization_tenants())::bigint[]));
grant select (tenant, id, patient) on live.exports to app_console;

-- Of the organization that is set, newest first. `before`: those older than that row.
create function audit.accesses(targets text[], since timestamptz, until timestamptz, before bigint,
    most int)
  returns table (seq bigint, at timestamptz, surface text, person text, name text, client text,
                 integration text, action text, target text, outcome text, code text, address text)
  language sql stable security definer set search_path = audit, pg_temp as $$
  with place as (select b.at, b.seq from entries b where b.seq = before),
  found as (
    (select * from entries e
      where e.surface = 'console' and e.organization = public.current_organization()
        and e.target = any (targets) and e.at >= coalesce(since, '-infinity')
        and e.at < coalesce(until, 'infinity')
        and (before is null or (e.at, e.seq) < (select p.at, p.seq from place p)))
    union all
    (select * from entries e
      where e.mode = 'live' and e.surface <> 'console' and e.target = any (targets)
        and e.organization = public.current_organization()
        and e.at >= coalesce(since, '-infinity') and e.at < coalesce(until, 'infinity')
        and (before is null or (e.at, e.seq) < (select p.at, p.seq from place p)))
  )
  select f.seq, f.at, f.surface, f.person, coalesce(s.name, p.name), c.name, i.name, f.action,
         f.target, f.outcome, f.code, f.address
    from (select * from found order by at desc, seq desc limit most) f
    left join auth.staff s on f.surface = 'console' and s.organization = f.organization
     and s.person = f.person
    left join auth.persons p on p.id = f.person
    left join auth.clients c on c.id = f.client
    left join auth.integrations i on i.id = f.integration
   order by f.at desc, f.seq desc
$$;
revoke execute on function audit.accesses from public;
grant execute on function audit.accesses to app_console;
