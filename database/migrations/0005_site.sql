-- The site: booked calls, requested callbacks, the email queue, and its endpoints' idempotency
-- records. It belongs to neither mode and has its own role, which can't read anything about a
-- patient.

-- Statuses: `requested` means that no time is chosen yet, `held` that the call took place or its
-- time has passed, and `lapsed` that no time was chosen for so long that the person may ask again.
create table site.bookings (
  id text collate "C" primary key,
  status text not null check (status in ('requested', 'confirmed', 'cancelled', 'held', 'lapsed')),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  time_zone text not null,
  -- Counts the changes; calendar programs use the highest one they received (RFC 5545, SEQUENCE).
  sequence int not null default 0,
  -- The person's details, all null once erased.
  person text collate "C", -- the normalized email address, which identifies the person
  email text,
  first_name text,
  last_name text,
  phone text,
  company text,
  note text,
  -- The protocol and agent that made the booking, and the consent text that was shown.
  protocol text not null check (protocol in ('acp', 'a2a', 'mcp', 'web')),
  agent text,
  wording text not null,
  consent boolean,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  erased_at timestamptz(3),
  -- The network whose quota the call counts toward, until the person confirms or the hour ends.
  network_hmac bytea,
  check (status <> 'confirmed' or starts_at is not null),
  check ((starts_at is null) = (ends_at is null)),
  check ((erased_at is null) = (person is not null)),
  check (erased_at is null or num_nonnulls(email, first_name, last_name, phone, company, note) = 0),
  check (erased_at is null or status not in ('requested', 'confirmed'))
);
-- One call per time, and one open call per person.
create unique index bookings_slot on site.bookings (starts_at) where status = 'confirmed';
create unique index bookings_person on site.bookings (person)
  where status in ('requested', 'confirmed');
create index bookings_to_erase on site.bookings (coalesce(ends_at, created_at))
  where erased_at is null;
create index bookings_counted on site.bookings (created_at) where network_hmac is not null;
grant select, insert,
      update (status, starts_at, ends_at, time_zone, sequence, updated_at, erased_at,
              person, email, first_name, last_name, phone, company, note, network_hmac)
  on site.bookings to app_site;

-- How many unconfirmed people were booked from a network in its hour, across all protocols. The row
-- lock makes concurrent bookings count one after the other. A row is deleted once its hour ends.
create table site.people_quotas (
  network_hmac bytea primary key check (length(network_hmac) = 32),
  people int not null,
  ends_at timestamptz(3) not null
);
create index people_quotas_over on site.people_quotas (ends_at);
grant select, insert, update, delete on site.people_quotas to app_site;

create table site.callbacks (
  id text collate "C" primary key,
  person text collate "C",
  email text,
  first_name text,
  last_name text,
  phone text,
  company text,
  note text,
  protocol text not null check (protocol in ('acp', 'a2a', 'mcp', 'web')),
  agent text,
  wording text not null,
  consent boolean,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- While a callback is open, another request from the same person returns it. A later request
  -- closes it.
  closed_at timestamptz(3),
  erased_at timestamptz(3),
  check ((erased_at is null) = (person is not null)),
  check (erased_at is null or num_nonnulls(email, first_name, last_name, phone, company, note) = 0)
);
create unique index callbacks_person on site.callbacks (person) where closed_at is null;
create index callbacks_to_erase on site.callbacks (created_at) where erased_at is null;
grant select, insert,
      update (closed_at, erased_at, person, email, first_name, last_name, phone, company, note)
  on site.callbacks to app_site;

-- The email queue. The statement that causes an email inserts its row, with the facts for its text.
-- The facts are erased once the mail server accepts the email.
create table site.emails (
  id text collate "C" primary key,
  -- The id of the booking, callback or webhook endpoint that the email is about.
  subject text collate "C" not null,
  audience text not null check (audience in ('buyer', 'sales', 'developers', 'person')),
  kind text not null,
  sequence int not null,
  facts jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- When to try it: now, later after a refusal, and during an attempt at the end of its lease.
  due_at timestamptz not null default clock_timestamp(), -- exact: rounded, it could be ahead
  attempts int not null default 0,
  sent_at timestamptz(3),
  gave_up_at timestamptz(3),
  -- Each change is sent to each audience once, in order.
  unique (subject, audience, sequence),
  check ((facts is null) = (sent_at is not null or gave_up_at is not null))
);
create index emails_due on site.emails (due_at) where facts is not null;
-- Beyond the hourly limit, emails to sales wait for a digest: their due_at is infinity.
create index emails_to_sales on site.emails (created_at) where audience = 'sales';
grant select, insert, update (facts, due_at, attempts, sent_at, gave_up_at) on site.emails to app_site;

-- Queues an email to an integration's developers; returns false if they gave no address. The worker
-- calls it and can't read the queue.
create function site.queue_developers_email(email text, of_integration text, about text, what text,
                                            more jsonb)
  returns boolean language plpgsql volatile security definer set search_path = site, pg_temp as $$
declare
  address text;
begin
  select developers_email into address from auth.integrations where id = of_integration;
  if address is null then return false; end if;
  insert into site.emails (id, subject, audience, kind, sequence, facts)
  select email, about, 'developers', what, coalesce(max(e.sequence), 0) + 1,
         more || jsonb_build_object('email', address, 'integration_id', of_integration)
    from site.emails e where e.subject = about and e.audience = 'developers';
  return true;
end $$;
revoke execute on function site.queue_developers_email from public;
grant execute on function site.queue_developers_email to app_worker_test, app_worker_live;

-- Queues an email to a person. The queue contains no link: the process that sends the email signs
-- the link's id (auth/accounts/links.ts).
create function site.queue_person_email(what text, facts jsonb) returns void
  language sql volatile security definer set search_path = site, pg_temp as $$
  insert into emails (id, subject, audience, kind, sequence, facts)
  select id, id, 'person', what, 0, facts from (select public.new_id('mail') as id) made
$$;
revoke execute on function site.queue_person_email from public;

-- Responses to requests that must not take effect twice, so a repeated request gets the same bytes:
-- a checkout with its Idempotency-Key, a completed session, an agent's message. The primary key
-- decides which of two requests runs. A row reveals nothing: key and body are HMACs, and the
-- response is encrypted with a key that only the caller has.
create table site.idempotency_records (
  key_hmac bytea primary key check (length(key_hmac) = 32),
  -- A request with the same key and another body is refused.
  body_hmac bytea not null check (length(body_hmac) = 32),
  -- The process that handles the request, and the end of its lease. Once that passes, another
  -- process may take over.
  lease bytea not null,
  lease_until timestamptz(3),
  status smallint,
  response bytea,
  expires_at timestamptz(3) not null,
  check ((status is null) = (response is null)),
  check ((status is null) = (lease_until is not null))
);
create index idempotency_records_expired on site.idempotency_records (expires_at);
grant select, insert, update, delete on site.idempotency_records to app_site;

-- Answers to “Was this page helpful?”, counted by page, day and answer. Single answers aren't
-- stored, so there is nothing about the person who gave one: no address, no browser, no time of
-- day.
create table site.page_feedback (
  page text collate "C" not null check (length(page) between 1 and 200),
  day date not null,
  answer text collate "C" not null
    check (answer in ('yes', 'missing', 'unclear', 'wrong', 'other')),
  count int not null default 1 check (count > 0),
  primary key (page, day, answer)
);
grant select, insert, update (count) on site.page_feedback to app_site;

-- The gateways' checks of the platform's own parts, for the status page: how many passed, warned
-- and failed in an hour. Rows are kept for ninety days (gateway/status/).
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
