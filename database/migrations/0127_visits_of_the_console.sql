-- The clinic moves the visits of its patients in live mode, as the sandbox's controls do in test.

create policy console_update on live.visits for update to app_console
  using (live.is_console_tenant(tenant));
grant update (status, started_at, ended_at, updated_at, starts_at, ends_at, clinician, clinician_name)
  on live.visits to app_console;

-- A completed visit is charged in the same statement.
create policy console_insert on live.charges for insert to app_console
  with check (live.is_console_tenant(tenant));
grant insert on live.charges to app_console;
