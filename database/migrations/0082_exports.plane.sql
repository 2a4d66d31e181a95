-- Exports: everything held about one patient, assembled once. The row is the job; the bundle lies in
-- storage, and is named in discarded_objects when the row, or its place in it, goes.

create table exports (
  stream bigint not null,
  id text collate "C" not null,
  patient text collate "C" not null,
  status text not null check (status in ('pending', 'completed', 'failed')),
  object text check (object ~ '^[0-9a-z]{32}$'), -- null again when the bundle was removed
  size_bytes bigint,
  sha256 text,
  attempts int not null default 0,
  due_at timestamptz not null default now(), -- when a worker may take a pending one up
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  primary key (stream, id),
  foreign key (stream, patient) references patients,
  check ((status = 'completed') = (expires_at is not null and size_bytes is not null
    and sha256 is not null)),
  check (status = 'completed' or object is null)
);
create index on exports (stream, patient, id);
create index on exports (due_at) where status = 'pending';
create index on exports (expires_at) where object is not null;
-- A bundle reads what belongs to one patient in order of id, a page at a time.
create index on prescriptions (stream, patient, id);
create index on orders (stream, patient, id);

create function discard_bundle() returns trigger language plpgsql as $$
begin
  execute format('insert into %I.discarded_objects (stream, key) values ($1, $2)
                    on conflict do nothing', tg_table_schema)
    using old.stream, tg_table_schema || '/x/' || old.object;
  return null;
end $$;
create trigger discarded after delete on exports for each row when (old.object is not null)
  execute function discard_bundle();
create trigger replaced after update of object on exports for each row
  when (old.object is not null and new.object is distinct from old.object)
  execute function discard_bundle();

-- Bundles an hour after their end, and whatever was written for a patient who was deleted in the
-- same moment. Answers how many rows it touched.
create function sweep_exports(batch int) returns bigint language plpgsql volatile security definer as $$
declare
  gone bigint;
  ended bigint;
begin
  delete from exports where ctid = any (array(
    select e.ctid from exports e
     where exists (select from patients p
                    where p.stream = e.stream and p.id = e.patient and p.deleted_at is not null)
     limit batch for update of e skip locked));
  get diagnostics gone = row_count;
  update exports set object = null where ctid = any (array(
    select ctid from exports where object is not null and expires_at <= now() - interval '1 hour'
     limit batch for update skip locked));
  get diagnostics ended = row_count;
  return gone + ended;
end $$;

do $$
declare
  plane constant text := current_schema();
  role constant text := 'svc_' || current_schema();
  worker constant text := 'svc_worker_' || current_schema();
begin
  execute format('alter table %I.exports enable row level security', plane);
  execute format('alter table %I.exports force row level security', plane);
  execute format('create policy tenant on %I.exports to %I using (stream = public.opened_stream())',
                 plane, role);
  execute format('grant select, insert, delete on %I.exports to %I', plane, role);
  -- Pending ones are found in every stream; what goes into a bundle is read in the stream of its own.
  execute format('create policy worker on %I.exports to %I using (true)', plane, worker);
  execute format('grant select, update on %I.exports to %I', plane, worker);
  execute format('alter function %I.sweep_exports set search_path = %I, pg_temp', plane, plane);
  execute format('revoke execute on function %I.sweep_exports from public', plane);
  execute format('grant execute on function %I.sweep_exports to %I', plane, worker);
  if plane = 'live' then
    execute format('create policy house on %I.exports to %I using (true)', plane, current_user);
  else
    perform test.ends('exports', 310, 'true');
  end if;
end $$;
