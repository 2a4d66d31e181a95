import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { SendMessageRequest } from '@a2a-js/sdk'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import { LegacyJsonRpcTransport } from '@a2a-js/sdk/compat/v0_3/client'
import { agentCard, hybridCard } from '#contract/site/a2a.ts'
import { say } from '#content/consent.ts'
import { newBuyer } from '../testing/acp-agent.ts'
import { type AgentsFixture, openAgents, site } from '#gateway/testing/agents.ts'
import { faultsBy03, faultsBy10 } from '../testing/a2a-schemas.ts'
import { dialects, once } from '../testing/a2a-caller.ts'

// The official A2A clients, unmodified.
let context: AgentsFixture
beforeAll(async () => {
  context = await openAgents()
}, 60_000)
afterAll(() => context?.close())

describe('A2A: the official clients', () => {
  const texts = {
    site,
    name: 'Example Health',
    minutes: 30,
    stated: say('stated'),
    notMedical: '',
    privacy: '',
  }
  const fetchImpl = (async (url: string | URL | Request, init?: RequestInit) => {
    const { pathname } = new URL(url instanceof Request ? url.url : url)
    if (pathname === '/.well-known/agent-card.json') return Response.json(hybridCard(texts))
    return context.ask(pathname, init)
  }) as typeof fetch
  const request = (person: object) =>
    SendMessageRequest.fromJSON(dialects['1.0'].send([dialects['1.0'].data(person)]).params)

  test('version 1.0 finds the agent through its card, and books', async () => {
    const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
      transports: [new JsonRpcTransportFactory({ fetchImpl })],
      cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
    })
    const client = await new ClientFactory(options).createFromUrl(site)
    const person = newBuyer()
    const result = JSON.stringify(await client.sendMessage(request(person)))
    expect(result).toContain(`${site}/booking/`)
    expect(await context.rowsOf(person.email)).toEqual(once)
  })

  test('version 0.3 books at the card’s top-level URL', async () => {
    const { url } = hybridCard(texts) as { url: string }
    const client = new LegacyJsonRpcTransport({ endpoint: url, fetchImpl })
    const person = newBuyer()
    expect(JSON.stringify(await client.sendMessage(request(person)))).toContain(`${site}/booking/`)
    expect(await context.rowsOf(person.email)).toEqual(once)
    await expect(
      client.getTask({ tenant: '', id: 'x', historyLength: undefined }),
    ).rejects.toThrow()
  })
})

test('A2A: the agent cards match the official schemas', async () => {
  const texts = {
    site,
    name: 'Example Health',
    minutes: 30,
    stated: 'Sending states consent.',
    notMedical: 'No.',
    privacy: '',
  }
  expect(await faultsBy10('Agent Card', agentCard(texts))).toEqual([])
  expect(await faultsBy03('AgentCard', hybridCard(texts))).toEqual([])
  expect(await faultsBy10('Agent Card', hybridCard(texts))).not.toEqual([])
})
