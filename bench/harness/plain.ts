// Tables with the same columns and indexes as ours, without policies or checks.
import { sql, type Statement } from '#database/sql.ts'

/** Recreates the schema `plain` with a copy of each named table. */
export const plainTables = (names: Statement): Statement => sql`
  do $$
  declare
    made record;
  begin
    drop schema if exists plain cascade;
    create schema plain;
    create sequence plain.ids;
    for made in select c.oid, c.relname as name, c.reloptions as options from pg_class c
                 where c.oid = any (array[${names}]::regclass[]) loop
      execute format('create table plain.%I (like %s including defaults including identity
                      including indexes including storage)', made.name, made.oid::regclass);
      if made.options is not null then
        execute format('alter table plain.%I set (%s)', made.name,
                       array_to_string(made.options, ', '));
      end if;
    end loop;
    -- A domain is a check.
    for made in select a.attrelid::regclass as of_table, a.attname as name, t.typbasetype as base
                  from pg_attribute a join pg_type t on t.oid = a.atttypid and t.typtype = 'd'
                  join pg_class c on c.oid = a.attrelid and c.relkind = 'r'
                 where c.relnamespace = 'plain'::regnamespace loop
      execute format('alter table %s alter %I type %s', made.of_table, made.name,
                     made.base::regtype);
    end loop;
    grant usage on schema plain to app_test;
    grant all on all tables in schema plain to app_test;
    grant all on all sequences in schema plain to app_test;
  end $$`
