-- The row of an export says for thirty days that there was one. In test every row ends so; in live
-- the sweep of exports ends these, and whatever bundle is still named goes with its row.

create or replace function sweep_exports(batch int) returns bigint language plpgsql volatile security definer as $$
declare
  gone bigint;
  past bigint;
  ended bigint;
begin
  delete from exports where ctid = any (array(
    select e.ctid from exports e
     where exists (select from patients p
                    where p.stream = e.stream and p.id = e.patient and p.deleted_at is not null)
     limit batch for update of e skip locked));
  get diagnostics gone = row_count;
  delete from exports where ctid = any (array(
    select ctid from exports where created_at <= now() - interval '30 days'
     limit batch for update skip locked));
  get diagnostics past = row_count;
  update exports set object = null where ctid = any (array(
    select ctid from exports where object is not null and expires_at <= now() - interval '1 hour'
     limit batch for update skip locked));
  get diagnostics ended = row_count;
  return gone + past + ended;
end $$;

do $$
declare
  plane constant text := current_schema();
begin
  execute format('alter function %I.sweep_exports set search_path = %I, pg_temp', plane, plane);
  -- The sandbox's end gave test an index of its own.
  if plane = 'live' then
    execute format('create index on %I.exports using brin (created_at)', plane);
  end if;
end $$;
