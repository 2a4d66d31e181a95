import { expect, test } from 'bun:test'
import { emergencyTerm } from '#content/ranking/emergency.ts'
import { termsOf } from '#content/ranking/question.ts'
import { rankingOf } from '#content/ranking/rank.ts'
import { type EvaluatedPage, evaluate } from './evaluate.ts'
import { searchIndexes } from './search.ts'

const page = (url: string, text: string, ...questions: string[]): EvaluatedPage => ({
  url,
  kind: 'article',
  title: text,
  description: '',
  questions,
  text,
})

const qualityOf = (pages: EvaluatedPage[]) => evaluate(pages).quality

test('quality: a page in second place gains 0.63, one not found gains 0', () => {
  const { served, judged } = qualityOf([
    page('/a', 'webhooks', 'unheard?'),
    page('/b', 'polling polling polling polling'),
    page('/c', 'a long text about many things and also polling', 'polling?', 'long text?'),
  ])
  expect(judged.map(({ question, place }) => [question, place])).toEqual([
    ['unheard?', 1],
    ['polling?', 2],
    ['long text?', 1],
  ])
  expect(served).toEqual({ questions: 3, ndcg_at_5: 0.877, recall_at_5: 1, first: 0.6667 })
})

test('quality: the blind measure misses a question that only the frontmatter contains', () => {
  const { blind, blindMisses } = qualityOf([page('/a', 'webhooks', 'unheard?', 'webhooks?')])
  expect(blind.recall_at_5).toBe(0.5)
  expect(blindMisses.map(({ question }) => question)).toEqual(['unheard?'])
})

test('quality: a question on two pages is asked once, and both pages must be found', () => {
  const both = qualityOf([page('/a', 'visits', 'visits?'), page('/b', 'visits', 'visits?')])
  expect(both.served).toEqual({ questions: 1, ndcg_at_5: 1, recall_at_5: 1, first: 1 })
  expect(both.judged[0]?.pages).toEqual(['/a', '/b'])
})

test('quality: a large site is measured by a sample of its questions', () => {
  const many = Array.from({ length: 1500 }, (_, at) => page(`/p/${at}`, 'same', `number ${at}?`))
  expect(qualityOf(many).served.questions).toBe(500)
})

test('ranking: a name in code finds its page first, and a plain word does not', () => {
  const named = (url: string, ...names: string[]) => ({ ...page(url, names.join(' ')), names })
  const guide = page('/docs/cases', 'create case create case createCase case.queued case.queued.v1')
  const rank = rankingOf(
    searchIndexes([
      guide,
      named('/docs/api/create-case', 'createCase', 'POST /v1/cases'),
      named('/docs/api/events/case-queued-v1', 'case.queued.v1', 'case.queued'),
      named('/docs/api/schemas/case', 'Case'),
      named('/problems/gone', 'gone'),
    ]).index,
  )
  const first = (question: string) => rank(termsOf(question), 3)[0]?.url
  for (const question of [
    'createCase',
    ' createcase',
    '`createCase`',
    'POST /v1/cases',
    'createCase?',
  ])
    expect([question, first(question)]).toEqual([question, '/docs/api/create-case'])
  expect(first('case.queued.v1')).toBe('/docs/api/events/case-queued-v1')
  expect(first('case.queued')).toBe('/docs/api/events/case-queued-v1')
  expect(first('gone')).toBe('/problems/gone')
  expect(first('case')).toBe('/docs/cases')
  expect(first('create a case')).toBe('/docs/cases')
  const scores = rank(termsOf('createCase'), 5).map(({ score }) => score)
  expect(scores).toEqual(scores.toSorted((one, other) => other - one))
})

test('ranking: an off-topic question finds nothing, even while being typed', () => {
  const rank = rankingOf(
    searchIndexes([
      page('/webhooks', 'webhooks and chickens in the yard'),
      page('/visits', 'best visits in town'),
      ...Array.from({ length: 40 }, (_, at) => page(`/p/${at}`, `cases ${at}`)),
    ]).index,
  )
  const found = (question: string, typing?: string) =>
    rank(termsOf(question), 3, typing).map(({ url }) => url)
  expect(found('quickest pizza delivery near town')).toEqual([])
  expect(found('quickest pizza delivery near town', 'town')).toEqual([])
  expect(found('acme webhooks', 'webhooks')).toEqual(['/webhooks'])
  expect(found('webh', 'webh')).toEqual(['/webhooks'])
})

test('ranking: an emergency leads to the top of its page, before better matches', () => {
  const help = { ...page('/help', 'what to do now'), topics: [emergencyTerm] }
  const rank = rankingOf(
    searchIndexes([help, page('/chest', 'chest pain, chest pain'), page('/c', 'cases')]).index,
  )
  for (const typing of [undefined, 'pain']) {
    const [first, second] = rank(termsOf('sudden chest pain'), 3, typing)
    expect([first?.url, first?.found, second?.url]).toEqual(['/help', [], '/chest'])
  }
})
