// Sends every operation and every request example in the OpenAPI document to a running server, and
// validates the responses against the document.

import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { callableIds, callable } from '#contract/callable.ts'
import { type CallOptions, queuedCase, rivera } from '#clinical/testing/call.ts'
import { validCalls } from '#clinical/testing/valid-calls.ts'
import { freeStarts } from '#clinical/testing/visits.ts'
import { type EndpointRouter, send } from './testing/example-calls.ts'
import { asDocumented, requestsOf } from './testing/openapi-validator.ts'
import { openTestGateway } from '#gateway/testing/gateway.ts'

let gateway: EndpointRouter
beforeAll(async () => {
  gateway = await openTestGateway()
})
afterAll(() => gateway.close())

/** Moves a past period of time to end an hour ago, so that it doesn't grow too old. */
function recent<Value extends Record<string, unknown>>(value: Value): Value {
  const { since, until = since } = value
  if (typeof since !== 'string' || typeof until !== 'string') return value
  const added = Date.now() - 3_600_000 - Date.parse(until)
  const moved = (text: string) => new Date(Date.parse(text) + added).toISOString()
  return { ...value, since: moved(since), ...('until' in value && { until: moved(until) }) }
}

/** Replaces the example's IDs with test resources' IDs, its start time with a free start time, and
 *  its period with a recent one. */
function placed(example: unknown, resources: string, start: string): unknown {
  const idsByPrefix = Map.groupBy(
    [...new Set(resources.match(/[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}/g))],
    one => one.split('_')[0] ?? '',
  )
  const taken = new Map<string, number>()
  const text = JSON.stringify(example).replaceAll(/[a-z]+_[0-7][0-9a-hjkmnp-tv-z]{25}/g, found => {
    const [prefix = ''] = found.split('_')
    const ours = prefix === 'med' ? undefined : idsByPrefix.get(prefix)
    const at = taken.get(prefix) ?? 0
    taken.set(prefix, at + 1)
    return ours?.[at % ours.length] ?? found
  })
  const value = JSON.parse(text) as Record<string, unknown>
  return recent('starts_at' in value ? { ...value, starts_at: start } : value)
}

/** The call's own start time, or one available to the example's patient. */
async function startFor(validCall: CallOptions): Promise<string> {
  const { starts_at } = (validCall.id === undefined ? {} : (validCall.body ?? {})) as {
    starts_at?: string
  }
  return starts_at ?? (await freeStarts(gateway.fixtures, rivera.address.state)).at(-1) ?? ''
}

describe('OpenAPI: every operation responds as documented', () => {
  for (const id of callableIds) {
    test(id, async () => {
      const validCall = await validCalls[id](gateway.fixtures, gateway.fixtures.ada.test)
      const answer = await send(gateway, id, validCall)
      expect([id, answer.status]).toEqual([id, callable[id].status])
      await asDocumented(id, answer)
    })
  }
})

describe('OpenAPI: every request example is accepted', () => {
  for (const id of callableIds) {
    for (const [name, example] of requestsOf(id)) {
      test(`${id}: ${name}`, async () => {
        const validCall = await validCalls[id](gateway.fixtures, gateway.fixtures.ada.test)
        const resources =
          validCall.id === undefined ? await queuedCase(gateway.fixtures) : validCall
        const start = await startFor(validCall)
        const body = placed(
          example,
          JSON.stringify({ resources, validCall: validCall.body }),
          start,
        )
        const answer = await send(gateway, id, { ...validCall, body })
        const refusal = answer.status >= 400 ? await answer.clone().json() : null
        expect([id, name, answer.status, refusal]).toEqual([id, name, callable[id].status, null])
        await asDocumented(id, answer)
      })
    }
  }
})
