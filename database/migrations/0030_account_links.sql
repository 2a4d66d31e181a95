-- A link to a new email or a recovery must not outlive a changed password: the person who requested
-- the link may be the reason for the change. Closing an account closes its integrations completely,
-- and an email whose recipient the mail server refuses no longer counts as delayed. Functions that
-- change several of a person's recoveries, links or sessions lock the person first, so they wait
-- for each other.
-- compatible with 0022

create index on auth.sign_ups (person) where person is not null;

-- As in 0007, but it also ends links to a new email.
create or replace function auth.end_sessions(of_person text, reason text, but text default null)
  returns void language sql volatile set search_path = auth, pg_temp as $$
  update credentials set revoked_at = clock_timestamp(), revoked_reason = reason
   where kind = 'session' and person = of_person and revoked_at is null
     and sign_in is distinct from but;
  update sign_ups set used_at = clock_timestamp() where person = of_person and used_at is null
$$;

-- As in 0007, but a request for a new address ends the person's links to other addresses.
create or replace function auth.request_sign_up(new_id text, to_email text, person_name text,
    company_name text, of_person text, act jsonb)
  returns void language plpgsql security definer set search_path = auth, pg_temp as $$
declare known boolean; sent int; others int; inbox text := inbox_of(to_email);
  spelled text := public.normalized_email(to_email);
begin
  perform pg_advisory_xact_lock(hashtextextended('sign-up ' || inbox, 0));
  perform from persons where id = of_person for no key update;
  update sign_ups set used_at = clock_timestamp()
   where person = of_person and used_at is null and public.normalized_email(email) <> spelled;
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

-- As in 0007, but it ends the person's other links too.
create or replace function auth.change_email(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked sign_ups;
begin
  select * into asked from sign_ups where id = old_id and person is not null;
  perform from persons where id = asked.person and disabled_at is null for update;
  if found then
    update sign_ups set used_at = clock_timestamp()
     where id = old_id and used_at is null and expires_at > clock_timestamp();
  end if;
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
  update sign_ups set used_at = clock_timestamp() where person = asked.person and used_at is null;
  return record_own_act(act, 'auth.change_email', asked.person, old_id, null);
end $$;

-- As in 0007, but it ends the person's recovery, which someone else may have started.
create or replace function auth.change_password(of_person text, older text, newest text,
    session text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
begin
  perform from persons where id = of_person for no key update;
  update person_factors set password_hash = newest where person = of_person and password_hash = older;
  if not found then
    return record_own_act(act, 'auth.change_password', of_person, null, 'changed_meanwhile');
  end if;
  update recoveries set cancelled_at = clock_timestamp()
   where person = of_person and cancelled_at is null and completed_at is null;
  perform end_sessions(of_person, 'password_changed',
                       (select sign_in from credentials where id = session));
  perform email_person('password_changed', of_person);
  return record_own_act(act, 'auth.change_password', of_person, null, null);
end $$;

-- As in 0007, but ending all sign-ins also ends links to a new email.
create or replace function auth.end_sign_in(of_person text, session text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text;
begin
  perform from persons where id = of_person for no key update;
  if session is null then perform end_sessions(of_person, 'ended_by_person');
  else
    update credentials set revoked_at = clock_timestamp(), revoked_reason = 'ended_by_person'
     where kind = 'session' and person = of_person and revoked_at is null
       and sign_in = (select sign_in from credentials where id = session and person = of_person);
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_own_act(act, 'auth.end_session', of_person, session, refusal);
end $$;

-- As in 0007, but it locks the person first.
create or replace function auth.complete_recovery(old_id text, new_hash text,
    keeps_factors boolean, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare asked recoveries;
begin
  perform from persons where id = (select person from recoveries where id = old_id)
     for no key update;
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

-- As in 0007, but requests for one address wait for each other, so simultaneous ones are counted.
create or replace function auth.request_recovery(new_id text, to_email text, act jsonb)
  returns void language plpgsql security definer set search_path = auth, pg_temp as $$
declare found_person text;
begin
  perform pg_advisory_xact_lock(hashtextextended('recovery ' || inbox_of(to_email), 0));
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

-- Every call checks whether its integration is suspended, so all of its keys, clients and tokens
-- end with the commit. Clinics keep their records.
create function auth.end_integration(of_integration text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare moment timestamptz := clock_timestamp();
begin
  update integrations set suspended_at = coalesce(suspended_at, moment) where id = of_integration;
  update grants
     set status = case status when 'pending' then 'withdrawn' else 'revoked' end,
         ended_by = act ->> 'person', ended_at = moment
   where integration = of_integration and mode = 'live' and status in ('pending', 'active');
  update agreements set terminated_at = moment
   where integration = of_integration and terminated_at is null
     and (ends_at is null or ends_at > moment);
  update invitations set cancelled_at = moment
   where integration = of_integration and accepted_at is null and cancelled_at is null;
  return record_act(act, 'closeIntegration', null, of_integration, null, of_integration, null);
end $$;
revoke execute on function auth.end_integration from public;

-- As in 0006.
create or replace function auth.close_integration(of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is not null then
    return record_act(act, 'closeIntegration', null, of_integration, null, of_integration, refusal);
  end if;
  perform email_person('integration_closed', m.person, jsonb_build_object(
      'integration', i.name,
      'by', (select name from persons where id = act ->> 'person')))
    from members m join persons p on p.id = m.person and p.disabled_at is null
    join integrations i on i.id = m.integration
   where m.integration = of_integration and m.role = 'owner' and m.removed_at is null;
  return end_integration(of_integration, act);
end $$;

-- As in 0007, but it closes the integrations instead of only suspending them.
create or replace function auth.close_account(of_person text, act jsonb)
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
  perform end_integration(id, act || jsonb_build_object('person', of_person))
     from integrations where id = any (owned);
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

-- The mail server said that it will never accept this recipient. The email is still retried, but
-- nobody needs to repair anything.
alter table site.emails add column recipient_refused boolean not null default false;
grant update (recipient_refused) on site.emails to app_site;
