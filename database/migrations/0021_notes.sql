-- A clinic's internal texts: reusable texts, and clinical notes. Live mode only, and never visible
-- to integrations.

-- The intake answers in a chart's banner, note templates and saved replies. If `person` is null,
-- the text belongs to the whole clinic.
create table auth.clinic_texts (
  id text collate "C" primary key default public.new_id('txt'),
  organization text collate "C" not null references auth.organizations,
  person text collate "C",
  kind text not null check (kind in ('banner', 'template', 'decline', 'question', 'message')),
  name text not null check (char_length(name) between 1 and 80),
  body text not null check (char_length(body) <= 5000),
  updated_at timestamptz(3) not null default clock_timestamp(),
  foreign key (organization, person) references auth.staff,
  unique nulls not distinct (organization, person, kind, name),
  check (person is null or kind in ('decline', 'question', 'message'))
);
grant select on auth.clinic_texts to app_auth;

-- Administrators change the clinic's texts. Staff who care for patients change their own, which
-- nobody else can read.
create function auth.refuse_text_change(of_organization text, of_person text, act jsonb)
  returns text language plpgsql set search_path = auth, pg_temp as $$
declare refusal text := refuse_clinic_change(of_organization, act);
begin
  if of_person <> act ->> 'person' then return 'not_found'; end if;
  if refusal = 'admin_required' and of_person = act ->> 'person' and exists (
    select from staff s where organization = of_organization and person = of_person
       and removed_at is null and roles_now(s) && array['clinician', 'nurse']) then return null; end if;
  return refusal;
end $$;

-- Replaces the text with the same kind and name.
create function auth.save_clinic_text(of_organization text, of_person text, of_kind text,
    new_name text, new_body text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare refusal text := refuse_text_change(of_organization, of_person, act);
begin
  if refusal is null then
    insert into clinic_texts (organization, person, kind, name, body)
    values (of_organization, of_person, of_kind, new_name, new_body)
    on conflict (organization, person, kind, name) do update
       set body = new_body, updated_at = clock_timestamp();
  end if;
  return record_act(act, 'saveClinicText', 'live', null, null, of_organization, refusal);
end $$;

create function auth.remove_clinic_text(of_organization text, of_id text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  of_person text := (select person from clinic_texts
                      where organization = of_organization and id = of_id);
  refusal text := refuse_text_change(of_organization, of_person, act);
begin
  if refusal is null then
    delete from clinic_texts where organization = of_organization and id = of_id;
    if not found then refusal := 'not_found'; end if;
  end if;
  return record_act(act, 'removeClinicText', 'live', null, null, of_organization, refusal);
end $$;
revoke execute on function auth.refuse_text_change, auth.save_clinic_text, auth.remove_clinic_text
  from public;
grant execute on function auth.save_clinic_text, auth.remove_clinic_text to app_auth;
