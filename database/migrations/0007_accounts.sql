-- How people prove who they are, and how they change their own account: sign up, add and remove
-- second factors, use a recovery code, change the password, recover the account, close it. As in
-- 0006_administration.sql, each change is a function that receives `act` for the request, writes
-- its audit row and queues its emails in one transaction, and returns null or the code of its
-- refusal. The account pages' role can change these tables only through these functions. The tables
-- are used only for accounts, so they can be replaced without changing persons and members.

create table auth.person_factors (
  person text collate "C" primary key references auth.persons on delete cascade,
  password_hash text not null check (password_hash like '$argon2id$%'),
  -- Encrypted with a key that isn't in this database; null if there is no authenticator app.
  totp_secret text,
  -- The time step of the last used code, so each code works once.
  totp_step bigint,
  check (totp_step is null or totp_secret is not null)
);
grant select, update (totp_step) on auth.person_factors to app_auth;

-- Failed attempts to sign in or enter a code. The subject is an HMAC of an email address with a
-- network or browser, of one of those alone, or of a session or person.
create table auth.failed_attempts (
  kind text not null check (kind in
    ('sign_in', 'sign_in_network', 'sign_in_account', 'device_code', 'device_code_person',
     'email_network')),
  subject bytea not null check (octet_length(subject) = 32),
  count int not null check (count >= 0),
  first_at timestamptz not null default clock_timestamp(),
  last_at timestamptz not null default clock_timestamp(),
  blocked_until timestamptz,
  primary key (kind, subject)
);
-- Failed attempts are swept a day after the last one.
create index on auth.failed_attempts (last_at);
grant select, insert, update, delete on auth.failed_attempts to app_auth;

-- When a new encryption key precedes the old one, authenticator apps' secrets are re-encrypted
-- (auth/accounts/reencryption.ts). Only a caller that has the stored value can replace it, and only
-- if it hasn't changed since.
create function auth.reencrypt_factor(of_person text, older text, newest text)
  returns boolean language sql security definer set search_path = auth, pg_temp as $$
  with changed as (
    update person_factors f set totp_secret = newest
     where f.person = of_person and f.totp_secret = older
    returning 1
  )
  select exists (select from changed)
$$;
revoke execute on function auth.reencrypt_factor from public;
grant execute on function auth.reencrypt_factor to app_auth;

-- Null `of_person` means that the person is unknown.
create function auth.record_own_act(act jsonb, action text, of_person text, of_target text,
    refusal text) returns text language plpgsql set search_path = auth, pg_temp as $$
begin
  insert into audit.entries (actor, person, surface, action, target, outcome, status, code, request,
                             address, agent)
  values (of_person, of_person, act ->> 'surface', action, of_target,
          case when refusal is null then 'ok' else 'refused' end,
          case when refusal is null then 200 else 403 end, refusal, act ->> 'request',
          act ->> 'address', left(act ->> 'agent', 300));
  return refusal;
end $$;
revoke execute on function auth.record_own_act from public;

-- Signing up ---------------------------------------------------------------------------------

create table auth.sign_ups (
  id text collate "C" primary key,
  email text not null check (email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(email) <= 254),
  name text not null check (char_length(name) between 1 and 200),
  -- The company name, which becomes the first integration's name.
  company text check (char_length(company) between 1 and 200),
  -- The person whose new address this is; null for a new person.
  person text collate "C",
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null default clock_timestamp() + interval '24 hours',
  used_at timestamptz(3),
  check ((company is null) = (person is not null))
);
create index on auth.sign_ups (expires_at);
grant select, delete on auth.sign_ups to app_auth;

-- The inbox that an address delivers to: ada+one@example.com is an alias of ada@example.com.
create function auth.inbox_of(email text) returns text language sql immutable parallel safe as $$
  select regexp_replace(public.normalized_email(email), '\+[^@]*@', '@')
$$;
create index on auth.sign_ups (auth.inbox_of(email), created_at);

-- Does the same work for a known and an unknown address, so callers can't tell them apart; only the
-- email differs. An address gets at most three emails an hour from all callers together. Among an
-- inbox's aliases, only the first gets any; the plain address isn't limited by them. `of_person` is
-- the person requesting a new address; null for a sign-up.
create function auth.request_sign_up(new_id text, to_email text, person_name text,
    company_name text, of_person text, act jsonb)
  returns void language plpgsql security definer set search_path = auth, pg_temp as $$
declare known boolean; sent int; others int; inbox text := inbox_of(to_email);
  spelled text := public.normalized_email(to_email);
begin
  perform pg_advisory_xact_lock(hashtextextended('sign-up ' || inbox, 0));
  select count(*) filter (where public.normalized_email(email) = spelled),
         count(*) filter (where public.normalized_email(email) not in (spelled, inbox))
    into sent, others from sign_ups
   where inbox_of(email) = inbox and created_at > clock_timestamp() - interval '1 hour';
  select exists (select from persons where public.normalized_email(email) = spelled) into known;
  if sent < 3 and (others = 0 or spelled = inbox) then
    insert into sign_ups (id, email, name, company, person, used_at)
    values (new_id, to_email, person_name, company_name, of_person,
            case when known then clock_timestamp() end);
    perform site.queue_person_email(case when known then 'already_registered'
      when of_person is null then 'verify_email' else 'confirm_new_email' end,
      jsonb_build_object('email', to_email, 'sign_up', new_id));
  end if;
  perform record_own_act(act, case when of_person is null then 'auth.sign_up'
    else 'auth.request_new_email' end, of_person, new_id, null);
end $$;

create function auth.create_person(new_id text, new_email text, new_name text, new_hash text)
  returns boolean language plpgsql set search_path = auth, pg_temp as $$
begin
  insert into persons (id, email, name) values (new_id, new_email, new_name)
  on conflict (public.normalized_email(email)) do nothing;
  if not found then return false; end if;
  insert into person_factors (person, password_hash) values (new_id, new_hash);
  return true;
end $$;
revoke execute on function auth.create_person from public;

-- Creates a sign-up's person, with an integration of their own.
create function auth.complete_sign_up(old_id text, new_person text, new_hash text,
    new_integration text, new_organization text, new_grant text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked sign_ups; refusal text;
begin
  update sign_ups set used_at = clock_timestamp()
   where id = old_id and person is null and used_at is null and expires_at > clock_timestamp()
  returning * into asked;
  if asked.id is null or not create_person(new_person, asked.email, asked.name, new_hash) then
    return record_own_act(act, 'auth.verify_email', null, old_id, 'link_ended');
  end if;
  refusal := create_integration(new_integration, new_organization, new_grant,
    asked.company, new_person, act || jsonb_build_object('person', new_person));
  if refusal is not null then raise exception 'the first integration was refused: %', refusal; end if;
  return record_own_act(act, 'auth.verify_email', new_person, old_id, null);
end $$;

-- Sets a person's new address once they open the link sent there. Emails to the old address can no
-- longer recover the account, and the person is notified there.
create function auth.change_email(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked sign_ups;
begin
  update sign_ups set used_at = clock_timestamp()
   where id = old_id and person is not null and used_at is null and expires_at > clock_timestamp()
  returning * into asked;
  perform from persons where id = asked.person and disabled_at is null for update;
  if not found then
    return record_own_act(act, 'auth.change_email', asked.person, old_id, 'link_ended');
  end if;
  begin
    perform email_person('email_changed', asked.person,
      jsonb_build_object('new_email', asked.email));
    update persons set email = asked.email where id = asked.person;
  exception when unique_violation then
    return record_own_act(act, 'auth.change_email', asked.person, old_id, 'link_ended');
  end;
  update recoveries set cancelled_at = clock_timestamp()
   where person = asked.person and cancelled_at is null and completed_at is null;
  return record_own_act(act, 'auth.change_email', asked.person, old_id, null);
end $$;

create function auth.rename_person(of_person text, new_name text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  update persons set name = new_name where id = of_person and disabled_at is null;
  return record_own_act(act, 'auth.change_name', of_person, null,
                        case when not found then 'not_found' end);
end $$;

-- Creates an invited person; the invitation may be to a clinic. Its link was emailed to the
-- address, which verifies it.
create function auth.join_by_invitation(old_id text, new_person text, new_name text,
    new_hash text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare invited invitations; refusal text;
begin
  -- Locks rows in the same order as other changes to members and staff.
  perform from integrations i
    where i.id = (select integration from invitations where id = old_id) for no key update;
  perform from organizations o
    where o.id = (select organization from invitations where id = old_id) for no key update;
  select v.* into invited from invitations v
   where v.id = old_id
     and (exists (select from integrations i where i.id = v.integration and i.suspended_at is null)
       or exists (select from organizations o where o.id = v.organization and o.status = 'active'))
     for update of v;
  if invited.id is null or invited.accepted_at is not null or invited.cancelled_at is not null
     or invited.expires_at <= clock_timestamp()
     or not create_person(new_person, invited.email, new_name, new_hash) then
    return record_own_act(act, 'auth.verify_email', null, old_id, 'link_ended');
  end if;
  refusal := accept_invitation(old_id, act || jsonb_build_object('person', new_person));
  if refusal is not null then raise exception 'the invitation was refused: %', refusal; end if;
  return record_own_act(act, 'auth.verify_email', new_person, old_id, null);
end $$;

-- Second factors -----------------------------------------------------------------------------

create table auth.recovery_codes (
  hash bytea primary key check (octet_length(hash) = 32),
  person text collate "C" not null references auth.persons on delete cascade,
  pepper text not null,
  created_at timestamptz(3) not null default clock_timestamp(),
  used_at timestamptz(3)
);
create index on auth.recovery_codes (person);
grant select on auth.recovery_codes to app_auth;

create table auth.passkeys (
  -- The credential ID that the authenticator chose, in base64url (Web Authentication).
  id text collate "C" primary key check (char_length(id) between 16 and 1400),
  person text collate "C" not null references auth.persons on delete cascade,
  name text not null check (char_length(name) between 1 and 100),
  public_key bytea not null,
  -- Increases with each use, or stays at zero (Web Authentication, section 6.1.1).
  sign_count bigint not null,
  transports text[] not null default '{}',
  created_at timestamptz(3) not null default clock_timestamp(),
  last_used_at timestamptz(3)
);
create index on auth.passkeys (person);
grant select on auth.passkeys to app_auth;

-- A challenge is signed, not stored. Once answered, its hash is stored until it expires, so an
-- answer counts once.
create table auth.used_challenges (
  hash bytea primary key check (octet_length(hash) = 32),
  expires_at timestamptz(3) not null default clock_timestamp() + interval '15 minutes'
);
create index on auth.used_challenges (expires_at);
grant select, delete on auth.used_challenges to app_auth;

create function auth.use_challenge(challenge bytea) returns boolean language plpgsql
  set search_path = auth, pg_temp as $$
begin
  insert into used_challenges (hash) values (challenge) on conflict do nothing;
  return found;
end $$;
revoke execute on function auth.use_challenge from public;

-- Replaces all recovery codes with ten new ones, each valid for one sign-in.
create function auth.store_recovery_codes(of_person text, hashes bytea[], new_pepper text)
  returns void language sql volatile set search_path = auth, pg_temp as $$
  delete from recovery_codes where person = of_person;
  insert into recovery_codes (hash, person, pepper) select h, of_person, new_pepper from unnest(hashes) h
$$;
revoke execute on function auth.store_recovery_codes from public;

-- Locks a person's factors. `first` means that the caller generated recovery codes along with the
-- first factor. Returns true, a refusal, if the person already has a factor, because their existing
-- codes stay valid.
create function auth.refuse_first_factor(of_person text, first boolean) returns boolean
  language plpgsql set search_path = auth, pg_temp as $$
begin
  perform from person_factors where person = of_person for update;
  return first and exists (
    select from person_factors f where f.person = of_person and (f.totp_secret is not null
       or exists (select from passkeys k where k.person = of_person)));
end $$;
revoke execute on function auth.refuse_first_factor from public;

-- `older` is the secret being replaced, or null. A person with other factors keeps their recovery
-- codes.
create function auth.set_totp(of_person text, older text, newest text, step bigint, hashes bytea[],
    new_pepper text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text;
begin
  if refuse_first_factor(of_person, hashes is not null) then refusal := 'changed_meanwhile';
  else
    update person_factors set totp_secret = newest, totp_step = step
     where person = of_person and totp_secret is not distinct from older;
    if not found then refusal := 'changed_meanwhile'; end if;
  end if;
  if refusal is null then
    if hashes is not null then perform store_recovery_codes(of_person, hashes, new_pepper); end if;
    perform email_person('factor_added', of_person,
                         jsonb_build_object('factor', 'an authenticator app'));
  end if;
  return record_own_act(act, 'auth.add_factor', of_person, 'totp', refusal);
end $$;

-- Locks the person's factors, so two simultaneous removals leave one.
create function auth.remove_factor(of_person text, passkey text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text; factors person_factors; removed text; others int;
begin
  select * into factors from person_factors where person = of_person for update;
  select count(*) into others from passkeys where person = of_person and id is distinct from passkey;
  if passkey is not null and factors.totp_secret is not null then others := others + 1; end if;
  if others = 0 then refusal := 'last_factor';
  elsif passkey is null then
    update person_factors set totp_secret = null, totp_step = null
     where person = of_person and totp_secret is not null returning 'an authenticator app' into removed;
  else
    delete from passkeys where id = passkey and person = of_person
    returning 'the passkey ' || name into removed;
  end if;
  if refusal is null and removed is null then refusal := 'not_found'; end if;
  if refusal is null then
    perform email_person('factor_removed', of_person, jsonb_build_object('factor', removed));
  end if;
  return record_own_act(act, 'auth.remove_factor', of_person,
                        case when passkey is null then 'totp' else 'passkey' end, refusal);
end $$;

create function auth.add_passkey(new_id text, of_person text, new_name text, key bytea,
    count bigint, new_transports text[], challenge bytea, hashes bytea[], new_pepper text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text;
begin
  if refuse_first_factor(of_person, hashes is not null) then refusal := 'changed_meanwhile';
  elsif not use_challenge(challenge) then refusal := 'challenge_used';
  elsif (select count(*) from passkeys where person = of_person) >= 20 then
    refusal := 'too_many_passkeys';
  else
    insert into passkeys (id, person, name, public_key, sign_count, transports)
    values (new_id, of_person, new_name, key, count, new_transports)
    on conflict do nothing;
    if not found then refusal := 'already_added'; end if;
  end if;
  if refusal is null then
    if hashes is not null then perform store_recovery_codes(of_person, hashes, new_pepper); end if;
    perform email_person('factor_added', of_person,
                         jsonb_build_object('factor', 'the passkey ' || new_name));
  end if;
  return record_own_act(act, 'auth.add_factor', of_person, 'passkey', refusal);
end $$;

-- A count that doesn't increase means that the passkey was copied.
create function auth.use_passkey(of_id text, challenge bytea, new_count bigint, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text; key passkeys;
begin
  if not use_challenge(challenge) then refusal := 'challenge_used';
  else
    update passkeys set sign_count = new_count, last_used_at = clock_timestamp()
     where id = of_id and (new_count > sign_count or (new_count = 0 and sign_count = 0))
       and exists (select from persons p where p.id = person and p.disabled_at is null)
    returning * into key;
    if not found then refusal := 'wrong_passkey'; end if;
  end if;
  return record_own_act(act, 'auth.passkey', key.person, null, refusal);
end $$;

create function auth.replace_recovery_codes(of_person text, hashes bytea[], new_pepper text,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  perform from person_factors where person = of_person for update;
  perform store_recovery_codes(of_person, hashes, new_pepper);
  perform email_person('recovery_codes_replaced', of_person);
  return record_own_act(act, 'auth.replace_recovery_codes', of_person, null, null);
end $$;

-- `hashes` are one code's, under each pepper. If two calls use a code at the same time, only one
-- changes its row.
create function auth.use_recovery_code(of_person text, hashes bytea[], act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  update recovery_codes set used_at = clock_timestamp()
   where person = of_person and hash = any (hashes) and used_at is null;
  if not found then
    return record_own_act(act, 'auth.recovery_code', of_person, null, 'wrong_code');
  end if;
  perform email_person('recovery_code_used', of_person, jsonb_build_object('left',
    (select count(*) from recovery_codes where person = of_person and used_at is null)));
  return record_own_act(act, 'auth.recovery_code', of_person, null, null);
end $$;

-- Passwords, sessions and closing accounts-------------------------------------------------------

-- Ends a person's sessions at every origin, except sessions from the sign-in `but`.
create function auth.end_sessions(of_person text, reason text, but text default null) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  update credentials set revoked_at = clock_timestamp(), revoked_reason = reason
   where kind = 'session' and person = of_person and revoked_at is null
     and sign_in is distinct from but
$$;
revoke execute on function auth.end_sessions from public;

create function auth.change_password(of_person text, older text, newest text, session text,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  update person_factors set password_hash = newest where person = of_person and password_hash = older;
  if not found then
    return record_own_act(act, 'auth.change_password', of_person, null, 'changed_meanwhile');
  end if;
  perform end_sessions(of_person, 'password_changed',
                       (select sign_in from credentials where id = session));
  perform email_person('password_changed', of_person);
  return record_own_act(act, 'auth.change_password', of_person, null, null);
end $$;

-- Ends one of a person's sign-ins at every origin; a null `session` ends all of them.
create function auth.end_sign_in(of_person text, session text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  update credentials set revoked_at = clock_timestamp(), revoked_reason = 'ended_by_person'
   where kind = 'session' and person = of_person and revoked_at is null
     and (session is null
       or sign_in = (select sign_in from credentials where id = session and person = of_person));
  return record_own_act(act, 'auth.end_session', of_person, session,
                        case when not found then 'not_found' end);
end $$;

-- The last owner of an integration with other members has to name another owner first. An
-- integration left without members is suspended. A clinic's last administrator can't close their
-- account.
create function auth.close_account(of_person text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare owned text[];
begin
  perform from persons where id = of_person for update;
  perform from integrations where id in (select integration from members
     where person = of_person and removed_at is null) order by id for no key update;
  perform from organizations where id in (select organization from staff
     where person = of_person and removed_at is null) order by id for no key update;
  select coalesce(array_agg(integration), '{}') into owned from members
   where person = of_person and role = 'owner' and removed_at is null
     and not has_other_owner(integration, of_person);
  if exists (select from members m join persons p on p.id = m.person and p.disabled_at is null
              where m.integration = any (owned) and m.person <> of_person and m.removed_at is null) then
    return record_own_act(act, 'auth.close_account', of_person, null, 'last_owner');
  elsif is_last_admin(of_person) then
    return record_own_act(act, 'auth.close_account', of_person, null, 'last_admin');
  end if;
  perform email_person('account_closed', of_person);
  update integrations set suspended_at = clock_timestamp()
   where id = any (owned) and suspended_at is null;
  update members set removed_at = clock_timestamp() where person = of_person and removed_at is null;
  update staff set removed_at = clock_timestamp() where person = of_person and removed_at is null;
  perform end_sessions(of_person, 'account_closed');
  delete from passkeys where person = of_person;
  delete from recovery_codes where person = of_person;
  delete from person_factors where person = of_person;
  -- The address isn't kept, so it can be used to sign up again.
  update persons set disabled_at = clock_timestamp(), email = id || '@closed.invalid',
                     name = 'Closed account' where id = of_person;
  return record_own_act(act, 'auth.close_account', of_person, null, null);
end $$;

-- Recovery -----------------------------------------------------------------------------------------

-- Someone who reads another person's email must not get the account right away: a recovery by email
-- takes effect after a day, and the person and their fellow owners are notified.
create table auth.recoveries (
  id text collate "C" primary key,
  person text collate "C" not null references auth.persons on delete cascade,
  created_at timestamptz(3) not null default clock_timestamp(),
  -- When the link expires: an hour after it's created or, once used, seven days after the recovery
  -- takes effect.
  expires_at timestamptz(3) not null default clock_timestamp() + interval '1 hour',
  begun_at timestamptz(3),
  effective_at timestamptz(3),
  cancelled_at timestamptz(3),
  completed_at timestamptz(3),
  check ((begun_at is null) = (effective_at is null)),
  check (cancelled_at is null or completed_at is null)
);
create index on auth.recoveries (person, created_at);
create index on auth.recoveries (expires_at);
create unique index recoveries_begun on auth.recoveries (person)
  where begun_at is not null and cancelled_at is null and completed_at is null;
grant select, delete on auth.recoveries to app_auth;

create function auth.request_recovery(new_id text, to_email text, act jsonb)
  returns void language plpgsql security definer set search_path = auth, pg_temp as $$
declare found_person text;
begin
  select p.id into found_person from persons p
   where public.normalized_email(p.email) = public.normalized_email(to_email) and p.disabled_at is null
     and (select count(*) from recoveries r where r.person = p.id
             and r.created_at > clock_timestamp() - interval '1 hour') < 3;
  if found_person is not null then
    insert into recoveries (id, person) values (new_id, found_person);
    perform email_person('recovery_requested', found_person,
                         jsonb_build_object('recovery', new_id));
  end if;
  perform record_own_act(act, 'auth.request_recovery', found_person, new_id, null);
end $$;

-- Emails a person's fellow owners in each integration.
create function auth.email_owners(what text, of_person text, effective timestamptz) returns void
  language sql volatile set search_path = auth, pg_temp as $$
  select site.queue_person_email(what, jsonb_build_object('email', o.email, 'member', p.email,
           'integration', i.name, 'integration_id', i.id, 'effective_at', public.iso(effective)))
    from members m
    join persons p on p.id = m.person
    join integrations i on i.id = m.integration and i.suspended_at is null
    join members other on other.integration = m.integration and other.person <> m.person
     and other.role = 'owner' and other.removed_at is null
    join persons o on o.id = other.person and o.disabled_at is null
   where m.person = of_person and m.removed_at is null
$$;
revoke execute on function auth.email_owners from public;

-- Starting a recovery again doesn't change when it takes effect.
create function auth.begin_recovery(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked recoveries;
begin
  select r.* into asked from recoveries r where r.id = old_id;
  perform from persons where id = asked.person for no key update;
  update recoveries set cancelled_at = clock_timestamp()
   where person = asked.person and begun_at is not null and cancelled_at is null
     and completed_at is null and expires_at <= clock_timestamp();
  if exists (select from recoveries where person = asked.person and begun_at is not null
     and cancelled_at is null and completed_at is null) then
    return record_own_act(act, 'auth.begin_recovery', asked.person, old_id, 'already_begun');
  end if;
  update recoveries set begun_at = clock_timestamp(),
         effective_at = clock_timestamp() + interval '24 hours',
         expires_at = clock_timestamp() + interval '8 days'
   where id = old_id and begun_at is null and cancelled_at is null
     and expires_at > clock_timestamp()
  returning * into asked;
  if not found then
    return record_own_act(act, 'auth.begin_recovery', null, old_id, 'link_ended');
  end if;
  perform email_person('recovery_begun', asked.person, jsonb_build_object(
    'recovery', asked.id, 'effective_at', public.iso(asked.effective_at)));
  perform email_owners('recovery_begun_by_member', asked.person, asked.effective_at);
  perform email_clinics('recovery_begun_by_staff', asked.person, asked.effective_at);
  return record_own_act(act, 'auth.begin_recovery', asked.person, old_id, null);
end $$;

-- Called with the recovery's link, or by the signed-in person.
create function auth.cancel_recovery(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare ended recoveries;
begin
  update recoveries set cancelled_at = clock_timestamp()
   where id = old_id and cancelled_at is null and completed_at is null
     and expires_at > clock_timestamp()
  returning * into ended;
  if not found then
    return record_own_act(act, 'auth.cancel_recovery', null, old_id, 'link_ended');
  end if;
  perform email_person('recovery_cancelled', ended.person);
  return record_own_act(act, 'auth.cancel_recovery', ended.person, old_id, null);
end $$;

-- Sets a new password. With `keeps_factors`, the person has just used a factor, so they don't wait
-- a day. Otherwise all their factors are removed, and their sessions and tokens end.
create function auth.complete_recovery(old_id text, new_hash text, keeps_factors boolean, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked recoveries;
begin
  update recoveries set completed_at = clock_timestamp()
   where id = old_id and cancelled_at is null and completed_at is null
     and expires_at > clock_timestamp() and (keeps_factors or effective_at <= clock_timestamp())
  returning * into asked;
  if not found then
    return record_own_act(act, 'auth.complete_recovery', null, old_id, 'link_ended');
  end if;
  update recoveries set cancelled_at = clock_timestamp()
   where person = asked.person and cancelled_at is null and completed_at is null;
  update person_factors set password_hash = new_hash where person = asked.person;
  perform end_sessions(asked.person, 'account_recovered');
  if keeps_factors then
    perform email_person('password_changed', asked.person);
  else
    update person_factors set totp_secret = null, totp_step = null where person = asked.person;
    delete from passkeys where person = asked.person;
    delete from recovery_codes where person = asked.person;
    update token_families set revoked_at = clock_timestamp(), revoked_reason = 'account_recovered'
     where person = asked.person and revoked_at is null;
    perform email_person('recovered', asked.person);
    perform email_owners('recovered_member', asked.person, asked.effective_at);
    perform email_clinics('recovered_staff', asked.person, asked.effective_at);
    update staff set recovered_at = clock_timestamp()
     where person = asked.person and removed_at is null;
  end if;
  return record_own_act(act, 'auth.complete_recovery', asked.person, old_id, null);
end $$;

revoke execute on function auth.request_sign_up, auth.complete_sign_up, auth.join_by_invitation,
  auth.change_email, auth.rename_person,
  auth.set_totp, auth.remove_factor, auth.add_passkey, auth.use_passkey, auth.replace_recovery_codes,
  auth.use_recovery_code, auth.change_password, auth.end_sign_in, auth.close_account,
  auth.request_recovery, auth.begin_recovery, auth.cancel_recovery, auth.complete_recovery from public;
grant execute on function auth.request_sign_up, auth.complete_sign_up, auth.join_by_invitation,
  auth.change_email, auth.rename_person,
  auth.set_totp, auth.remove_factor, auth.add_passkey, auth.use_passkey, auth.replace_recovery_codes,
  auth.use_recovery_code, auth.change_password, auth.end_sign_in, auth.close_account,
  auth.request_recovery, auth.begin_recovery, auth.cancel_recovery, auth.complete_recovery to app_auth;
