import { createRequire } from 'node:module'
import { join } from 'node:path'
import { type AgeNotice, ageNotice } from '#content/fact-age.ts'
import { pagePaths } from '#content/paths.ts'
import config from '#content/site.config.ts'
import type { Consent, Gone, Rule, Skill } from '#content/records.ts'
import type { Article, Comparison, Doc, Home, Page, Person, Tag } from '#content/schema.ts'
import type * as Loader from './load.ts'
import type { GeneratedPage } from './reference/contract.ts'
import type { Heading } from './markdown.ts'
import { linkHeadings } from './render/heading-links.ts'
import { once } from './render/once.ts'

/** The fields of every Markdown page: its URL, its text, and the text as HTML. */
type Rendered = { path: string; body: string; html: string; headings: Heading[] }

/** A page's data with the rules themselves instead of their keys. */
type Ruled<Data> = Omit<Data, 'rules'> & { rules: Rule[] }

/** The notice on a page with outdated facts; null for any other page. */
type Aging = { aged: AgeNotice | null }

export type ArticlePage = Ruled<Article> &
  Aging &
  Rendered & {
    /** The author; null if the author is the company. */
    person: Person | null
    /** The author's name, or the company's. */
    by: string
    reviewers: Person[]
    labels: string[]
    minutes: number
  }
/** The parts of an article that a link shows. */
export type LinkedArticle = Pick<ArticlePage, 'path' | 'title' | 'description'>
export const linked = ({ path, title, description }: ArticlePage): LinkedArticle => ({
  path,
  title,
  description,
})

export type Text = Page & Rendered & { name: string }
export type Versus = Ruled<Comparison> & Aging & Rendered
export type Guide = Doc & Rendered

type ReferenceData = Omit<GeneratedPage, 'body'> & { order: number; updated: string }
export type Reference = ReferenceData & Rendered

// Loaded by Bun itself, because Vite would transform the contract and the content check.
const load = createRequire(import.meta.url)(join(process.cwd(), 'site', 'src', 'load.ts'))
const { dayNow, entriesNow }: typeof Loader = load
const entries = await entriesNow()

/** The casts are safe because the loader has parsed each file with its schema. */
const all = <Data>(name: string): Loader.Stored<Data>[] =>
  [...entries.values()].filter(({ id }) => id.startsWith(`${name}/`)) as Loader.Stored<Data>[]

/** Returns one entry. The content check has verified that every key in the content exists. */
function only<Data>(name: string, id: string): Loader.Stored<Data> {
  const entry = entries.get(`${name}/${id}`) as Loader.Stored<Data> | undefined
  if (entry === undefined) throw new Error(`content has no ${name}/${id}`)
  return entry
}

function named<Value>(record: Record<string, Value>, key: string): Value {
  const value = record[key]
  if (value === undefined) throw new Error(`content names ${key}, which does not exist`)
  return value
}

const wordsPerMinute = 220

/** Published articles, newest first, then by slug. */
export const posts = once((): ArticlePage[] => {
  const people = only<Record<string, Person>>('people', 'people').data
  const tags = only<Record<string, Tag>>('tags', 'tags').data
  return all<Article>('articles')
    .map(entry => ({
      ...entry.data,
      ...rendered(`/blog/${entry.data.slug}`, entry),
      ...writersOf(entry.data, people),
      ...agingOf(entry.data),
      labels: entry.data.tags.map(tag => named(tags, tag).label),
      minutes: Math.ceil(entry.body.split(/\s+/).length / wordsPerMinute),
    }))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug))
})

function writersOf({ author, reviewed_by }: Article, people: Record<string, Person>) {
  const person = author === undefined ? null : named(people, author)
  const reviewers = reviewed_by.map(key => named(people, key))
  return { person, by: person?.name ?? config.name, reviewers }
}

function agingOf(data: Article | Comparison): { rules: Rule[] } & Aging {
  const all = record<Record<string, Rule>>('rules')
  const rules = data.rules.map(key => named(all, key))
  return { rules, aged: ageNotice({ ...data, rules }, dayNow()) }
}

const rendered = (path: string, { body, html, headings }: Loader.Stored<unknown>): Rendered => ({
  path,
  body: body.trim(),
  html: linkHeadings(html),
  headings,
})

export function text(name: string): Text {
  const entry = only<Page>('pages', name)
  return { ...entry.data, name, ...rendered(pagePaths[name] ?? `/${name}`, entry) }
}

/** Every file in the folder `pages/`. */
export const pages = () => Object.keys(pagePaths).map(text)

/** The pages without their own template. */
export function texts(): Text[] {
  const special = new Set(['404', 'blog', 'compare', 'docs', 'quality', 'try', 'check-a-signature'])
  const names = Object.keys(pagePaths).filter(name => !special.has(name))
  return names.map(text)
}

/** Published comparisons, newest first. */
export const comparisons = once((): Versus[] =>
  all<Comparison>('comparisons')
    .map(entry => ({
      ...entry.data,
      ...rendered(`/compare/${entry.data.slug}`, entry),
      ...agingOf(entry.data),
    }))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug)),
)

/** Published guides in sidebar order. */
export const guides = once((): Guide[] =>
  all<Doc>('docs')
    .map(entry => ({ ...entry.data, ...rendered(`/docs/${entry.data.slug}`, entry) }))
    .sort((a, b) => a.order - b.order || a.slug.localeCompare(b.slug)),
)

/** The pages generated from the contract, in reading order. */
export const references = once((): Reference[] =>
  all<ReferenceData>('reference')
    .map(entry => ({ ...entry.data, ...rendered(entry.data.path, entry) }))
    .sort((a, b) => a.order - b.order),
)

/** One record, such as `pricing`, typed by its schema. */
export function record<Data>(name: string): Data {
  return only<Data>(name, name).data
}

/** A removed page responds at every URL it had. */
export const gonePages = () =>
  record<Gone[]>('gone').flatMap(page =>
    [page.path, ...(page.redirect_from ?? [])].map(path => ({ ...page, path })),
  )

/** The skills for agents by name, with the consent question filled in. */
export function skills() {
  const { ask } = record<Consent>('consent')
  return all<Skill>('skills')
    .map(({ data, body }) => ({ ...data, text: body.trim().replaceAll('{ask}', ask) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

export function front(): Home {
  return only<Home>('home', 'home').data
}

/** A home page sample as highlighted code. */
export function sample(id: string): string {
  return only<object>('samples', id).html
}

/** The latest of several days. */
export function newest(days: string[]): string {
  return days.toSorted().at(-1) ?? ''
}
