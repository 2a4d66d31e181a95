-- Figures about the server for the worker's metrics, which its roles may not read themselves: who
-- holds back the vacuum, and which part of the write-ahead log has not left the machine. Only
-- numbers and names of replicas; no queries. An owner who is no superuser sees what it may see (all
-- of it after `grant pg_monitor to` it).

create function public.database_health(out oldest_transaction float8, out oldest_xmin bigint,
                                       out archive_failing int, out archive_waits float8)
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  -- This session is left out: its own transaction ends with this statement.
  select coalesce(max(extract(epoch from clock_timestamp() - xact_start))
                    filter (where backend_type = 'client backend'), 0), max(age(backend_xmin))
    into oldest_transaction, oldest_xmin
    from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid();
  -- An abandoned replication slot and a prepared transaction hold it back too, without a session.
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
  -- A segment that is ready and not yet archived has a file that was written when it became ready.
  if has_function_privilege('pg_ls_archive_statusdir()', 'execute') then
    select coalesce(max(extract(epoch from clock_timestamp() - modification)), 0) into archive_waits
      from pg_ls_archive_statusdir() where name like '%.ready';
  end if;
end $$;

-- How far behind each reader of the log is: a replica by what it has not replayed, a slot without a
-- reader by what is kept for it on the disk.
create function public.replication_lag(out kind text, out name text, out bytes float8)
  returns setof record
  language plpgsql volatile security definer set search_path = public, pg_temp as $$
begin
  if pg_is_in_recovery() then return; end if;
  return query
    select 'replica', r.application_name,
           max(pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn))::float8
      from pg_stat_replication r where r.replay_lsn is not null group by r.application_name
    union all
    select 'slot', s.slot_name::text, pg_wal_lsn_diff(pg_current_wal_lsn(), s.restart_lsn)::float8
      from pg_replication_slots s where not s.active and s.restart_lsn is not null;
end $$;

revoke execute on function public.database_health, public.replication_lag from public;
grant execute on function public.database_health, public.replication_lag
  to app_worker_test, app_worker_live;
