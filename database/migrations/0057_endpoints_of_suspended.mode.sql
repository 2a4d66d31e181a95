-- An integration that is suspended or closed is sent nothing: its endpoints are disabled in the same
-- transaction, and the worker fails what waits for them. Its credentials cannot do that themselves
-- any longer, and a clinic's grant may never have let them.
create policy closing on webhook_endpoints to current_user using (true);

create function disable_endpoints() returns trigger language plpgsql security definer
  set search_path = {mode}, pg_temp as $$
begin
  update webhook_endpoints
     set status = 'disabled', disabled_at = new.suspended_at,
         updated_at = greatest(updated_at, new.suspended_at)
   where status = 'enabled' and tenant in (select id from tenants where integration = new.id);
  return null;
end $$;
revoke execute on function disable_endpoints from public;
create trigger disable_endpoints_{mode} after update of suspended_at on auth.integrations
  for each row when (old.suspended_at is null and new.suspended_at is not null)
  execute function disable_endpoints();
