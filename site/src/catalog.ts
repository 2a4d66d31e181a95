import { pagePaths } from '#content/paths.ts'
import type { Consent, Gone, Skill } from '#content/records.ts'
import type { Article, Comparison, Doc, Home, Page, Person, Tag } from '#content/schema.ts'
import { given, once, type Rendered, type Stored } from './given.ts'
import type { Made } from './reference/contract.ts'

/** What every markdown page is: its words, and how they look. */
type Read = Rendered & { path: string; body: string }

export type Post = Article & Read & { person: Person; labels: string[]; minutes: number }
/** Of an article, what another shows that leads to it. */
export type Linked = Pick<Post, 'path' | 'title' | 'description'>
export const linked = ({ path, title, description }: Post): Linked => ({ path, title, description })

export type Text = Page & Read & { name: string }
export type Versus = Comparison & Read
export type Guide = Doc & Read

type ReferenceData = Omit<Made, 'body'> & { order: number; updated: string }
export type Reference = ReferenceData & Read

/** The casts hold because the loader has parsed each collection by its schema. */
function all<Data>(name: string): Stored<Data>[] {
  return [...(given().collections.get(name)?.values() ?? [])] as Stored<Data>[]
}

/** The check before the build has proven that every key named in content exists. */
function only<Data>(name: string, id: string): Stored<Data> {
  const entry = given().collections.get(name)?.get(id) as Stored<Data> | undefined
  if (entry === undefined) throw new Error(`content has no ${name}/${id}`)
  return entry
}

function named<Value>(record: Record<string, Value>, key: string): Value {
  const value = record[key]
  if (value === undefined) throw new Error(`content names ${key}, which does not exist`)
  return value
}

const wordsPerMinute = 220

/** Published articles, newest first; two of one day stand in the order of their slugs. */
export const posts = once((): Post[] => {
  const people = only<Record<string, Person>>('people', 'people').data
  const tags = only<Record<string, Tag>>('tags', 'tags').data
  return all<Article>('articles')
    .map(entry => ({
      ...entry.data,
      ...rendered(`/blog/${entry.data.slug}`, entry),
      person: named(people, entry.data.author),
      labels: entry.data.tags.map(tag => named(tags, tag).label),
      minutes: Math.ceil(entry.body.split(/\s+/).length / wordsPerMinute),
    }))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug))
})

const rendered = (path: string, { body, html, headings }: Stored): Read => ({
  path,
  body: body.trim(),
  html,
  headings,
})

export function text(name: string): Text {
  const entry = only<Page>('pages', name)
  return { ...entry.data, name, ...rendered(pagePaths[name] ?? `/${name}`, entry) }
}

/** The pages that are a text and nothing else; the others have a template of their own. */
export function texts(): Text[] {
  const special = new Set(['404', 'blog', 'compare', 'docs', 'quality', 'try', 'check-a-signature'])
  const names = Object.keys(pagePaths).filter(name => !special.has(name))
  return names.map(text)
}

/** Published comparisons, newest first. */
export const comparisons = once((): Versus[] =>
  all<Comparison>('comparisons')
    .map(entry => ({ ...entry.data, ...rendered(`/compare/${entry.data.slug}`, entry) }))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug)),
)

/** Published guides, in the order of the sidebar. */
export const guides = once((): Guide[] =>
  all<Doc>('docs')
    .map(entry => ({ ...entry.data, ...rendered(`/docs/${entry.data.slug}`, entry) }))
    .sort((a, b) => a.order - b.order || a.slug.localeCompare(b.slug)),
)

/** The pages that are made from the contract, in reading order. */
export const references = once((): Reference[] =>
  all<ReferenceData>('reference')
    .map(entry => ({ ...entry.data, ...rendered(entry.data.path, entry) }))
    .sort((a, b) => a.order - b.order),
)

/** One of the records, such as `pricing`, as its schema types it. */
export function record<Data>(name: string): Data {
  return only<Data>(name, name).data
}

export const gonePages = () => record<Gone[]>('gone')

/** The skills for agents, by name, with the sentence an assistant asks filled in. */
export function skills() {
  const { ask } = record<Consent>('consent')
  return all<Skill>('skills')
    .map(({ data, body }) => ({ ...data, text: body.trim().replaceAll('{ask}', ask) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

export function front(): Home {
  return only<Home>('home', 'home').data
}

/** The highlighted code of one of the home page's samples. */
export function sample(id: string): string {
  return only<object>('samples', id).html
}

/** The day the blog last changed: its own text, or its newest article. */
export function newest(days: string[]): string {
  return days.toSorted().at(-1) ?? ''
}
