// The catalog queries that schema.ts runs. Each query takes a schema's name, and returns text by
// the name of its table or other object, in print order.

const withoutExtensions = (catalog: string, id: string) => `not exists (
  select from pg_depend e where e.classid = '${catalog}'::regclass and e.objid = ${id}
     and e.deptype = 'e')`

/** PostgreSQL prints parentheses around an operator, but not around a constant or a call. */
const inBrackets = (text: string) => `regexp_replace(${text}, '^([^(].*|.*[^)])$', '(\\1)')`

/** Whether PostgreSQL named the constraint. */
const isUnnamed = `(k.contype in ('p', 'u', 'f', 'c')
  and k.conname ~ ('^' || c.relname || '_(pkey|.*fkey[0-9]*|.*key[0-9]*|.*check[0-9]*)$'))`

export const queries = {
  roles: `
    select format('create role %s %s;', rolname, case when rolcanlogin then 'login'
                  else 'nologin' end) as text
      from pg_roles where rolname like 'app\\_%' and rolname not like 'app\\_operator\\_%' and $1 <> ''
     order by rolname`,

  tables: `
    select c.relname as name, case when c.relpersistence = 'u' then 'unlogged table' else 'table' end
             as head,
           coalesce(' partition by ' || lower(pg_get_partkeydef(c.oid)), '')
           || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') as options
      from pg_class c
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by 1`,

  /** Columns with their own constraints, then the table's constraints. */
  inside: `
    select c.relname as name, i.text from pg_class c cross join lateral (
      select 1 as kind, concat_ws(' ', format('%I', a.attname),
               format_type(a.atttypid, a.atttypmod),
               case when a.attcollation <> t.typcollation
                    then 'collate ' || quote_ident(l.collname) end,
               case when a.attnotnull then 'not null' end,
               case a.attidentity when 'a' then 'generated always as identity' end,
               case when a.attgenerated = 's'
                    then format('generated always as (%s) stored', pg_get_expr(d.adbin, c.oid))
                    when d.adbin is not null then 'default ' || pg_get_expr(d.adbin, c.oid) end,
               (select string_agg(regexp_replace(pg_get_constraintdef(k.oid),
                         '^(PRIMARY KEY|UNIQUE|FOREIGN KEY) \\([^)]*\\)(?= REFERENCES|$)( )?',
                         case k.contype when 'p' then 'primary key' when 'u' then 'unique' else '' end),
                         ' ' order by k.conname)
                  from pg_constraint k
                 where k.conrelid = c.oid and k.conkey = array[a.attnum] and ${isUnnamed}))
               as text, lpad(a.attnum::text, 4, '0') as sorted
        from pg_attribute a join pg_type t on t.oid = a.atttypid
        left join pg_collation l on l.oid = a.attcollation
        left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
       where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
      union all
      select 2, case when ${isUnnamed} then '' else 'constraint ' || k.conname || ' ' end
                || pg_get_constraintdef(k.oid), translate(k.contype::text, 'pufcx', '12345') || k.conname
        from pg_constraint k where k.conrelid = c.oid and k.contype in ('p', 'u', 'f', 'c', 'x')
         and not (cardinality(k.conkey) = 1 and ${isUnnamed})
    ) i
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')
     order by c.relname, i.kind, i.sorted collate "C"`,

  /** Indexes, except constraints' indexes, plus row-level security, triggers and grants. */
  beside: `
    select c.relname as name, i.text from pg_class c cross join lateral (
      select 1 as kind, x.relname::text as place, pg_get_indexdef(n.indexrelid) as text
        from pg_index n join pg_class x on x.oid = n.indexrelid
       where n.indrelid = c.oid
         and not exists (select from pg_constraint k where k.conindid = n.indexrelid
                            and k.contype in ('p', 'u', 'x'))
      union all
      select 2, '', format('alter table %s enable row level security%s', c.relname,
               case when c.relforcerowsecurity then ', force row level security' else '' end)
       where c.relrowsecurity
      union all
      select 3, p.polname, concat_ws(' ', format('create policy %s on %s', p.polname, c.relname),
               case when not p.polpermissive then 'as restrictive' end,
               case p.polcmd when 'r' then 'for select' when 'a' then 'for insert'
                             when 'w' then 'for update' when 'd' then 'for delete' end,
               'to ' || (select string_agg(case when r.rolsuper then 'current_user'
                                                else r.rolname end, ', ' order by r.rolname)
                           from pg_roles r where r.oid = any (p.polroles)),
               'using ' || ${inBrackets('pg_get_expr(p.polqual, c.oid)')},
               'with check ' || ${inBrackets('pg_get_expr(p.polwithcheck, c.oid)')})
        from pg_policy p where p.polrelid = c.oid
      union all
      select 4, t.tgname, pg_get_triggerdef(t.oid)
        from pg_trigger t where t.tgrelid = c.oid and not t.tgisinternal
      union all
      select 5, min(g.role), format('grant %s on %s to %s', g.rights, c.relname,
                                    string_agg(g.role, ', ' order by g.role))
        from (select r.rolname as role, string_agg(lower(g.privilege_type), ', '
                       order by lower(g.privilege_type)) as rights
                from aclexplode(c.relacl) g join pg_roles r on r.oid = g.grantee
               where g.grantee <> c.relowner group by r.rolname) g
       -- Each by itself where test and live have different ones.
       group by g.rights, case when $1 in ('test', 'live') then g.role end
      union all
      select 6, r.rolname || lower(g.privilege_type), format('grant %s (%s) on %s to %s',
               lower(g.privilege_type), string_agg(quote_ident(a.attname), ', ' order by a.attnum),
               c.relname, r.rolname)
        from pg_attribute a cross join lateral aclexplode(a.attacl) g
        join pg_roles r on r.oid = g.grantee
       where a.attrelid = c.oid and a.attnum > 0 group by r.rolname, g.privilege_type
    ) i
     where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
     order by c.relname, i.kind, i.place collate "C"`,

  /** Domains, views, and sequences that belong to no column. */
  others: `
    select t.typname as name, concat_ws(' ', 'create domain', t.typname, 'as',
             format_type(t.typbasetype, t.typtypmod),
             case when t.typcollation <> b.typcollation then 'collate ' || quote_ident(l.collname) end,
             (select string_agg(case when k.conname like '%\\_check' then '' else
                                'constraint ' || k.conname || ' ' end || pg_get_constraintdef(k.oid),
                                ' ' order by k.conname) from pg_constraint k where k.contypid = t.oid)) as text
      from pg_type t join pg_type b on b.oid = t.typbasetype
      left join pg_collation l on l.oid = t.typcollation
     where t.typnamespace = $1::regnamespace and t.typtype = 'd'
    union all
    select c.relname as name, concat('create view ', c.relname,
             ' with (' || array_to_string(c.reloptions, ', ') || ')', ' as ',
             -- PostgreSQL 15 writes a column with its table, where 18 writes the column alone.
             replace(rtrim(pg_get_viewdef(c.oid, true), ';'), ' tenants.', ' ')) as text
      from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'v'
    union all
    select c.relname, 'create sequence ' || c.relname
      from pg_class c where c.relnamespace = $1::regnamespace and c.relkind = 'S'
       and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i'))
     order by 1`,

  /** Functions, each with the roles that may call it. */
  functions: `
    select p.proname as name, concat_ws(' ',
             format('%s(%s)', p.proname, pg_get_function_arguments(p.oid)),
             'returns ' || pg_get_function_result(p.oid),
             case when p.prosecdef then 'security definer' end) as text,
           (select string_agg(coalesce(r.rolname, 'everyone'), ', ' order by r.rolname)
              from aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) g
              left join pg_roles r on r.oid = g.grantee where g.grantee <> p.proowner) as callers
      from pg_proc p
     where p.pronamespace = $1::regnamespace and ${withoutExtensions('pg_proc', 'p.oid')}
     order by 1, 2`,

  /** The roles that may use the schema. */
  usage: `
    select format('grant usage on schema %s to %s;', $1::text, string_agg(
             coalesce(r.rolname, 'public'), ', ' order by r.rolname)) as text
      from pg_namespace n cross join lateral aclexplode(n.nspacl) g
      left join pg_roles r on r.oid = g.grantee
     where n.nspname = $1 and g.grantee <> n.nspowner and g.privilege_type = 'USAGE'`,
}
