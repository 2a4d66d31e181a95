-- The second wall behind the tenant key of every statement: a row is visible only to a session
-- whose credential opened its stream. A statement that forgot its filter finds nothing of others.

do $$
declare
  plane constant text := current_schema();
  role constant text := 'svc_' || current_schema();
  tenant text;
begin
  foreach tenant in array array['idempotency_keys', 'events', 'outbox', 'patients', 'consents',
                                'cases', 'messages', 'prescriptions', 'orders'] loop
    execute format('alter table %I.%I enable row level security', plane, tenant);
    execute format('alter table %I.%I force row level security', plane, tenant);
    execute format('create policy tenant on %I.%I to %I using (stream = public.opened_stream())',
                   plane, tenant, role);
    execute format('grant select, insert on %I.%I to %I', plane, tenant, role);
  end loop;
  foreach tenant in array array['patients', 'consents', 'cases', 'prescriptions', 'orders'] loop
    execute format('grant update on %I.%I to %I', plane, tenant, role);
  end loop;
  -- A record is dropped when its life is over, and its answer is erased with its patient.
  execute format('grant delete, update (answer) on %I.idempotency_keys to %I', plane, role);

  -- Which streams exist is part of who the caller is; only the opened one may be moved on.
  execute format('alter table %I.streams enable row level security', plane);
  execute format('create policy known on %I.streams for select to %I using (true)', plane, role);
  execute format('create policy opened on %I.streams for update to %I using (id = public.opened_stream())',
                 plane, role);
  execute format('grant select on %I.streams to %I', plane, role);
  execute format('grant update (last) on %I.streams to %I', plane, role);
end $$;
