import type { Output } from '#contract/api.ts'
import { limits } from '#contract/limits.ts'
import { holderOf } from '#auth/principal.ts'
import { sql } from '#database/sql.ts'
import { momentText } from '#database/clock.ts'
import { write } from '../pipeline/handler.ts'
import { encryptedToken, tokenPurpose } from '../pipeline/encrypted-members.ts'
import { integrationTenant } from '../webhooks/endpoint.ts'
import { channelNameOf } from '#contract/realtime.ts'

export const createRealtimeToken = write('createRealtimeToken', {
  encrypted: encryptedToken,
  inspect: async ({ realNow, principal }, _input, _facts: null, { realtime, webhooks }) => {
    const { integration, mode, organization } = principal
    const channel = channelNameOf({ integration, mode, organization: organization.id })
    // JWT timestamps are whole seconds, and verifiers compare them with real time.
    const expires = (Math.floor(realNow / 1000) + limits.realtimeTokenSeconds) * 1000
    const token = await realtime.mint(mode, {
      channel,
      integration,
      holder: holderOf(principal),
      expires,
    })
    const answer: Output<'createRealtimeToken'> = {
      token: webhooks.encryption.encrypt(tokenPurpose(principal), token),
      channel,
      capability: 'subscribe',
      mode,
      expires_at: momentText(expires),
    }
    return JSON.stringify(answer)
  },
  decide: (_call, _input, _facts, answer: string) => answer,
  // While a token is valid, the events of the integration's tenants are read.
  write: (_call, answer) => sql`
    subscribed as (
      update tenants set realtime_from = case when realtime_until > now() then realtime_from
                                              else now() end,
                         realtime_until = now() + ${limits.realtimeTokenSeconds}::int * interval '1 s'
       where id = ${integrationTenant} and exists (select from go)
    ), changed as (select '' as id, ${answer}::text as answer from go)`,
})
