-- Which browser may use a link to a visit, and how often a wrong date of birth was entered. A row is
-- a link that was used. It holds digests of the link and of the browser's cookie, and ends within a
-- day: long after the visit can no longer be joined.
-- compatible with 0152
create table visit_entrances (
  tenant bigint not null,
  link text collate "C" not null, -- SHA-256
  tries int not null default 0 check (tries >= 0), -- wrong dates
  browser text collate "C", -- SHA-256 of the cookie of the one that entered; then it never changes
  used_at timestamptz(3) not null default now(),
  primary key (tenant, link)
);
create index visit_entrances_by_time on visit_entrances (used_at);
alter table visit_entrances enable row level security;
alter table visit_entrances force row level security;
create policy tenant on visit_entrances to app_{mode} using (tenant = public.current_tenant());
create policy worker on visit_entrances to app_worker_{mode} using (true);
grant select, insert, update on visit_entrances to app_{mode};
grant select (used_at), delete on visit_entrances to app_worker_{mode}; -- it removes old ones
