-- What the gateways measured of the platform's own parts, for the status page: how many checks of a
-- part passed, warned and failed in an hour. Rows are kept for ninety days (gateway/status/).

create table site.probes (
  part text collate "C" not null,
  hour timestamptz not null,
  passed int not null,
  warned int not null,
  failed int not null,
  primary key (part, hour)
);
create index probes_hour on site.probes (hour);
grant select, insert, delete, update (passed, warned, failed) on site.probes to app_site;
