// Replaces a secret. The previous secret stays valid for a grace period. Rotating again within that
// time invalidates the oldest secret immediately, so a leaked secret can always be replaced.

import { limits } from '#contract/limits.ts'
import { sql } from '#database/sql.ts'
import { clock } from '../pipeline/clock.ts'
import { encryptedSecret } from '../pipeline/encrypted-members.ts'
import { write } from '../pipeline/handler.ts'
import { published } from '../pipeline/publish.ts'
import { endpointColumnsWithSecret, endpointOf, integrationTenant } from './endpoint.ts'

type Facts = { id: string; updated_at: string }

export const rotateWebhookSecret = write('rotateWebhookSecret', {
  encrypted: encryptedSecret,
  facts: (_call, { id }) => sql`select id, iso(updated_at) as updated_at ${endpointOf(id)}`,
  inspect: async ({ principal }, _input, _facts: Facts | null, { webhooks }) =>
    webhooks.secretOf(principal),
  decide: (call, _input, found, secret: string) => {
    if (!found) throw call.refuse('not_found')
    return { ...found, secret }
  },
  write: (call, { id, updated_at, secret }) => sql`
    held as materialized (
      select id ${endpointOf(id)} and updated_at = ${updated_at}::timestamptz
         and exists (select from go) for no key update
    ), ${clock(call, 1, sql`held`, integrationTenant)},
    changed as (
      update webhook_endpoints set secret = ${secret}, previous_secret = secret,
             previous_secret_expires_at = date_trunc('milliseconds', clock_timestamp())
               + ${limits.webhookSecretGraceHours}::int * interval '1 hour',
             updated_at = c.at
        from clock c
       where tenant = ${integrationTenant} and id = ${id}
      returning id, ${published(endpointColumnsWithSecret)} as answer
    )`,
})
