-- An addendum counts as activity, so a record isn't destroyed just after it was amended.
-- compatible with 0022

-- As in 0018, with the addenda.
create or replace function records.last_activity(of_tenant bigint, of_patient text)
  returns timestamptz language sql stable
  return (select greatest(p.updated_at, p.deleted_at,
    (select max(created_at) from live.consents where tenant = of_tenant and patient = of_patient),
    (select max(updated_at) from live.cases where tenant = of_tenant and patient = of_patient),
    (select max(m.created_at) from live.cases c
       join live.messages m on m.tenant = c.tenant and m."case" = c.id
      where c.tenant = of_tenant and c.patient = of_patient),
    (select max(updated_at) from live.prescriptions
      where tenant = of_tenant and patient = of_patient),
    (select max(updated_at) from live.orders where tenant = of_tenant and patient = of_patient),
    (select max(greatest(updated_at, ends_at)) from live.visits
      where tenant = of_tenant and patient = of_patient),
    (select max(created_at) from live.files where tenant = of_tenant and patient = of_patient),
    (select max(updated_at) from records.notes where tenant = of_tenant and patient = of_patient),
    (select max(a.created_at) from records.notes n
       join records.addenda a on a.tenant = n.tenant and a.note = n.id
      where n.tenant = of_tenant and n.patient = of_patient),
    (select max(created_at) from records.disclosures
      where tenant = of_tenant and patient = of_patient))
    from live.patients p where p.tenant = of_tenant and p.id = of_patient);
