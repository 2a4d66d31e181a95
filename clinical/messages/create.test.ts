import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ask, queuedCase, must } from '../testing/call.ts'
import { type Fixtures, openFixtures } from '../testing/fixtures.ts'
import { expectFaults, unknownId, refused, told } from '../testing/assertions.ts'

let fixtures: Fixtures
let id: string
beforeAll(async () => {
  fixtures = await openFixtures()
})
beforeEach(async () => {
  ;({ id } = await queuedCase(fixtures))
})
afterAll(() => fixtures.close())

describe('201', () => {
  test.each([
    ['createMessage', { body: 'Hello.' }, 'integration'],
    ['createMessage', { body: 'Hello.', author: 'integration' }, 'integration'],
    ['createMessage', { body: 'Hello.', author: 'patient' }, 'patient'],
    ['sendClinicianMessage', { body: 'Hello.' }, 'clinician'],
  ] as const)('%s %j is written by the %s', async (operation, body, author) => {
    const before = await ask(fixtures, 'getCase', { id })
    const { answer, lines } = await told(fixtures, () => ask(fixtures, operation, { id, body }))
    expect([answer.status, answer.headers['location']]).toEqual([201, undefined])
    expect(answer.text).toBe(
      JSON.stringify({
        id: answer.body.id,
        status: 'sent',
        case: id,
        kind: 'message',
        author,
        target: null,
        body: 'Hello.',
        created_at: answer.body.created_at,
      }),
    )
    expect(lines).toEqual([`case.message_created.v1 queued → queued ${id}`])
    expect((await ask(fixtures, 'getCase', { id })).text).toBe(before.text)
  })

  test('the thread holds every message once, in order, across pages', async () => {
    const sent: string[] = []
    for (let at = 0; at < 5; at++) {
      sent.push(
        (await ask(fixtures, 'createMessage', { id, body: { body: `line ${at}\nmore` } })).text,
      )
    }
    const first = await ask(fixtures, 'listMessages', { id, query: { limit: '3' } })
    expect(first.text).toBe(`{"data":[${sent.slice(0, 3).join(',')}],"has_more":true}`)
    const query = { limit: '3', starting_after: first.body.data[2].id }
    const second = await ask(fixtures, 'listMessages', { id, query })
    expect(second.text).toBe(`{"data":[${sent.slice(3).join(',')}],"has_more":false}`)
  })

  test('5,000 characters are 5,000 code points', async () => {
    const body = '\u{1F642}'.repeat(5000)
    expect((await must(fixtures, 'createMessage', { id, body: { body } })).body).toBe(body)
  })

  test('chatting while a question is open answers nothing', async () => {
    const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    const asked = await must(fixtures, 'decideCase', { id, body: question })
    const { lines } = await told(fixtures, () =>
      must(fixtures, 'createMessage', { id, body: { body: 'x' } }),
    )
    const waiting = 'waiting_on_patient'
    expect(lines).toEqual([`case.message_created.v1 ${waiting} → ${waiting} ${id}`])
    expect((await must(fixtures, 'getCase', { id })).question).toEqual(asked.question)
  })

  test('messages from both sides at once are each kept', async () => {
    const sendAll = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          must(fixtures, at % 2 ? 'createMessage' : 'sendClinicianMessage', {
            id,
            body: { body: `${at}` },
          }),
        ),
      )
    const { lines } = await told(fixtures, sendAll)
    expect(lines).toHaveLength(10)
    expect((await must(fixtures, 'listMessages', { id })).data).toHaveLength(10)
  })
})

describe('400', () => {
  test.each<[string, string, object]>([
    ['#/body', 'required', {}],
    ['#/body', 'too_short', { body: '' }],
    ['#/body', 'too_long', { body: 'b'.repeat(5001) }],
    ['#/body', 'wrong_type', { body: ['b'] }],
    ['#/kind', 'unknown_field', { body: 'b', kind: 'answer' }],
  ])('%s %s', async (pointer, code, body) => {
    for (const operation of ['createMessage', 'sendClinicianMessage'] as const) {
      expect(await expectFaults(fixtures, operation, { id, body })).toEqual([[pointer, code]])
    }
  })

  test('a clinician is nobody that an integration can write as', async () => {
    const body = { body: 'b', author: 'clinician' }
    expect(await expectFaults(fixtures, 'createMessage', { id, body })).toEqual([
      ['#/author', 'not_in_enum'],
    ])
    const played = { body: 'b', author: 'patient' }
    expect(await expectFaults(fixtures, 'sendClinicianMessage', { id, body: played })).toEqual([
      ['#/author', 'unknown_field'],
    ])
  })
})

describe('404', () => {
  test("a case that is nobody's or another's", async () => {
    const body = { body: 'b' }
    for (const operation of ['createMessage', 'sendClinicianMessage'] as const) {
      await refused(fixtures, operation, 'not_found', { id: unknownId('case'), body })
      await refused(fixtures, operation, 'not_found', { id, as: fixtures.ben.test, body })
    }
    await refused(fixtures, 'createMessage', 'not_found', { id, as: fixtures.ada.live, body })
  })
})
