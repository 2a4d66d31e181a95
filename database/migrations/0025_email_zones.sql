-- An email to a person shows times in their zone, so its facts include the zone: the one they chose
-- or, for an email about a clinic, the clinic's.
-- compatible with 0022

-- As in 0005, but it adds the zone. Facts that have one keep it.
create or replace function site.queue_person_email(what text, facts jsonb) returns void
  language sql volatile security definer set search_path = site, pg_temp as $$
  insert into emails (id, subject, audience, kind, sequence, facts)
  select id, id, 'person', what, 0, jsonb_strip_nulls(jsonb_build_object('zone', coalesce(
           (select p.time_zone from auth.persons p
             where public.normalized_email(p.email)
                 = public.normalized_email(queue_person_email.facts ->> 'email')),
           (select c.time_zone from auth.clinic_settings c
             where c.organization = queue_person_email.facts ->> 'organization_id')))) || facts
    from (select public.new_id('mail') as id) made
$$;
