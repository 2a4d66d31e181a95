import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { ask, filedCase, must } from '../testing/call.ts'
import { type Cast, openCast } from '../testing/fixtures.ts'
import { faulty, nobodysId, refused, told } from '../testing/assertions.ts'

let cast: Cast
let id: string
beforeAll(async () => {
  cast = await openCast()
})
beforeEach(async () => {
  ;({ id } = await filedCase(cast))
})
afterAll(() => cast.close())

describe('201', () => {
  test.each([
    ['createMessage', { body: 'Hello.' }, 'integration'],
    ['createMessage', { body: 'Hello.', author: 'integration' }, 'integration'],
    ['createMessage', { body: 'Hello.', author: 'patient' }, 'patient'],
    ['sendClinicianMessage', { body: 'Hello.' }, 'clinician'],
  ] as const)('%s %j is written by the %s', async (operation, body, author) => {
    const before = await ask(cast, 'getCase', { id })
    const { answer, lines } = await told(cast, () => ask(cast, operation, { id, body }))
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
    expect((await ask(cast, 'getCase', { id })).text).toBe(before.text)
  })

  test('the thread holds every message once, in order, across pages', async () => {
    const sent: string[] = []
    for (let at = 0; at < 5; at++) {
      sent.push((await ask(cast, 'createMessage', { id, body: { body: `line ${at}\nmore` } })).text)
    }
    const first = await ask(cast, 'listMessages', { id, query: { limit: '3' } })
    expect(first.text).toBe(`{"data":[${sent.slice(0, 3).join(',')}],"has_more":true}`)
    const query = { limit: '3', starting_after: first.body.data[2].id }
    const second = await ask(cast, 'listMessages', { id, query })
    expect(second.text).toBe(`{"data":[${sent.slice(3).join(',')}],"has_more":false}`)
  })

  test('5,000 characters are 5,000 code points', async () => {
    const body = '\u{1F642}'.repeat(5000)
    expect((await must(cast, 'createMessage', { id, body: { body } })).body).toBe(body)
  })

  test('chatting while a question is open answers nothing', async () => {
    const question = { decision: 'needs_info', target: 'patient', question: 'Since when?' }
    const asked = await must(cast, 'decideCase', { id, body: question })
    const { lines } = await told(cast, () =>
      must(cast, 'createMessage', { id, body: { body: 'x' } }),
    )
    const waiting = 'waiting_on_patient'
    expect(lines).toEqual([`case.message_created.v1 ${waiting} → ${waiting} ${id}`])
    expect((await must(cast, 'getCase', { id })).question).toEqual(asked.question)
  })

  test('messages from both sides at once are each kept', async () => {
    const sendAll = () =>
      Promise.all(
        Array.from({ length: 10 }, (_, at) =>
          must(cast, at % 2 ? 'createMessage' : 'sendClinicianMessage', {
            id,
            body: { body: `${at}` },
          }),
        ),
      )
    const { lines } = await told(cast, sendAll)
    expect(lines).toHaveLength(10)
    expect((await must(cast, 'listMessages', { id })).data).toHaveLength(10)
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
      expect(await faulty(cast, operation, { id, body })).toEqual([[pointer, code]])
    }
  })

  test('a clinician is nobody that an integration can write as', async () => {
    const body = { body: 'b', author: 'clinician' }
    expect(await faulty(cast, 'createMessage', { id, body })).toEqual([['#/author', 'not_in_enum']])
    const played = { body: 'b', author: 'patient' }
    expect(await faulty(cast, 'sendClinicianMessage', { id, body: played })).toEqual([
      ['#/author', 'unknown_field'],
    ])
  })
})

describe('404', () => {
  test("a case that is nobody's or another's", async () => {
    const body = { body: 'b' }
    for (const operation of ['createMessage', 'sendClinicianMessage'] as const) {
      await refused(cast, operation, 'not_found', { id: nobodysId('case'), body })
      await refused(cast, operation, 'not_found', { id, as: cast.ben.test, body })
    }
    await refused(cast, 'createMessage', 'not_found', { id, as: cast.ada.live, body })
  })
})
