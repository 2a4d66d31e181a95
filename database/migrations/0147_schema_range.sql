-- Each gateway reports whether it runs on the schema that it finds (database/schema-range.ts). The
-- migrator itself adds the column, before the first migration.
-- compatible with 0139

grant select (name, compatible_with) on public.migrations to app_test;
