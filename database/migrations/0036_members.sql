-- Who belongs to an integration: it is made with its first owner, and an owner invites others,
-- changes their roles and removes them. As in 0024, each change is a function that decides it and
-- writes its audit row in the same transaction, returns null or the code of what it refused, and is
-- given `act`, which names who asked. Changes of the members of one integration wait for each other at its row,
-- so that two owners who leave at once do not leave it without one.

create function auth.new_id(prefix text) returns text language sql volatile
  set search_path = pg_temp
  return public.ulid(prefix, clock_timestamp(), test.ulid_random());
revoke execute on function auth.new_id from public;

-- Emails to people are queued with the others. What is queued holds no link: the process that sends
-- it signs the id of what the link is for (auth/accounts/links.ts).
alter table site.emails drop constraint emails_audience_check,
  add constraint emails_audience_check
    check (audience in ('buyer', 'sales', 'developers', 'person'));
create function site.queue_person_email(what text, facts jsonb) returns void
  language sql volatile security definer set search_path = site, pg_temp as $$
  insert into emails (id, subject, audience, kind, sequence, facts)
  select id, id, 'person', what, 0, facts from (select auth.new_id('mail') as id) made
$$;
revoke execute on function site.queue_person_email from public;

-- `of_person`: its first owner; null for the operator. The trigger on tenants makes the integration's
-- own tenant.
create function auth.create_integration(new_id text, new_organization text, new_grant text,
    integration_name text, of_person text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text;
begin
  if of_person is not null then
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

create table auth.invitations (
  id text collate "C" primary key,
  integration text collate "C" not null references auth.integrations,
  email text not null check (email ~ '^[^\s@<>,"]+@[^\s@<>,"]+$' and char_length(email) <= 254),
  role text not null check (role in ('owner', 'developer', 'billing', 'viewer')),
  invited_by text collate "C" references auth.persons, -- null: the operator
  created_at timestamptz(3) not null default clock_timestamp(),
  expires_at timestamptz(3) not null default clock_timestamp() + interval '7 days',
  accepted_by text collate "C" references auth.persons,
  accepted_at timestamptz(3),
  cancelled_at timestamptz(3),
  check ((accepted_by is null) = (accepted_at is null)),
  check (accepted_at is null or cancelled_at is null)
);
-- An address has one open invitation to an integration.
create unique index invitations_open on auth.invitations (integration, lower(email))
  where accepted_at is null and cancelled_at is null;
create index on auth.invitations (integration, created_at);
grant select on auth.invitations to app_auth;

-- Locks the integration for a change of its members, and checks that an owner asked. Who is no
-- member learns nothing of it.
create function auth.refuse_member_change(of_integration text, act jsonb) returns text
  language plpgsql set search_path = auth, pg_temp as $$
declare role_of_person text;
begin
  perform from integrations where id = of_integration and suspended_at is null for no key update;
  if not found then return 'unknown_integration'; end if;
  if act ->> 'person' is null then return null; end if;
  select m.role into role_of_person from members m
    join persons p on p.id = m.person and p.disabled_at is null
   where m.integration = of_integration and m.person = act ->> 'person' and m.removed_at is null;
  if not found then return 'unknown_integration'; end if;
  return case when role_of_person <> 'owner' then 'owner_required' end;
end $$;
revoke execute on function auth.refuse_member_change from public;

-- Whether the integration has another owner than this member, who can sign in.
create function auth.has_other_owner(of_integration text, member text) returns boolean
  language sql volatile set search_path = auth, pg_temp as $$
  select exists (select from members m join persons p on p.id = m.person and p.disabled_at is null
    where m.integration = of_integration and m.person <> member and m.role = 'owner'
      and m.removed_at is null)
$$;
revoke execute on function auth.has_other_owner from public;

-- A new invitation takes the place of an open one to the same address.
create function auth.invite_member(new_id text, of_integration text, to_email text, new_role text,
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

create function auth.cancel_invitation(old_id text, of_integration text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    update invitations set cancelled_at = clock_timestamp()
     where id = old_id and integration = of_integration
       and accepted_at is null and cancelled_at is null;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'cancelInvitation', null, of_integration, null, old_id, refusal);
end $$;

-- The person who asks must have the address that was invited. A member keeps their role: an
-- invitation to a lower one must not demote the last owner.
create function auth.accept_invitation(old_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text; invited invitations;
begin
  perform from integrations i where i.suspended_at is null
     and i.id = (select integration from invitations where id = old_id) for no key update;
  select * into invited from invitations
   where id = old_id and accepted_at is null and cancelled_at is null
     and expires_at > clock_timestamp()
     and exists (select from integrations i where i.id = integration and i.suspended_at is null)
     for update;
  if not found then refusal := 'not_found';
  elsif not exists (select from persons where id = act ->> 'person' and disabled_at is null
     and lower(email) = lower(invited.email)) then refusal := 'other_address';
  elsif exists (select from members where integration = invited.integration
     and person = act ->> 'person' and removed_at is null) then refusal := 'already_member';
  else
    update invitations set accepted_at = clock_timestamp(), accepted_by = act ->> 'person'
     where id = old_id;
    insert into members (integration, person, role)
    values (invited.integration, act ->> 'person', invited.role)
    on conflict (integration, person) do update
       set role = excluded.role, removed_at = null, created_at = clock_timestamp();
  end if;
  return record_act(act, 'acceptInvitation', null, invited.integration, null, old_id, refusal);
end $$;

create function auth.change_role(of_integration text, member text, new_role text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null then
    if not exists (select from members where integration = of_integration and person = member
       and removed_at is null) then refusal := 'not_found';
    elsif new_role <> 'owner' and not has_other_owner(of_integration, member) then
      refusal := 'last_owner';
    else
      update members set role = new_role where integration = of_integration and person = member;
    end if;
  end if;
  return record_act(act, 'changeRole', null, of_integration, null, member, refusal);
end $$;

-- An owner removes any member; everyone may leave. The triggers on members end the tokens that act
-- for them in the same transaction.
create function auth.remove_member(of_integration text, member text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_member_change(of_integration, act);
begin
  if refusal = 'owner_required' and member = act ->> 'person' then refusal := null; end if;
  if refusal is null then
    if not exists (select from members where integration = of_integration and person = member
       and removed_at is null) then refusal := 'not_found';
    elsif not has_other_owner(of_integration, member) then refusal := 'last_owner';
    else
      update members set removed_at = clock_timestamp()
       where integration = of_integration and person = member;
    end if;
  end if;
  return record_act(act, 'removeMember', null, of_integration, null, member, refusal);
end $$;

do $$
declare made regprocedure;
begin
  for made in select oid::regprocedure from pg_proc where pronamespace = 'auth'::regnamespace
     and proname in ('create_integration', 'invite_member', 'cancel_invitation',
                     'accept_invitation', 'change_role', 'remove_member') loop
    execute format('revoke execute on function %s from public', made);
    execute format('grant execute on function %s to app_auth', made);
  end loop;
end $$;
