-- An owner accepts the business associate agreement: with the text that they read, their name and
-- their title. The text is stored once for each version, so that what was accepted can be read for
-- as long as the rows are there, whatever the files of the site say then.

create table auth.agreement_texts (
  version text primary key check (version ~ '^\d{4}-\d\d-\d\d$'),
  body text not null,
  sha256 bytea not null check (octet_length(sha256) = 32),
  created_at timestamptz(3) not null default clock_timestamp()
);
grant select on auth.agreement_texts to app_auth;

-- Null in agreements that were accepted on paper.
alter table auth.agreements
  add column person text collate "C" references auth.persons,
  add column signatory_name text check (char_length(signatory_name) between 1 and 200),
  add column signatory_title text check (char_length(signatory_title) between 1 and 200),
  add column sha256 bytea check (octet_length(sha256) = 32),
  add column address text,
  add column agent text,
  add constraint agreements_signed_whole check (
    num_nonnulls(person, signatory_name, signatory_title, sha256) in (0, 4));

drop function auth.accept_agreement;

-- `of_text` is what the person read. A version has one text. Older versions end with the acceptance
-- of a newer one.
create function auth.accept_agreement(new_id text, of_integration text, of_version text,
    of_text text, name_of_signatory text, title_of_signatory text, act jsonb)
  returns text language plpgsql security definer set search_path = auth, pg_temp as $$
declare
  digest bytea := sha256(convert_to(of_text, 'UTF8'));
  refusal text := refuse_member_change(of_integration, act);
begin
  if refusal is null and exists (select from agreements
       where integration = of_integration and version >= of_version
         and terminated_at is null and ends_at is null) then refusal := 'already_accepted';
  end if;
  if refusal is null then
    insert into agreement_texts (version, body, sha256) values (of_version, of_text, digest)
    on conflict (version) do nothing;
    if digest <> (select sha256 from agreement_texts where version = of_version) then
      refusal := 'other_text';
    end if;
  end if;
  if refusal is null then
    update agreements set ends_at = clock_timestamp()
     where integration = of_integration and terminated_at is null
       and (ends_at is null or ends_at > clock_timestamp());
    insert into agreements (id, integration, version, person, signatory_name, signatory_title,
                            sha256, address, agent)
    values (new_id, of_integration, of_version, act ->> 'person', name_of_signatory,
            title_of_signatory, digest, act ->> 'address', left(act ->> 'agent', 300));
  end if;
  return record_act(act, 'acceptAgreement', 'live', of_integration, null, new_id, refusal);
end $$;
revoke execute on function auth.accept_agreement from public;
grant execute on function auth.accept_agreement to app_auth;
