-- What an owner changes about an integration itself: its name and addresses, and its end. As in
-- 0024, each change is a function that decides it, writes its audit row in the same transaction,
-- and returns null or the code of what it refused.

alter table auth.integrations
  -- Where invoices go.
  add column billing_email text
    check (billing_email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(billing_email) <= 254);

-- '' removes an address.
create function auth.change_integration(of_integration text, new_name text, developers text,
    billing text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update integrations
       set name = new_name, developers_email = nullif(developers, ''),
           billing_email = nullif(billing, '')
     where id = of_integration;
  end if;
  return record_act(act, 'changeIntegration', null, of_integration, null, of_integration, refusal);
end $$;

-- Every call checks by itself whether its integration is suspended, so that all of its keys, clients
-- and tokens end with the commit. What is on the record of clinics stays with them.
create function auth.close_integration(of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  refusal text := refuse_member_change(of_integration, act);
  moment timestamptz := clock_timestamp();
  closed integrations;
begin
  if refusal is null then
    update integrations set suspended_at = moment where id = of_integration returning * into closed;
    update grants
       set status = case status when 'pending' then 'withdrawn' else 'revoked' end,
           ended_by = act ->> 'person', ended_at = moment
     where integration = of_integration and mode = 'live' and status in ('pending', 'active');
    update agreements set terminated_at = moment
     where integration = of_integration and terminated_at is null
       and (ends_at is null or ends_at > moment);
    update invitations set cancelled_at = moment
     where integration = of_integration and accepted_at is null and cancelled_at is null;
    perform email_person('integration_closed', m.person, jsonb_build_object(
        'integration', closed.name,
        'by', (select name from persons where id = act ->> 'person')))
      from members m join persons p on p.id = m.person and p.disabled_at is null
     where m.integration = of_integration and m.role = 'owner' and m.removed_at is null;
  end if;
  return record_act(act, 'closeIntegration', null, of_integration, null, of_integration, refusal);
end $$;

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('change_integration', 'close_integration') loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to app_auth', made);
  end loop;
end $$;
