-- As those of 0036, but a form that was sent twice makes one integration, and sends one invitation:
-- it is claimed as in 0041.

create or replace function auth.create_integration(new_id text, new_organization text, new_grant text,
    integration_name text, of_person text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := claim_form(act);
begin
  if refusal is null and of_person is not null then
    -- The integrations of one person are counted one after the other.
    perform from persons where id = of_person and disabled_at is null for no key update;
    if not found then refusal := 'not_found';
    elsif (select count(*) from members m join integrations i on i.id = m.integration
            where m.person = of_person and m.role = 'owner' and m.removed_at is null
              and i.suspended_at is null) >= 20 then refusal := 'too_many_integrations';
    end if;
  end if;
  if refusal is null then
    insert into integrations (id, name) values (new_id, integration_name);
    insert into organizations (id, name, slug, sandbox_of)
    values (new_organization, 'Harbor Telehealth Clinic (sandbox)', 'harbor-sandbox', new_id);
    insert into grants (id, integration, organization, mode, scopes, status)
    values (new_grant, new_id, new_organization, 'test', all_scopes(), 'active');
    insert into test.tenants (integration, organization) values (new_id, new_organization);
    if of_person is not null then
      insert into members (integration, person, role) values (new_id, of_person, 'owner');
    end if;
  end if;
  return record_act(act, 'createIntegration', 'test', case when refusal is null then new_id end,
                    null, new_id, refusal);
end $$;

create or replace function auth.invite_member(new_id text, of_integration text, to_email text, new_role text,
    act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null and exists (
    select from members m join persons p on p.id = m.person
     where m.integration = of_integration and m.removed_at is null
       and lower(p.email) = lower(to_email)) then refusal := 'already_member'; end if;
  if refusal is null and (select count(*) from invitations where integration = of_integration
       and created_at > clock_timestamp() - interval '1 day') >= 50 then
    refusal := 'too_many_invitations';
  end if;
  if refusal is null then refusal := claim_form(act); end if;
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where integration = of_integration and lower(email) = lower(to_email)
       and accepted_at is null and cancelled_at is null;
    insert into invitations (id, integration, email, role, invited_by)
    values (new_id, of_integration, to_email, new_role, act ->> 'person');
    perform site.queue_person_email('invitation', jsonb_build_object(
      'email', to_email, 'invitation', new_id, 'role', new_role,
      'integration', (select name from integrations where id = of_integration),
      'by', (select name from persons where id = act ->> 'person')));
  end if;
  return record_act(act, 'inviteMember', null, of_integration, null, new_id, refusal);
end $$;
