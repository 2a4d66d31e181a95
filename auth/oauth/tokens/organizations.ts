// The organization that a token is for. A client can name an organization at the token endpoint.
// The token is then pinned to that organization, as a key can be, and can't access the
// integration's other organizations. The organization's granted scopes are still checked at each
// use.

import { isId } from '#contract/ids.ts'
import type { Connection } from '#database/pool.ts'
import { sql, type Statement } from '#database/sql.ts'
import { OAuthRefusal } from '../refuse.ts'

/** An organization that doesn't exist gets the same response. */
export const organizationRefused = (client?: string) =>
  new OAuthRefusal(
    'invalid_target',
    "organization must have granted this integration access in the client's mode",
    client === undefined ? {} : { client },
  )

/** The organization that a request names, or null if it names none. */
export function requestedOrganization(form: URLSearchParams): string | null {
  const given = form.get('organization')
  if (given !== null && !isId('org', given)) throw organizationRefused()
  return given
}

/** Whether a credential that is pinned to `own`, or not pinned, can be pinned to `asked`. A pin
 *  never changes. `of` has an integration and a mode. */
export const mayBePinned = (of: Statement, own: Statement, asked: Statement): Statement => sql`
  (${asked}::text is null or coalesce(${own}, ${asked}) = ${asked} and exists (
    select from auth.grants g where g.integration = ${of}.integration and g.mode = ${of}.mode
       and g.status = 'active' and g.organization = ${asked}))`

/** Checks the family before the request uses up a code or token. */
export async function checkFamilyPin(
  connection: Connection,
  family: string,
  asked: string,
): Promise<void> {
  const found = await connection.run(sql`
    select from auth.token_families f
     where f.id = ${family} and ${mayBePinned(sql`f`, sql`f.organization`, sql`${asked}`)}`)
  if (found.length === 0) throw organizationRefused()
}
