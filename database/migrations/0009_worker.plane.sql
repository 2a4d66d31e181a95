-- What the worker may do: find work in every stream of its plane, and read what an event is about
-- in the stream that it opened for it. A job that needs more says so in a migration of its own.

do $$
declare
  plane constant text := current_schema();
  worker constant text := 'svc_worker_' || current_schema();
  tenant text;
begin
  foreach tenant in array array['outbox', 'events', 'streams'] loop
    execute format('create policy worker on %I.%I to %I using (true)', plane, tenant, worker);
    execute format('grant select on %I.%I to %I', plane, tenant, worker);
  end loop;
  -- A row that is locked to be taken counts as updated.
  execute format('grant update, delete on %I.outbox to %I', plane, worker);
  execute format('grant update (last) on %I.streams to %I', plane, worker);

  foreach tenant in array array['patients', 'consents', 'cases', 'messages', 'prescriptions',
                                'orders'] loop
    execute format('create policy worker on %I.%I for select to %I using (stream = public.opened_stream())',
                   plane, tenant, worker);
    execute format('grant select on %I.%I to %I', plane, tenant, worker);
  end loop;
end $$;
