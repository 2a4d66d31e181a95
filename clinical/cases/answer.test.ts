// Questions and their answers (contract/03, section 2.3): the sandbox's clinician asks, the patient
// or the integration answers, and the case returns to the one who asked.

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

const needsInfo = (question: string, target = 'patient') =>
  ask(fixtures, 'decideCase', { id, body: { decision: 'needs_info', target, question } })
const answer = (answers: object[]) => ask(fixtures, 'answerCase', { id, body: { answers } })
const thread = async () => (await must(fixtures, 'listMessages', { id })).data

describe('200 a question', () => {
  test.each(['patient', 'integration'])(
    'to the %s: on the case and on the thread',
    async target => {
      const { answer: asked, lines } = await told(fixtures, () => needsInfo('Since when?', target))
      const [message] = await thread()
      expect(JSON.stringify(message)).toBe(
        JSON.stringify({
          id: message.id,
          status: 'sent',
          case: id,
          kind: 'question',
          author: 'clinician',
          target,
          body: 'Since when?',
          created_at: message.created_at,
        }),
      )
      expect(JSON.stringify(asked.body.question)).toBe(
        JSON.stringify({
          message: message.id,
          target,
          body: 'Since when?',
          asked_at: message.created_at,
        }),
      )
      expect(asked.body.status).toBe(`waiting_on_${target}`)
      expect(lines).toEqual([
        `case.in_review.v1 queued → in_review ${id}`,
        `case.waiting_on_${target}.v1 in_review → waiting_on_${target} ${id}`,
        `case.question_asked.v1 waiting_on_${target} → waiting_on_${target} ${id}`,
      ])
    },
  )

  test('a second one while waiting replaces the open one; both stay on the thread', async () => {
    await needsInfo('Since when?')
    const { answer: asked, lines } = await told(fixtures, () =>
      needsInfo('Which lab?', 'integration'),
    )
    const messages = await thread()
    expect(messages.map((one: { body: string }) => one.body)).toEqual(['Since when?', 'Which lab?'])
    expect(asked.body.question).toMatchObject({
      message: messages[1].id,
      target: 'integration',
      body: 'Which lab?',
    })
    expect(lines).toEqual([
      `case.in_review.v1 waiting_on_patient → in_review ${id}`,
      `case.waiting_on_integration.v1 in_review → waiting_on_integration ${id}`,
      `case.question_asked.v1 waiting_on_integration → waiting_on_integration ${id}`,
    ])
  })

  test('a decision while waiting drops the question', async () => {
    await needsInfo('Since when?')
    const { answer: approved, lines } = await told(fixtures, () =>
      must(fixtures, 'decideCase', { id, body: { decision: 'approve' } }),
    )
    expect([approved.status, approved.question]).toEqual(['approved', null])
    expect(lines.slice(0, 2)).toEqual([
      `case.in_review.v1 waiting_on_patient → in_review ${id}`,
      `case.approved.v1 in_review → approved ${id}`,
    ])
  })
})

describe('200 an answer', () => {
  test('left alone, it takes its id and words from the open question', async () => {
    const { body: asked } = await needsInfo('Since when?')
    const { answer: returned, lines } = await told(fixtures, () => answer([{ answer: 'In May.' }]))
    expect(JSON.stringify(returned.body.answers)).toBe(
      JSON.stringify([
        {
          id: asked.question.message,
          question: 'Since when?',
          answer: 'In May.',
          type: 'string',
        },
      ]),
    )
    expect([returned.body.status, returned.body.question]).toEqual(['in_review', null])
    expect(lines).toEqual([
      `case.in_review.v1 waiting_on_patient → in_review ${id}`,
      `case.message_created.v1 in_review → in_review ${id}`,
    ])
  })

  test.each(['patient', 'integration'])('the thread shows the %s as its author', async target => {
    await needsInfo('Since when?', target)
    await answer([
      { id: 'a', question: 'one', answer: 'In May.' },
      { id: 'b', question: 'two', answer: 'No.', type: 'boolean' },
    ])
    const [, reply] = await thread()
    expect([reply.kind, reply.author, reply.target, reply.body]).toEqual([
      'answer',
      target,
      null,
      'In May.\nNo.',
    ])
  })

  test('answers are added to those of the filing, never over one', async () => {
    const filed = { id: 'goal', question: 'Goal?', answer: '165 lb' }
    id = (await queuedCase(fixtures, undefined, { answers: [filed] })).id
    for (const [question, said] of [
      ['Since when?', 'May'],
      ['Allergies?', ''],
    ] as const) {
      await needsInfo(question)
      await answer([{ id: 'goal', answer: said }])
    }
    const { answers } = await must(fixtures, 'getCase', { id })
    expect(answers.map((one: { answer: string }) => one.answer)).toEqual(['165 lb', 'May', ''])
    expect(new Set(answers.map((one: { id: string }) => one.id))).toEqual(new Set(['goal']))
  })

  test('a question of 2,000 characters is shortened to fit an answer, and whole on the thread', async () => {
    const question = 'q'.repeat(2000)
    await needsInfo(question)
    const { body } = await answer([{ answer: 'Yes.' }])
    expect(body.answers[0].question).toBe(`${'q'.repeat(999)}…`)
    expect((await thread())[0].body).toBe(question)
  })

  test('fifty long answers are kept whole, and shortened on the thread', async () => {
    await needsInfo('Since when?')
    const { body } = await answer(Array.from({ length: 50 }, () => ({ answer: 'a'.repeat(5000) })))
    expect(body.answers).toHaveLength(50)
    expect(body.answers[49].answer).toHaveLength(5000)
    const [, reply] = await thread()
    expect([...reply.body]).toHaveLength(5000)
  })

  test('an answer without a word still leaves a message', async () => {
    await needsInfo('Anything else?')
    const { body } = await answer([{ answer: '' }])
    expect(body.answers[0].answer).toBe('')
    expect((await thread())[1].body.length).toBeGreaterThan(0)
  })
})

describe('400', () => {
  beforeEach(() => needsInfo('Since when?'))
  test.each<[string, string, object]>([
    ['#/answers', 'required', {}],
    ['#/answers', 'too_few', { answers: [] }],
    ['#/answers', 'too_many', { answers: Array.from({ length: 51 }, () => ({ answer: 'a' })) }],
    ['#/answers/0/answer', 'required', { answers: [{ id: 'a' }] }],
    ['#/answers/0/answer', 'too_long', { answers: [{ answer: 'a'.repeat(5001) }] }],
    ['#/answers/0/id', 'too_short', { answers: [{ id: '', answer: 'a' }] }],
    ['#/answers/0/type', 'not_in_enum', { answers: [{ answer: 'a', type: 'text' }] }],
    ['#/reason', 'unknown_field', { answers: [{ answer: 'a' }], reason: 'r' }],
  ])('%s %s', async (pointer, code, body) => {
    expect(await expectFaults(fixtures, 'answerCase', { id, body })).toEqual([[pointer, code]])
  })

  test('a case holds 200 answers and no more', async () => {
    const one = { id: 'i', question: 'q', answer: 'a' }
    id = (
      await queuedCase(fixtures, undefined, { answers: Array.from({ length: 199 }, () => one) })
    ).id
    await needsInfo('Since when?')
    const body = { answers: [{ answer: 'a' }, { answer: 'b' }] }
    expect(await expectFaults(fixtures, 'answerCase', { id, body })).toEqual([
      ['#/answers', 'too_many'],
    ])
    const { body: full } = await answer([{ answer: 'a' }])
    expect(full.answers).toHaveLength(200)
  })
})

describe('404', () => {
  test("a case that is nobody's or another's", async () => {
    const body = { answers: [{ answer: 'a' }] }
    await needsInfo('Since when?')
    await refused(fixtures, 'answerCase', 'not_found', { id: unknownId('case'), body })
    for (const as of [fixtures.ben.test, fixtures.ada.live]) {
      await refused(fixtures, 'answerCase', 'not_found', { id, as, body })
    }
  })
})
