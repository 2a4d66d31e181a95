import { getCollection, getEntry } from 'astro:content'
import { pagePaths } from '#content/known.ts'
import type { Consent, Gone, Skill } from '#content/records.ts'
import type { Made } from './reference/contract.ts'
import type { Article, Comparison, Doc, Home, Page, Person, Tag } from '#content/schema.ts'

/** What Astro's store knows of an entry. Its own types exist only after a first build. */
type Stored<Data> = {
  id: string
  data: Data
  body?: string
  rendered?: { html: string; metadata?: { headings?: Heading[] } }
}

export type Heading = { depth: number; slug: string; text: string }

export type Post = Article & {
  path: string
  person: Person
  labels: string[]
  body: string
  html: string
  headings: Heading[]
  minutes: number
}

/** What every markdown page is once it is rendered. */
type Rendered = { path: string; body: string; html: string; headings: Heading[] }

export type Text = Page & Rendered & { name: string }
export type Versus = Comparison & Rendered
export type Guide = Doc & Rendered

type ReferenceData = Omit<Made, 'body'> & { order: number; updated: string }
export type Reference = ReferenceData & Rendered

async function all<Data>(name: string): Promise<Stored<Data>[]> {
  return (await getCollection(name)) as Stored<Data>[]
}

/** The check before the build has proven that every key named in content exists. */
async function only<Data>(name: string, id: string): Promise<Stored<Data>> {
  const entry = (await getEntry(name, id)) as Stored<Data> | undefined
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
export async function posts(): Promise<Post[]> {
  const people = (await only<Record<string, Person>>('people', 'people')).data
  const tags = (await only<Record<string, Tag>>('tags', 'tags')).data
  const stored = await all<Article>('articles')
  return stored
    .map(({ data, body = '', rendered }) => ({
      ...data,
      path: `/blog/${data.slug}`,
      person: named(people, data.author),
      labels: data.tags.map(tag => named(tags, tag).label),
      body: body.trim(),
      html: rendered?.html ?? '',
      headings: rendered?.metadata?.headings ?? [],
      minutes: Math.ceil(body.split(/\s+/).length / wordsPerMinute),
    }))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug))
}

const rendered = (path: string, { body = '', rendered: made }: Stored<unknown>): Rendered => ({
  path,
  body: body.trim(),
  html: made?.html ?? '',
  headings: made?.metadata?.headings ?? [],
})

export async function text(name: string): Promise<Text> {
  const entry = await only<Page>('pages', name)
  return { ...entry.data, name, ...rendered(pagePaths[name] ?? `/${name}`, entry) }
}

/** The pages that are a text and nothing else; the others have a template of their own. */
export async function texts(): Promise<Text[]> {
  const special = new Set(['404', 'blog', 'compare', 'docs', 'quality', 'try', 'check-a-signature'])
  const names = Object.keys(pagePaths).filter(name => !special.has(name))
  return Promise.all(names.map(text))
}

/** Published comparisons, newest first. */
export async function comparisons(): Promise<Versus[]> {
  const stored = await all<Comparison>('comparisons')
  return stored
    .map(entry => ({ ...entry.data, ...rendered(`/compare/${entry.data.slug}`, entry) }))
    .sort((a, b) => b.published.localeCompare(a.published) || a.slug.localeCompare(b.slug))
}

/** Published guides, in the order of the sidebar. */
export async function guides(): Promise<Guide[]> {
  const stored = await all<Doc>('docs')
  return stored
    .map(entry => ({ ...entry.data, ...rendered(`/docs/${entry.data.slug}`, entry) }))
    .sort((a, b) => a.order - b.order || a.slug.localeCompare(b.slug))
}

/** The pages that are made from the contract, in reading order. */
export async function references(): Promise<Reference[]> {
  const stored = await all<ReferenceData>('reference')
  return stored
    .map(entry => ({ ...entry.data, ...rendered(entry.data.path, entry) }))
    .sort((a, b) => a.order - b.order)
}

/** One of the records, such as `pricing`, as its schema types it. */
export async function record<Data>(name: string): Promise<Data> {
  return (await only<Data>(name, name)).data
}

export const gonePages = () => record<Gone[]>('gone')

/** The skills for agents, by name, with the sentence an assistant asks filled in. */
export async function skills() {
  const { ask } = await record<Consent>('consent')
  const stored = await all<Skill>('skills')
  return stored
    .map(({ data, body = '' }) => ({ ...data, text: body.trim().replaceAll('{ask}', ask) }))
    .sort((a, b) => a.name.localeCompare(b.name))
}

export async function front(): Promise<Home> {
  return (await only<Home>('home', 'home')).data
}

/** The highlighted code of one of the home page's samples. */
export async function sample(id: string): Promise<string> {
  return (await only<object>('samples', id)).rendered?.html ?? ''
}

/** The day the blog last changed: its own text, or its newest article. */
export function newest(days: string[]): string {
  return days.toSorted().at(-1) ?? ''
}
