// Realtime connections opened with an access token, over real sockets at two gateways. The
// connections last as long as the token's family, not just for the token's one hour.

import { describe, expect, test } from 'bun:test'
import { type IssuedToken, issueToken, type TokenRequest } from '#auth/testing/tokens.ts'
import { queryAsOwner } from '#clinical/testing/assertions.ts'
import { invoke } from '#clinical/testing/call.ts'
import { realtimeCloses } from '#contract/realtime.ts'
import { sql, type Statement } from '#database/sql.ts'
import { subscribe, tokenFor } from '#gateway/testing/subscribers.ts'
import { idsOf, triggerEvent, useTwoGateways } from '../testing/two-gateways.ts'

const gateways = useTwoGateways()
const { fixtures } = gateways

const issue = (request: Partial<TokenRequest> = {}): Promise<IssuedToken> =>
  fixtures.owner.use(connection =>
    issueToken(connection, fixtures.context.pepper, {
      integration: fixtures.ada.integration,
      ...request,
    }),
  )
/** Opens a socket at each gateway. */
const socketsOf = async ({ token }: IssuedToken) => [
  await subscribe(gateways.here, await tokenFor(fixtures, token)),
  await subscribe(gateways.there, await tokenFor(fixtures, token)),
]
const run = (statement: Statement) => queryAsOwner(fixtures, statement)
const endToken = ({ id }: IssuedToken) =>
  run(sql`
    update auth.credentials set revoked_at = now(), expires_at = now() - interval '1 second'
     where id = ${id}`)

describe('realtime: connections with an access token', () => {
  test.each(['client', 'agent', 'device'] as const)(
    'stay open when a token of kind %s expires or is refreshed',
    async kind => {
      const issued = await issue({ kind })
      const sockets = await socketsOf(issued)
      await endToken(issued)
      expect((await invoke(fixtures, 'getOrganization', { as: issued.token })).code).toBe(
        'unauthorized',
      )
      const next = await issue({ kind, of: issued })
      for (const gateway of [gateways.here, gateways.there]) await gateway.broker.maintain()
      const { id } = await triggerEvent(fixtures, next.token)
      for (const socket of sockets) expect(idsOf(await socket.received(1))).toEqual([id])
    },
  )

  const endings: [name: string, statement: (issued: IssuedToken) => Statement][] = [
    [
      'the family is revoked',
      ({ family }) => sql`update auth.token_families set revoked_at = now() where id = ${family}`,
    ],
    [
      'the family ends',
      ({ family }) =>
        sql`update auth.token_families set ends_at = now() - interval '1 ms' where id = ${family}`,
    ],
    [
      'the client is revoked',
      ({ client }) => sql`update auth.clients set revoked_at = now() where id = ${client}`,
    ],
    [
      'the member is removed',
      ({ person }) => sql`update auth.members set removed_at = now() where person = ${person}`,
    ],
    [
      'the member gets a role without the scope',
      ({ person }) => sql`update auth.members set role = 'viewer' where person = ${person}`,
    ],
    [
      'the person is disabled',
      ({ person }) => sql`update auth.persons set disabled_at = now() where id = ${person}`,
    ],
  ]
  test.each(endings)('are closed at both gateways when %s', async (_name, statement) => {
    const [issued, beside] = [await issue({ kind: 'agent' }), await issue({ kind: 'agent' })]
    const sockets = await socketsOf(issued)
    const [other] = await socketsOf(beside)
    await run(statement(issued))
    for (const one of sockets) expect(await one.closed).toEqual(realtimeCloses.revoked)
    expect(other?.socket.readyState).toBe(WebSocket.OPEN)
  })

  test('are refused with a token whose family has ended', async () => {
    const issued = await issue({ kind: 'agent' })
    const token = await tokenFor(fixtures, issued.token)
    await run(sql`update auth.token_families set revoked_at = now() where id = ${issued.family}`)
    const late = await subscribe(gateways.here, token)
    expect([late.hello, await late.closed]).toEqual([null, realtimeCloses.revoked])
  })
})
