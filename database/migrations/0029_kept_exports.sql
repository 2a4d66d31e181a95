-- "Who saw a patient" must include exports even after the patient is deleted or thirty days have
-- passed, so in live mode an export's row stays with the record. Destroying the records that are
-- due must not end halfway through a batch that's too slow.
-- compatible with 0022

-- Finds the exports of all tables that a patient was in.
grant select (as_of) on live.exports to app_console;

-- Removes the bundles of deleted patients' exports, and other bundles an hour after they expire.
-- Returns how many.
create or replace function live.sweep_exports(batch int) returns bigint language plpgsql volatile
  security definer set search_path = live, pg_temp as $$
declare
  ended bigint;
begin
  with past as (
    update exports set object = null where ctid = any (array(
      select e.ctid from exports e
       where e.object is not null and (e.expires_at <= now() - interval '1 hour' or exists (
               select from patients p
                where p.tenant = e.tenant and p.id = e.patient and p.deleted_at is not null))
       limit batch for update of e skip locked))
    returning tenant, id
  )
  select count(*) into ended from past g
   cross join lateral record_work('expireExport', g.tenant, g.id);
  return ended;
end $$;

-- As in 0018, but it returns after a second, and the next call continues.
create or replace function records.destroy_due(after_tenant bigint, after_patient text, batch int,
    out tenant bigint, out patient text, out destroyed int)
  language plpgsql volatile security definer set search_path = live, pg_temp as $$
declare one record;
begin
  destroyed := 0;
  for one in
    select p.tenant, p.id, p.updated_at <= now() - make_interval(years => r.years) as is_old
      from patients p join tenants t on t.id = p.tenant
      left join auth.retention_policies r
        on r.organization = t.organization and r.starts_at <= now()
     where (p.tenant, p.id) > (after_tenant, after_patient)
     order by p.tenant, p.id limit batch
  loop
    tenant := one.tenant;
    patient := one.id;
    begin
      if one.is_old and records.destroy(one.tenant, one.id) then destroyed := destroyed + 1; end if;
    exception when foreign_key_violation or deadlock_detected then
      -- Something was just added to the record. The next run checks it again, and this run
      -- continues.
      raise warning 'a record was left: %', sqlerrm;
    end;
    exit when clock_timestamp() > statement_timestamp() + interval '1 second';
  end loop;
end $$;
