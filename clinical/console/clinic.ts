// A clinic's rows, from every integration that has or ever had its grant.

import { sql, Statement } from '#database/sql.ts'
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
