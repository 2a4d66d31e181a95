-- What an operator has to know of the server at three in the morning, and no role of ours may read by
-- itself: who holds back the vacuum, and what of the log has not left the machine. Numbers and names of
-- replicas alone; nothing of what anybody asked. An owner who is no superuser sees what it may see
-- (`grant pg_monitor to` it, and all of it).

create function public.database_health(out oldest_transaction float8, out oldest_xmin bigint,
                                       out archive_failing int, out archive_waits float8)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  -- What this session holds itself ends with this statement.
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start))
                    filter (where backend_type = 'client backend'), 0), max(age(backend_xmin))
    into oldest_transaction, oldest_xmin
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  -- A slot nobody reads and a transaction nobody ends hold it back as well, and have no session.
  select coalesce(greatest(oldest_xmin,
           (select max(greatest(age(xmin), age(catalog_xmin))) from pg_replication_slots),
           (select max(age(transaction)) from pg_prepared_xacts)), 0)
    into oldest_xmin;
  select greatest(oldest_transaction,
           (select extract(epoch from clock_timestamp() - min(prepared)) from pg_prepared_xacts))
    into oldest_transaction;
  if current_setting('archive_mode') = 'off' then return; end if;
  select (last_failed_time > coalesce(last_archived_time, '-infinity'))::int into archive_failing
    from pg_stat_archiver;
  archive_failing := coalesce(archive_failing, 0);
  -- What is ready and not taken lies there with the moment at which it was ready.
  if has_function_privilege('pg_ls_archive_statusdir()', 'execute') then
    select coalesce(max(extract(epoch from clock_timestamp() - modification)), 0) into archive_waits
      from pg_ls_archive_statusdir() where name like '%.ready';
  end if;
end $$;

-- Who reads the log, and how far behind: a replica by what it has not replayed, a slot without one by
-- what is kept for it on the disk.
create function public.replication_lag(out kind text, out name text, out bytes float8)
  returns setof record
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if pg_is_in_recovery() then return; end if;
  return query
    select 'replica', r.application_name, max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn))::float8
      from pg_stat_replication r where r.replay_lsn is not null group by r.application_name
    union all
    select 'slot', s.slot_name::text, pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::float8
      from pg_replication_slots s where not s.active and s.restart_lsn is not null;
end $$;

revoke execute on function public.database_health, public.replication_lag from public;
grant execute on function public.database_health, public.replication_lag
  to svc_worker_test, svc_worker_live;
