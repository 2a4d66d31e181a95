-- The site's own room: calls that people book, callbacks that they ask for, and the mail that both
-- cause. It is neither plane, so it has a role of its own, which sees nothing of a patient.

do $$
begin
  if not exists (select from pg_roles where rolname = 'svc_site') then create role svc_site login; end if;
exception when duplicate_object or unique_violation then null; -- another database's migration won
end $$;

grant usage on schema public to svc_site;
create schema site;
grant usage on schema site to svc_site;

-- requested: asked for, no time picked yet. held: it took place, or would have. lapsed: nobody
-- picked a time for so long that the person may ask anew.
create table site.bookings (
  id text collate "C" primary key,
  status text not null check (status in ('requested', 'confirmed', 'cancelled', 'held', 'lapsed')),
  starts_at timestamptz(3),
  ends_at timestamptz(3),
  time_zone text not null,
  -- Counts the changes; calendars are told it, and believe the highest (RFC 5545, SEQUENCE).
  sequence int not null default 0,
  -- Who it is for. All of it is null once erased.
  person text collate "C", -- the normalised email: who counts as one and the same
  email text,
  first_name text,
  last_name text,
  phone text,
  company text,
  note text,
  -- Where it came from, and what the person had been told.
  protocol text not null check (protocol in ('acp', 'a2a', 'mcp', 'web')),
  agent text,
  wording text not null,
  consent boolean,
  created_at timestamptz(3) not null default clock_timestamp(),
  updated_at timestamptz(3) not null default clock_timestamp(),
  erased_at timestamptz(3),
  check (status <> 'confirmed' or starts_at is not null),
  check ((starts_at is null) = (ends_at is null)),
  check ((erased_at is null) = (person is not null)),
  check (erased_at is null or num_nonnulls(email, first_name, last_name, phone, company, note) = 0),
  check (erased_at is null or status not in ('requested', 'confirmed'))
);
-- The two rules of the room, decided by the database: a time has one call, a person one open call.
create unique index bookings_slot on site.bookings (starts_at) where status = 'confirmed';
create unique index bookings_person on site.bookings (person)
  where status in ('requested', 'confirmed');
create index bookings_to_erase on site.bookings (coalesce(ends_at, created_at))
  where erased_at is null;

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
  -- While it is open the same person's next one is the same one; the first after that closes it.
  closed_at timestamptz(3),
  erased_at timestamptz(3),
  check ((erased_at is null) = (person is not null)),
  check (erased_at is null or num_nonnulls(email, first_name, last_name, phone, company, note) = 0)
);
create unique index callbacks_person on site.callbacks (person) where closed_at is null;
create index callbacks_to_erase on site.callbacks (created_at) where erased_at is null;

-- The queue of mail. A row is written by the statement that causes it and holds what the mail says,
-- until it is accepted: then its facts are dropped and it only remembers that it was sent.
create table site.mail (
  id text collate "C" primary key,
  -- The booking or callback that it is about.
  subject text collate "C" not null,
  audience text not null check (audience in ('buyer', 'sales')),
  kind text not null,
  sequence int not null,
  facts jsonb,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- When it may be tried: now, after a refusal later, and while somebody tries it the end of their
  -- lease.
  due_at timestamptz(3) not null default clock_timestamp(),
  attempts int not null default 0,
  sent_at timestamptz(3),
  gave_up_at timestamptz(3),
  -- Whatever else goes wrong, one change is told to one reader once, and before the next one.
  unique (subject, audience, sequence),
  check ((facts is null) = (sent_at is not null or gave_up_at is not null))
);
create index mail_due on site.mail (due_at) where facts is not null;

grant select, insert on site.bookings, site.callbacks, site.mail to svc_site;
grant update (status, starts_at, ends_at, time_zone, sequence, updated_at, erased_at,
              person, email, first_name, last_name, phone, company, note)
  on site.bookings to svc_site;
grant update (closed_at, erased_at, person, email, first_name, last_name, phone, company, note)
  on site.callbacks to svc_site;
grant update (facts, due_at, attempts, sent_at, gave_up_at) on site.mail to svc_site;
