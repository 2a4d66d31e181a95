// Five other search engines over the same documents. Each engine uses the settings that its
// documentation recommends for pages: stemming, stop words and a boosted title, where supported.
import { Database } from 'bun:sqlite'
import { create, insertMultiple, search as searchOrama } from '@orama/orama'
import { stopwords } from '@orama/stopwords/english'
import { Document, Encoder } from 'flexsearch'
import English from 'flexsearch/lang/en'
import lunr from 'lunr'
import MiniSearch from 'minisearch'

export type PeerPage = { id: string; title: string; asked: string; text: string }
type Find = (question: string) => Promise<string[]>

const fields = ['title', 'asked', 'text'] as const
const boosts = { title: 3, asked: 2, text: 1 }
const wordsOf = (question: string): string[] => question.toLowerCase().match(/[a-z0-9]+/g) ?? []

function miniSearch(pages: readonly PeerPage[]): Find {
  const index = new MiniSearch<PeerPage>({ fields: [...fields] })
  index.addAll(pages)
  const options = { boost: boosts, fuzzy: 0.2, prefix: true }
  return async question => index.search(question, options).map(({ id }) => String(id))
}

function lunrSearch(pages: readonly PeerPage[]): Find {
  const index = lunr(builder => {
    builder.ref('id')
    for (const field of fields) builder.field(field, { boost: boosts[field] })
    for (const page of pages) builder.add(page)
  })
  return async question => index.search(wordsOf(question).join(' ')).map(({ ref }) => ref)
}

async function orama(pages: readonly PeerPage[], depth: number): Promise<Find> {
  const tokenizer = { stemming: true, stopWords: stopwords } as const
  const schema = { id: 'string', title: 'string', asked: 'string', text: 'string' } as const
  const index = create({ schema, components: { tokenizer } })
  await insertMultiple(index, [...pages])
  return async question => {
    const asked = { term: question, properties: [...fields], boost: boosts, limit: depth }
    const { hits } = await searchOrama(index, { ...asked, threshold: 1 })
    return hits.map(({ document }) => document.id)
  }
}

function flexSearch(pages: readonly PeerPage[], depth: number): Find {
  const encoder = new Encoder(English)
  const index = new Document({
    document: { id: 'id', index: [...fields] },
    tokenize: 'forward',
    context: true,
    encoder,
  })
  for (const page of pages) index.add(page)
  return async question => {
    const found = index.search(question, { limit: depth, suggest: true, merge: true })
    return found.map(each => String(each.id))
  }
}

function fts5(pages: readonly PeerPage[], depth: number): Find {
  const database = new Database(':memory:')
  database.run(
    "create virtual table pages using fts5(id unindexed, title, asked, text, tokenize = 'porter unicode61')",
  )
  const insert = database.prepare('insert into pages values (?, ?, ?, ?)')
  for (const { id, title, asked, text } of pages) insert.run(id, title, asked, text)
  const query = database.prepare<{ id: string }, [string]>(
    `select id from pages where pages match ? order by bm25(pages, 0, 3, 2, 1) limit ${depth}`,
  )
  return async question => {
    const words = wordsOf(question).map(word => `"${word}"`)
    return query.all(words.join(' OR ')).map(({ id }) => id)
  }
}

/** Each engine returns at least `depth` pages, if it finds that many. */
export const openPeers = async (
  pages: readonly PeerPage[],
  depth = 5,
): Promise<Record<string, Find>> => ({
  MiniSearch: miniSearch(pages),
  lunr: lunrSearch(pages),
  Orama: await orama(pages, depth),
  FlexSearch: flexSearch(pages, depth),
  'SQLite FTS5': fts5(pages, depth),
})
