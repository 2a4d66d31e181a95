-- How many unconfirmed people were booked from a network in its hour, by all protocols. The row lock
-- makes concurrent bookings count one after the other. Rows are deleted when their hour is over.
create table site.people_quotas (
  network_hmac bytea primary key check (length(network_hmac) = 32),
  people int not null,
  ends_at timestamptz(3) not null
);
create index people_quotas_over on site.people_quotas (ends_at);
grant select, insert, update, delete on site.people_quotas to app_site;

-- The network that a call counts for, until the person confirms or the hour is over.
alter table site.bookings add column network_hmac bytea;
create index bookings_counted on site.bookings (created_at) where network_hmac is not null;
grant update (network_hmac) on site.bookings to app_site;

-- Beyond their hourly limit, emails to sales wait for a digest: their due_at is infinity.
create index emails_to_sales on site.emails (created_at) where audience = 'sales';
