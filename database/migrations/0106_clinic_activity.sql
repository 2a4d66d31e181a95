-- What the staff of a clinic did, read from the audit itself: who saw which patient, when and by which
-- operation. The audit has no index by caller, because every call would pay for it; these hold the
-- calls of the console alone, which are few.
create index entries_of_clinic on audit.entries (organization, at, seq) where surface = 'console';
create index entries_of_staff on audit.entries (organization, person, at, seq)
  where surface = 'console';
create index entries_of_target on audit.entries (organization, target, at, seq)
  where surface = 'console';

-- Of the organization that is set, newest first, each with the name of the member of staff. `targets`
-- null: whatever was named. `before`: those older than that row. Only conditions that are given are
-- part of the statement, so that each combination is planned for its index.
create function audit.clinic_activity(of_person text, targets text[], since timestamptz,
    until timestamptz, before bigint, most int)
  returns table (seq bigint, at timestamptz, person text, name text, action text, target text,
                 integration text, outcome text, code text, address text)
  language plpgsql stable security definer set search_path = audit, pg_temp as $$
begin
  return query execute
    'select e.seq, e.at, e.person, s.name, e.action, e.target, e.integration, e.outcome, e.code,
            e.address
       from audit.entries e
       left join auth.staff s on s.organization = e.organization and s.person = e.person
      where e.surface = ''console'' and e.organization = $1'
    || case when of_person is null then '' else ' and e.person = $2' end
    || case when targets is null then '' else ' and e.target = any ($3)' end
    || case when since is null then '' else ' and e.at >= $4' end
    || case when until is null then '' else ' and e.at < $5' end
    || case when before is null then ''
            else ' and (e.at, e.seq) < (select b.at, b.seq from audit.entries b where b.seq = $6)' end
    || ' order by e.at desc, e.seq desc limit $7'
    using public.current_organization(), of_person, targets, since, until, before, most;
end $$;
revoke execute on function audit.clinic_activity from public;
grant execute on function audit.clinic_activity to app_console;
