import { describe, expect, test } from 'bun:test'
import { termsOf } from '#content/ranking/question.ts'
import { loadRanking } from '#content/ranking/rank.ts'
import { sampleDocuments, sampleIndex } from '../testing/search-index.ts'

function loadAsk(searchJson: string) {
  const rank = loadRanking(searchJson)
  return (query: string, { limit }: { limit: number }) => rank(termsOf(query), limit)
}

const ask = loadAsk(sampleIndex())
const urls = (query: string, limit = 10) => ask(query, { limit }).map(link => link.url)

describe('search ranking', () => {
  test('ranks the page about the question first', () => {
    expect(urls('How do webhooks work?')).toEqual(['/blog/webhooks', '/blog/polling'])
    expect(urls('what does it cost')[0]).toBe('/pricing')
  })

  test('question words count only if the question has no other words', () => {
    const pages = [document('/a', 'webhooks'), document('/b', 'work'), document('/c', 'webhooks')]
    const small = loadAsk(sampleIndex(pages))
    const found = (query: string) => small(query, { limit: 9 }).map(link => link.url)
    expect(found('how do webhooks work')).toEqual(['/a', '/c'])
    expect(found('how does it work')).toEqual(['/b'])
    expect(found('how does unheardof work')).toEqual([])
  })

  test('a result has a URL, a title, a description, a score and its matches', () => {
    const [first] = ask('signed webhooks', { limit: 1 })
    expect(first).toEqual({
      url: '/blog/webhooks',
      title: 'Webhooks you can trust',
      description: 'About Webhooks you can trust.',
      score: expect.any(Number),
      asked: ['sign', 'webhook'],
      found: ['sign', 'webhook'],
    })
    expect(first?.score).toBe(Number(first?.score.toFixed(9)))
  })

  test('the score of two words is the sum of their scores', () => {
    const score = (query: string) => ask(query, { limit: 1 })[0]?.score ?? 0
    const apart = score('encryption') + score('audit')
    expect(score('encryption audit')).toBeCloseTo(apart, 6)
  })

  test('corrects a typo, and matches an existing word exactly', () => {
    expect(urls('thermomiters')).toEqual(['/compare/a', '/compare/b'])
    expect(urls('xyz')).toEqual([])
    const near = loadAsk(sampleIndex([document('/form', 'form'), document('/forms', 'forum')]))
    expect(near('form', { limit: 9 }).map(link => link.url)).toEqual(['/form'])
  })

  test('a misspelled word may have at most three wrong letters', () => {
    const long = loadAsk(sampleIndex([document('/long', 'abcdefghijklmnopqrst')]))
    const found = (query: string) => long(query, { limit: 9 }).map(link => link.url)
    expect(found('abczefghizklmnozqrst')).toEqual(['/long'])
    expect(found('abczefghizklmnozqrsz')).toEqual([])
  })

  test('a query without a searchable word finds nothing', () => {
    for (const query of ['', '   ', 'what is the', '?!', '\u0000', '🩺'])
      expect(urls(query)).toEqual([])
  })

  test('the limit keeps the best results', () => {
    expect(urls('webhooks events cost', 2)).toEqual(urls('webhooks events cost').slice(0, 2))
    expect(urls('webhooks', 1)).toHaveLength(1)
  })
})

describe('search ranking: determinism', () => {
  test('does not depend on the order of pages or words', () => {
    const reversed = loadAsk(sampleIndex(sampleDocuments.toReversed()))
    for (const query of ['the same words', 'webhook events', 'thermometer duplicate cost']) {
      const words = query.split(' ').toReversed().join('  ').toUpperCase()
      expect(reversed(words, { limit: 10 })).toEqual(ask(query, { limit: 10 }))
    }
    expect(urls('duplicate')).toEqual(['/compare/a', '/compare/b'])
  })

  test('every limit truncates the same list, including ties', () => {
    const many = Array.from({ length: 60 }, (_, at) =>
      document(`/p/${(at * 37) % 60}`, 'same words'),
    )
    const askMany = loadAsk(sampleIndex(many))
    const all = askMany('words', { limit: 60 }).map(link => link.url)
    expect(all).toEqual(many.map(({ url }) => url).sort())
    for (const limit of [1, 7, 50]) {
      expect(askMany('words', { limit }).map(link => link.url)).toEqual(all.slice(0, limit))
    }
  })
})

describe('search ranking: a large site', () => {
  const total = 1200
  const documents = Array.from({ length: total }, (_, at) =>
    document(`/p/${at}`, at === 7 ? 'visit dosage' : 'visit'),
  )
  const large = loadAsk(sampleIndex(documents))

  test('a word on most pages counts only if the query has no rarer word', () => {
    expect(large('visit dosage', { limit: 50 }).map(link => link.url)).toEqual(['/p/7'])
    expect(large('visit', { limit: 50 })).toHaveLength(50)
    expect(large('visit nonexistentword', { limit: 50 })).toEqual([])
  })
})

test('search: refuses to load an invalid index', () => {
  for (const text of ['', '[]', '{}', 'null', '{"index":1}']) expect(() => loadAsk(text)).toThrow()
})

function document(url: string, text: string) {
  return { url, title: 'Title', description: 'Description', text }
}
