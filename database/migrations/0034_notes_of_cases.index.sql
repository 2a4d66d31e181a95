-- The foreign keys of notes are checked when a case is destroyed, without reading all notes of the
-- tenant.
create index concurrently notes_tenant_case_idx on records.notes (tenant, "case")
 where "case" is not null;
