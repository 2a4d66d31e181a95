// The limits on concurrent uploads: sixteen per tenant, and sixty-four in total.

import { afterEach, expect, test } from 'bun:test'
import { type Fixtures, useFixtures } from '../testing/fixtures.ts'
import { type FileReservation, photo, putFile, reserveFile } from '../testing/files.ts'

const fixtures = useFixtures()
afterEach(() => expect(fixtures.errors.splice(0)).toEqual([]))

/** The same endpoint for all of a test's uploads, because each endpoint has its own count. */
const oneEndpoint = (): Fixtures => ({ ...fixtures, upload: fixtures.upload })

/** Starts uploads whose bytes are sent when the test ends them. */
function begin(guard: Fixtures, to: FileReservation, count: number) {
  return Array.from({ length: count }, () => {
    const go = Promise.withResolvers<void>()
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await go.promise
        controller.enqueue(photo)
        controller.close()
      },
    })
    const answer = putFile(guard, to, { body: body as BodyInit })
    return async () => {
      go.resolve()
      return (await answer).status
    }
  })
}

const statusesOf = async (uploads: (() => Promise<number>)[]) => {
  const statuses = new Set<number>()
  for (const end of uploads) statuses.add(await end())
  return [...statuses]
}

test('uploads: a tenant’s seventeenth concurrent upload gets 503; other tenants aren’t affected', async () => {
  const guard = oneEndpoint()
  const [mine, bens] = [
    await reserveFile(fixtures),
    await reserveFile(fixtures, { as: fixtures.ben.test }),
  ]
  const statusOfNext = async () => {
    const { status, headers } = await putFile(guard, mine)
    return [status, headers.get('retry-after')]
  }
  const first = begin(guard, mine, 16)
  expect(await statusOfNext()).toEqual([503, '5'])
  expect((await putFile(guard, bens)).status).toBe(200)
  expect(await statusesOf(first.splice(0, 15))).toEqual([200])
  // One upload hasn't ended, so there's room for fifteen.
  const second = begin(guard, mine, 15)
  expect(await statusOfNext()).toEqual([503, '5'])
  expect(await statusesOf([...first, ...second])).toEqual([200])
  const third = begin(guard, mine, 16)
  expect(await statusOfNext()).toEqual([503, '5'])
  expect(await statusesOf(third)).toEqual([200])
  expect(await statusOfNext()).toEqual([200, null])
})

test('uploads: the sixty-fifth concurrent upload gets 503, whichever tenant it’s from', async () => {
  const guard = oneEndpoint()
  const { ada, ben } = fixtures
  const places: FileReservation[] = []
  for (const as of [ada.test, ada.live, ben.test, ben.live]) {
    places.push(await reserveFile(fixtures, { as }))
  }
  const [first, ...others] = places
  if (!first) throw new Error('no reservation')
  // A link without a tenant is refused once its turn comes.
  const statusOfUnknown = async () =>
    (await putFile(guard, first, { url: 'http://localhost:3000/uploads/unknown' })).status
  const most = [...begin(guard, first, 15), ...others.flatMap(to => begin(guard, to, 16))]
  expect([most.length, await statusOfUnknown()]).toEqual([63, 403])
  const [last] = begin(guard, first, 1)
  expect([await statusOfUnknown(), await last?.()]).toEqual([503, 200])
  expect(await statusOfUnknown()).toBe(403)
  expect(await statusesOf(most)).toEqual([200])
})
