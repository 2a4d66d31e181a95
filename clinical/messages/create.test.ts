import { beforeEach, describe, expect, test } from 'bun:test'
import { invoke, queuedCase, invokeOk } from '../testing/call.ts'
import { useFixtures } from '../testing/fixtures.ts'
import { expectFaults, eventsOf } from '../testing/assertions.ts'

const fixtures = useFixtures()
let id: string
beforeEach(async () => {
  ;({ id } = await queuedCase(fixtures))
})

describe('messages 201', () => {
  test.each([
    ['createMessage', { body: 'Hello.' }, 'integration'],
    ['createMessage', { body: 'Hello.', author: 'integration' }, 'integration'],
    ['createMessage', { body: 'Hello.', author: 'patient' }, 'patient'],
    ['sendClinicianMessage', { body: 'Hello.' }, 'clinician'],
  ] as const)('%s %j is written by the %s', async (operation, body, author) => {
    const before = await invoke(fixtures, 'getCase', { id })
    const { answer, lines } = await eventsOf(fixtures, () =>
      invoke(fixtures, operation, { id, body }),
    )
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
    expect((await invoke(fixtures, 'getCase', { id })).text).toBe(before.text)
  })

  test('listMessages returns every message once, in order, across pages', async () => {
    const sent: string[] = []
    for (let at = 0; at < 5; at++) {
      sent.push(
        (await invoke(fixtures, 'createMessage', { id, body: { body: `line ${at}\nmore` } })).text,
      )
    }
    const first = await invoke(fixtures, 'listMessages', { id, query: { limit: '3' } })
    expect(first.text).toBe(`{"data":[${sent.slice(0, 3).join(',')}],"has_more":true}`)
    const query = { limit: '3', starting_after: first.body.data[2].id }
    const second = await invoke(fixtures, 'listMessages', { id, query })
    expect(second.text).toBe(`{"data":[${sent.slice(3).join(',')}],"has_more":false}`)
  })

  test('the limit of 5,000 characters counts code points', async () => {
    const body = '\u{1F642}'.repeat(5000)
    expect((await invokeOk(fixtures, 'createMessage', { id, body: { body } })).body).toBe(body)
  })

  test('a message while a question is open does not answer it', async () => {
    const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    const decided = await invokeOk(fixtures, 'decideCase', { id, body: question })
    const { lines } = await eventsOf(fixtures, () =>
      invokeOk(fixtures, 'createMessage', { id, body: { body: 'x' } }),
    )
    const waiting = 'waiting_on_patient'
    expect(lines).toEqual([`case.message_created.v1 ${waiting} → ${waiting} ${id}`])
    expect((await invokeOk(fixtures, 'getCase', { id })).question).toEqual(decided.question)
  })

  test('concurrent messages from both sides are all stored', async () => {
    const sendAll = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          invokeOk(fixtures, at % 2 ? 'createMessage' : 'sendClinicianMessage', {
            id,
            body: { body: `${at}` },
          }),
        ),
      )
    const { lines } = await eventsOf(fixtures, sendAll)
    expect(lines).toHaveLength(10)
    expect((await invokeOk(fixtures, 'listMessages', { id })).data).toHaveLength(10)
  })
})

describe('messages 400', () => {
  test.each<[string, string, object]>([
    ['#/body', 'required', {}],
    ['#/body', 'too_short', { body: '' }],
    ['#/body', 'too_long', { body: 'b'.repeat(5001) }],
    ['#/body', 'wrong_type', { body: ['b'] }],
  ])('%s %s', async (pointer, code, body) => {
    for (const operation of ['createMessage', 'sendClinicianMessage'] as const) {
      expect(await expectFaults(fixtures, operation, { id, body })).toEqual([[pointer, code]])
    }
  })

  test('createMessage refuses the author clinician, and sendClinicianMessage any author', async () => {
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
