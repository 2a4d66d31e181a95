-- A document of a patient is shown to no one before it was scanned, and the clinic can remove it.

-- scan: null while reserved, and in test mode, which stores no bytes. finding says why a document is
-- refused, in a word of contract/console/files.ts; pages is how many of it can be shown.
-- A removal is asked for and then confirmed. The row of a removed document stays, without its name,
-- which may hold something about a person.
alter table files
  add column scan text check (scan in ('pending', 'clean', 'refused')),
  add column finding text,
  add column pages int,
  add column removal_reason text,
  add column removal_asked_by text collate "C",
  add column removal_asked_by_name text,
  add column removal_asked_at timestamptz(3),
  add column removed_by text collate "C",
  add column removed_by_name text,
  add column removed_at timestamptz(3),
  drop constraint files_status_check,
  drop constraint files_check,
  add constraint files_status_check check (status in ('reserved', 'attached', 'removed')),
  add constraint attached_files_are_whole check (
    (status = 'reserved') = (attached_at is null)
    and (status = 'reserved' or (kind is not null and expires_at is null))
    and (status = 'attached') <= (filename is not null)
    and (status = 'removed') <= (filename is null)),
  add constraint scans_are_whole check (
    (scan = 'clean') is true = (pages is not null) and (scan = 'refused') is true = (finding is not null)),
  add constraint removals_are_whole check (
    num_nonnulls(removal_reason, removal_asked_by, removal_asked_by_name, removal_asked_at) in (0, 4)
    and num_nonnulls(removed_by, removed_by_name, removed_at)
        = case when status = 'removed' then 3 else 0 end
    and (status <> 'removed' or removal_asked_at is not null));

-- Documents that wait for their scan; none in test mode. The row goes when the scan has an outcome.
create table file_scans (
  tenant bigint not null,
  file text collate "C" not null,
  due_at timestamptz not null default now(), -- a worker that scans it moves this ahead
  foreign key (tenant, file) references files on delete cascade, -- only live
  primary key (tenant, file)
);
create index on file_scans (due_at);
alter table file_scans enable row level security;
alter table file_scans force row level security;
create policy tenant on file_scans to app_{mode} using (tenant = public.current_tenant());
create policy worker on file_scans to app_worker_{mode} using (true);
create policy owner on file_scans to current_user using (true);
grant select, insert on file_scans to app_{mode};
grant select, update (due_at), delete on file_scans to app_worker_{mode};

create policy worker_scan on files for update to app_worker_{mode}
  using (tenant = public.current_tenant());
grant update (scan, finding, pages) on files to app_worker_{mode};

update files set scan = 'pending' where status = 'attached'; -- only live
insert into file_scans (tenant, file) select tenant, id from files where scan = 'pending'; -- only live
