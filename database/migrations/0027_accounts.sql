-- How a person proves who they are: a password, and the codes of an authenticator app. The table
-- belongs to the accounts alone and can be replaced with them; persons and members stay.

create table auth.person_factors (
  person text collate "C" primary key references auth.persons on delete cascade,
  password_hash text not null check (password_hash like '$argon2id$%'),
  -- Encrypted by a key that is not in this database; null: no authenticator app.
  totp_secret text,
  -- The time step of the last code that was used, so that each is used once.
  totp_step bigint,
  check (totp_step is null or totp_secret is not null)
);
grant select, update (totp_step) on auth.person_factors to app_auth;

-- Failed attempts to sign in and to enter a code. The subject is an HMAC of whose they are: of an
-- email address and a network, a network, or a session.
create table auth.failed_attempts (
  kind text not null check (kind in ('sign_in', 'sign_in_network', 'device_code', 'device_code_network')),
  subject bytea not null check (octet_length(subject) = 32),
  count int not null check (count >= 0),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  blocked_until timestamptz,
  primary key (kind, subject)
);
grant select, insert, update, delete on auth.failed_attempts to app_auth;

-- The session of a person: when they last proved the second factor.
alter table auth.credentials
  add column second_factor_at timestamptz(3),
  add constraint sessions_alone_have_a_second_factor check (kind = 'session' or second_factor_at is null);
grant update (second_factor_at) on auth.credentials to app_auth;
