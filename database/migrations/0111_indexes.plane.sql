-- Two sweeps whose indexes no plan took up (gateway/server/indexes.test.ts).

-- Whose turn it is among endpoints is asked with a moment that is not known when the statement is
-- planned, and of everything that is due: the few rows of lanes are read as they lie. Without this
-- index a lane that moves on is written in place.
drop index delivery_lanes_next_due_idx;

-- Either of two reasons for a file to go made both be looked for from end to end, once a minute.
-- Deleting a patient removes its files; what is written for it in that very instant is found here.
create index on patients (deleted_at) where deleted_at is not null;

create or replace function sweep_files(batch int) returns bigint language plpgsql volatile
  security definer as $$
declare
  expired bigint;
  orphaned bigint;
begin
  delete from files where ctid = any (array(
    select f.ctid from files f where f.expires_at <= now() limit batch for update skip locked));
  get diagnostics expired = row_count;
  delete from files where ctid = any (array(
    select f.ctid from patients p join files f on f.stream = p.stream and f.patient = p.id
     where p.deleted_at > now() - interval '7 days'
     limit batch for update of f skip locked));
  get diagnostics orphaned = row_count;
  return expired + orphaned;
end $$;
do $$
begin
  execute format('alter function %1$I.sweep_files set search_path = %1$I, pg_temp',
                 current_schema());
end $$;
