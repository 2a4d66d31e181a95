// A notification is a request without an ID. A notification's response never has a body.
import { expect, test } from 'bun:test'
import { agentCard } from '#contract/site/a2a.ts'
import { a2aPath } from '#contract/site/a2a.ts'
import { siteAgent } from '#content/agent.ts'
import { testDatabase } from '#database/testing/database.ts'
import { testRouter } from '#http/testing/endpoints.ts'
import { createSiteGroup } from '#gateway/server/content.ts'
import { newBuyer } from '../testing/acp-agent.ts'
import { openSiteServices } from '#gateway/testing/agents.ts'
import { a2aEndpoints } from '#gateway/a2a/routes.ts'

test('A2A: a refused or failed notification gets a status and no body', async () => {
  const database = await testDatabase()
  const services = openSiteServices(database, { peoplePerHour: 1 })
  const failures: unknown[] = []
  const group = createSiteGroup({
    endpoints: a2aEndpoints({ ...services, card: agentCard(siteAgent) }),
    requests: 1_000_000,
    onError: failure => void failures.push(failure),
  })
  const { enter } = testRouter(group)
  const send = async (more: object) => {
    const parts = [{ kind: 'data', data: newBuyer() }]
    const message = { kind: 'message', messageId: crypto.randomUUID(), role: 'user', parts }
    const body = { jsonrpc: '2.0', method: 'message/send', params: { message }, ...more }
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    const answer = await enter(new Request(`https://health.example${a2aPath}`, init), {
      address: '203.0.113.7',
    })
    const { 'content-type': type, 'retry-after': wait } = answer.headers.toJSON()
    return { status: answer.status, text: await answer.text(), type, wait: Number(wait ?? 0) }
  }
  const none = { text: '', type: undefined }
  expect(await send({})).toEqual({ status: 204, wait: 0, ...none })
  expect(await send({})).toEqual({ status: 429, wait: expect.any(Number), ...none })
  expect((await send({})).wait).toBeWithin(3000, 3601)
  const refused = await send({ id: null })
  expect([refused.status, JSON.parse(refused.text).id]).toEqual([429, null])
  await services.close()
  expect(await send({})).toMatchObject({ status: 503, ...none })
  const failed = await send({ id: 7 })
  expect([failed.status, JSON.parse(failed.text).id]).toEqual([503, 7])
  await database.close()
})
