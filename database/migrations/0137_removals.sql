-- The removal of documents by the console: the document, the list of it in its case, and its bytes.
create policy console_update on live.files for update to app_console
  using (live.is_console_tenant(tenant));
grant update (status, filename, removal_reason, removal_asked_by, removal_asked_by_name,
              removal_asked_at, removed_by, removed_by_name, removed_at)
  on live.files to app_console;
grant update (files) on live.cases to app_console;
create policy console_insert on live.discarded_objects for insert to app_console
  with check (live.is_console_tenant(tenant));
grant insert on live.discarded_objects to app_console;
