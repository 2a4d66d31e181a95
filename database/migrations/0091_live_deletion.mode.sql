-- In live, a deleted patient is hidden from the integration, and the clinic keeps its record: the
-- details and the filed documents. In test the details are erased, as before.

alter table patients drop constraint patients_check1; -- only live
alter table patients add constraint kept_after_deletion check (first_name is not null and last_name is not null and date_of_birth is not null and sex_at_birth is not null and email is not null and phone is not null and address is not null); -- only live
alter table patients drop constraint patients_check; -- only live

-- A filed document stays with the record; what was only reserved is removed when it expires.
create or replace function sweep_files(batch int) returns bigint language plpgsql volatile security definer set search_path = {mode}, pg_temp as 'declare expired bigint; begin delete from files where ctid = any (array(select f.ctid from files f where f.expires_at <= now() limit batch for update skip locked)); get diagnostics expired = row_count; return expired; end'; -- only live
