-- As in 0034, when a visit is destroyed.
create index concurrently notes_tenant_visit_idx on records.notes (tenant, visit)
 where visit is not null;
