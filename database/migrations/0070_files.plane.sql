-- Documents of a patient. The bytes lie in storage under names that say nothing; what is gone from
-- here is named in discarded_objects by the database itself, whoever removed the row and for
-- whatever reason, so that the worker finds every object that nothing refers to any more.

create table files (
  stream bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  "case" text collate "C",
  kind text,
  filename text,
  mime text not null,
  declared_bytes int, -- as it was announced: no other size is taken
  size_bytes int,     -- as storage measured it
  status text not null check (status in ('reserved', 'attached')),
  object text not null check (object ~ '^[0-9a-z]{32}$'), -- the name of its bytes
  attached_at timestamptz(3),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3), -- of the reservation
  primary key (stream, id),
  unique (stream, object),
  foreign key (stream, patient) references patients,
  check ((status = 'attached') = (attached_at is not null and kind is not null
    and filename is not null and expires_at is null))
);
create index on files (stream, patient, id);
create index on files (expires_at) where expires_at is not null;

create table discarded_objects (
  stream bigint not null,
  key text collate "C" not null,
  due_at timestamptz not null default now(), -- moves on while somebody is at it
  created_at timestamptz not null default now(),
  primary key (stream, key)
);
create index on discarded_objects (due_at);

-- What was uploaded, and what was filed of it. Nothing is kept of an upload in test mode.
create function discard_file() returns trigger language plpgsql as $$
begin
  if tg_table_schema = 'live' then
    execute format('insert into %I.discarded_objects (stream, key) values ($1, $2), ($1, $3)
                      on conflict do nothing', tg_table_schema)
      using old.stream, 'live/u/' || old.object, 'live/f/' || old.object;
  end if;
  return null;
end $$;
create trigger discarded after delete on files for each row execute function discard_file();

-- Reservations whose hour is over, and whatever a file was written for a patient who was deleted in
-- the same moment. Answers how many are gone.
create function sweep_files(batch int) returns bigint language plpgsql volatile security definer as $$
declare
  gone bigint;
begin
  delete from files where ctid = any (array(
    select f.ctid from files f
     where f.expires_at <= now() or exists (
       select from patients p
        where p.stream = f.stream and p.id = f.patient and p.deleted_at is not null)
     limit batch for update of f skip locked));
  get diagnostics gone = row_count;
  return gone;
end $$;

do $$
declare
  plane constant text := current_schema();
  role constant text := 'svc_' || current_schema();
  worker constant text := 'svc_worker_' || current_schema();
  tenant text;
begin
  foreach tenant in array array['files', 'discarded_objects'] loop
    execute format('alter table %I.%I enable row level security', plane, tenant);
    execute format('alter table %I.%I force row level security', plane, tenant);
    execute format('create policy tenant on %I.%I to %I using (stream = public.opened_stream())',
                   plane, tenant, role);
    execute format('grant select, insert on %I.%I to %I', plane, tenant, role);
  end loop;
  execute format('grant update, delete on %I.files to %I', plane, role);

  -- What an event is about is read in the stream that was opened for it; what is discarded is found
  -- in every stream.
  execute format('create policy worker on %I.files for select to %I using (stream = public.opened_stream())',
                 plane, worker);
  execute format('grant select on %I.files to %I', plane, worker);
  execute format('create policy worker on %I.discarded_objects to %I using (true)', plane, worker);
  execute format('grant select, update (due_at), delete on %I.discarded_objects to %I',
                 plane, worker);
  execute format('alter function %I.sweep_files set search_path = %I, pg_temp', plane, plane);
  execute format('revoke execute on function %I.sweep_files from public', plane);
  execute format('grant execute on function %I.sweep_files to %I', plane, worker);
  -- The owner, as whom that function and the sandbox's end run, removes rows of any stream.
  execute format('create policy house on %I.discarded_objects to %I using (true)',
                 plane, current_user);
  if plane = 'live' then
    execute format('create policy house on %I.files to %I using (true)', plane, current_user);
    execute format('create policy house on %I.patients for select to %I using (true)',
                   plane, current_user);
  else
    perform test.ends('files', 300, 'expires_at is null or expires_at > now()');
  end if;
end $$;
