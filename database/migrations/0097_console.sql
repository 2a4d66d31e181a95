-- What the console may reach. A session of staff sets the organization on its connection
-- (auth/staff-caller.ts); the console then reads every tenant of that organization, whichever
-- integration it is of, and writes in the one tenant that is set besides. The policies of the API's
-- role are unchanged: an integration sees its own tenant only.

create function public.current_organization() returns text
  language sql stable parallel safe
  return nullif(current_setting('app.organization', true), '');

create policy console on live.tenants for select to app_console using (true);
-- The clock of the tenant that a write is for.
create policy console_clock on live.tenants for update to app_console
  using (id = public.current_tenant() and organization = public.current_organization());
grant select, update (last) on live.tenants to app_console;

create function live.organization_tenants() returns bigint[] language sql stable parallel safe
  return array(select id from live.tenants where organization = public.current_organization());

-- Whether rows of a tenant may be written: it is set, and of the organization that is set.
create function live.is_console_tenant(tenant bigint) returns boolean language sql stable parallel safe
  return tenant = public.current_tenant() and tenant = any (live.organization_tenants());

do $$
declare made text;
begin
  foreach made in array array['patients', 'consents', 'cases', 'messages', 'prescriptions', 'orders',
                              'visits', 'files', 'events'] loop
    execute format($p$create policy console on live.%I for select to app_console
      using (tenant = any ((select live.organization_tenants())::bigint[]))$p$, made);
    execute format('grant select on live.%I to app_console', made);
  end loop;
  foreach made in array array['messages', 'prescriptions', 'orders', 'events'] loop
    execute format($p$create policy console_insert on live.%I for insert to app_console
      with check (live.is_console_tenant(tenant))$p$, made);
    execute format('grant insert on live.%I to app_console', made);
  end loop;
  foreach made in array array['cases', 'prescriptions', 'orders'] loop
    execute format($p$create policy console_update on live.%I for update to app_console
      using (live.is_console_tenant(tenant))$p$, made);
  end loop;
end $$;

grant update (status, status_at, updated_at, plan, reason, question_message, question_target,
              question_body, question_asked_at, prescription_ids, order_ids, decided_by,
              decided_by_name, claimed_by, claimed_by_name, claimed_until)
  on live.cases to app_console;
grant update (status, updated_at) on live.prescriptions to app_console;
grant update (status, status_at, updated_at, reason, tracking, shipped_at, delivered_at, moved_by,
              moved_by_name) on live.orders to app_console;

-- An approval locks the patient, which needs the right to update; no row may be changed.
create policy console_lock on live.patients for update to app_console
  using (live.is_console_tenant(tenant)) with check (false);
grant update (updated_at) on live.patients to app_console;

-- The console's keys have a prefix, so that it neither reads nor takes those of the integration.
create policy console on live.idempotency_keys to app_console
  using (live.is_console_tenant(tenant) and key like 'console:%');
grant select, insert, delete on live.idempotency_keys to app_console;
