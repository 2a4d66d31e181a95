// A clinic's rows, from every integration that has or ever had its grant.

import { limits } from '#contract/limits.ts'
import { nothing, sql, Statement } from '#database/sql.ts'
import type { StaffPrincipal } from './handler.ts'

type StaffCall = { readonly principal: Pick<StaffPrincipal, 'organization'> }

/** Returns a condition on the column `tenant`. */
export const ofClinic = ({ principal }: StaffCall): Statement => sql`
  tenant = any (array(
    select t.id from tenants t where t.organization = ${principal.organization.id}))`

/** Tests whether a column has one of the values, which must be our own constants. They're inlined,
 *  because a parameterized plan wouldn't match a partial index. */
export const constantsOf = (column: string, values: readonly string[]): Statement =>
  new Statement([`${column} in (${values.map(value => `'${value}'`).join(', ')})`], [])

type Newest = {
  /** Also names the table in `columns`. */
  readonly table: Statement
  readonly columns: Statement
  /** More conditions, each starting with `and`. */
  readonly where?: Statement
}
type PageBefore = { readonly limit?: number | undefined; readonly before?: string | undefined }

/** A page of the clinic's rows, newest first. Reads at most one page per integration. */
export const newestOf = (
  { principal }: StaffCall,
  { table, columns, where = nothing }: Newest,
  { limit = limits.pageDefault, before }: PageBefore,
): Statement => sql`
  with page as materialized (
    select r.* from tenants t cross join lateral (
      select * from ${table} where tenant = t.id ${where}
        ${before === undefined ? nothing : sql`and id < ${before}`}
       order by id desc limit ${limit + 1}::int) r
     where t.organization = ${principal.organization.id}
     order by r.id desc limit ${limit + 1}::int)
  select '' as id, json_build_object(
    'data', coalesce((select json_agg(row_to_json(r)) from (
      select ${columns} from page ${table} order by id desc limit ${limit}::int) r), '[]'),
    'has_more', (select count(*) from page) > ${limit}::int)::text as item`
