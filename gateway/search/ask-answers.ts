// `/ask` responses as text: NLWeb 0.55 as one JSON document or as events, with the same items. Each
// page is serialized once, and responses join those texts.
import company from '#content/site.config.ts'
import { askLimits } from '#contract/limits.ts'
import { termsOf, wordMatcher } from '#content/ranking/question.ts'
import { boundedScore, type RankedLink, type Ranking } from '#content/ranking/rank.ts'
import type { Question } from './ask-request.ts'
import { sectionFinder } from '#content/ranking/sections.ts'

/** Reads a build file by its path, such as `/docs/webhooks.html`. */
export type ReadFile = (path: string) => string | undefined

type AskTexts = {
  json(question: Question): string
  /** Server-sent events: `start`, one `result` for each item, `complete`. */
  events(question: Question): string
}

const meta = { response_type: 'answer', response_format: 'conversational_search', version: '0.55' }
const startText = JSON.stringify({ ...meta, streaming: true })

/** The fields in every response, plus `more` for this one. */
function metaOf({ query, isDecontextualized, notes }: Question, more: object = {}): string {
  return JSON.stringify({
    ...meta,
    ...more,
    ...(isDecontextualized ? { decontextualized_query: query } : {}),
    ...(notes.length > 0 ? { notes } : {}),
  })
}

export function askTexts(rank: Ranking, read: ReadFile): AskTexts {
  const itemOf = itemWriter(sectionFinder(read))
  const answerOf = (asked: Question) => {
    const { query, limit, summarizes } = asked
    const links = rank(termsOf(query), limit)
    const matchedBy = wordMatcher(query)
    const pages = links.map(link => itemOf(link, matchedBy(link)))
    // The response to an unrelated question suggests other places to look.
    const question = links.length > 0 ? asked : { ...asked, notes: [...asked.notes, elsewhere] }
    return { question, items: summarizes ? [summaryOf(query, links), ...pages] : pages }
  }
  return {
    json(asked) {
      const { question, items } = answerOf(asked)
      return `{"_meta":${metaOf(question)},"query_id":"${queryId(question.query)}","results":[${items.join(',')}]}`
    },
    events(asked) {
      const { question, items } = answerOf(asked)
      const id = `"query_id":"${queryId(question.query)}"`
      return [
        event('start', `{"_meta":${metaOf(question, { streaming: true })},${id}}`),
        // Clients older than 0.55 read `results` and ignore the event name.
        ...items.map((item, at) =>
          event('result', `{"index":${at},"item":${item},"results":[${item}]}`),
        ),
        event('complete', `{"_meta":${metaOf(question)},${id}}`),
      ].join('')
    },
  }
}

const event = (name: string, data: string) => `event: ${name}\ndata: ${data}\n\n`

const elsewhere = `No page on this site covers that. See its topics at ${company.site}/llms.txt, or talk to a person: ${company.site}/booking.`

const summarizedMax = 3

/** A summary of the first links in sentences, from the pages' own descriptions. */
function summaryOf(query: string, links: readonly RankedLink[]): string {
  const first = links.slice(0, summarizedMax)
  const text = first.map(({ title, description }) => `${title}: ${description}`).join(' ')
  return JSON.stringify({
    '@context': 'https://schema.org',
    '@type': 'SearchSummary',
    '@id': `${company.site}/ask#${queryId(query)}`,
    text: text === '' ? 'No page answers this question.' : text,
    grounding: { source_urls: first.map(({ url }) => new URL(url, company.site).href) },
  })
}

/** An item's score and matches vary by response; everything else is serialized once. */
function itemWriter(findSection: ReturnType<typeof sectionFinder>) {
  const written = new Map<string, readonly [before: string, after: string]>()
  const sections = new Map<string, string>()
  const sectionOf = ({ url, found }: RankedLink) => {
    const section = findSection(url, found)
    if (section === null) return 'null'
    const known = sections.get(section.url)
    if (known !== undefined) return known
    const text = JSON.stringify({ ...section, url: new URL(section.url, company.site).href })
    sections.set(section.url, text)
    return text
  }
  return (link: RankedLink, words: readonly string[]): string => {
    let parts = written.get(link.url)
    if (parts === undefined) {
      parts = partsOf(link)
      written.set(link.url, parts)
    }
    // Words contain only letters and digits, so they need no escaping.
    const terms = words.map(word => `"${word}"`).join(',')
    const matched = `"matched_terms":[${terms}],"section":${sectionOf(link)}`
    return `${parts[0]}${boundedScore(link.score, scoreMax)},${matched}${parts[1]}`
  }
}

function partsOf(link: RankedLink): readonly [before: string, after: string] {
  const url = new URL(link.url, company.site).href
  const type = link.url.startsWith('/blog/') ? 'Article' : 'WebPage'
  const before = JSON.stringify({
    '@context': 'https://schema.org',
    '@type': type,
    // Clients merge results by this field, and drop results without it.
    '@id': url,
    url,
    name: link.title,
    description: link.description,
    site: new URL(company.site).host,
  })
  const after = JSON.stringify({
    grounding: { source_urls: [url] },
    schema_object: { '@type': type, name: link.title, url },
  })
  return [`${before.slice(0, -1)},"score":`, `,${after.slice(1)}`]
}

/** The top of NLWeb's score range. */
const scoreMax = 100

/** Derived from the question, so equal questions get identical bytes. */
function queryId(query: string): string {
  return `q_${Bun.SHA256.hash(query, 'hex').slice(0, 12)}`
}

const usage = {
  detail:
    'Send a question to get ranked links to the pages that answer it. The same question gets the same answer.',
  get: '/ask?query=how+does+it+work',
  post: { path: '/ask', content_type: 'application/json', body: { query: 'how does it work' } },
  mode: 'Add mode=summarize for a summary of the first results, from their own descriptions. No text is generated.',
  streaming: 'Add streaming=true, or prefer.streaming in the body, for server-sent events.',
  limits: {
    query_characters: askLimits.queryCharacters,
    limit: { default: askLimits.results, maximum: askLimits.resultsMax },
  },
  see: ['/openapi.json', '/llms.txt'],
}

/** The response to a request without a question: how to use the endpoint. */
export const usageTexts = {
  json: JSON.stringify({ _meta: meta, results: [], usage }),
  events: [
    event('start', `{"_meta":${startText}}`),
    event('usage', JSON.stringify({ results: [], usage })),
    event('complete', JSON.stringify({ _meta: meta })),
  ].join(''),
}
