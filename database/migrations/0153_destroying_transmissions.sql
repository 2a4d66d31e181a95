-- The record of a prescription that was sent to a pharmacy is destroyed with the record of its
-- patient, as in 0133: app_retention may read and delete it.
-- compatible with 0152

grant usage on schema pharmacy to app_retention;
create policy retention on pharmacy.transmissions to app_retention using (true);
grant select, delete on pharmacy.transmissions to app_retention;

-- Destroys one record, unless it changed, is in use, or is kept. The patient and the cases are locked
-- first: what would add to the record waits, or is seen by the look afterwards.
create or replace function records.destroy(of_tenant bigint, of_patient text) returns boolean
  language plpgsql volatile set search_path = live, pg_temp as $$
declare policy record; removed jsonb := '{}'; many bigint; kind text;
begin
  perform from patients where tenant = of_tenant and id = of_patient for update skip locked;
  if not found then return false; end if;
  if (select count(*) from cases where tenant = of_tenant and patient = of_patient) <>
     (select count(*) from (select from cases where tenant = of_tenant and patient = of_patient
                               for update skip locked) locked) then return false; end if;
  select r.years, r.minor_age into policy
    from tenants t join auth.retention_policies r on r.organization = t.organization
    left join auth.clinic_settings s on s.organization = t.organization
    join patients p on p.tenant = t.id and p.id = of_patient
   cross join lateral (select coalesce(s.time_zone, 'America/New_York') as zone) z
   where t.id = of_tenant and r.starts_at <= now()
     and records.kept_by(of_tenant, of_patient) is null
     and records.due_on((records.last_activity(of_tenant, of_patient) at time zone z.zone)::date,
                        p.date_of_birth, r.years, r.minor_age) <= (now() at time zone z.zone)::date;
  if not found then return false; end if;
  delete from messages m using cases c
   where c.tenant = of_tenant and c.patient = of_patient
     and m.tenant = c.tenant and m."case" = c.id;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('messages', many);
  delete from pharmacy.transmissions s using orders o
   where o.tenant = of_tenant and o.patient = of_patient
     and s.tenant = o.tenant and s."order" = o.id;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('transmissions', many);
  foreach kind in array array['orders', 'prescriptions', 'visits', 'files', 'exports', 'cases',
                              'consents', 'idempotency_keys'] loop
    execute format('delete from %I where tenant = $1 and patient = $2', kind)
      using of_tenant, of_patient;
    get diagnostics many = row_count;
    removed := removed || jsonb_build_object(kind, many);
  end loop;
  delete from records.disclosures where tenant = of_tenant and patient = of_patient;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('disclosures', many);
  delete from records.holds where tenant = of_tenant and patient = of_patient;
  get diagnostics many = row_count;
  removed := removed || jsonb_build_object('holds', many);
  delete from patients where tenant = of_tenant and id = of_patient;
  insert into records.destructions (tenant, patient, years, minor_age, rows)
  values (of_tenant, of_patient, policy.years, policy.minor_age, removed);
  perform record_work('destroyRecord', of_tenant, of_patient);
  return true;
end $$;
