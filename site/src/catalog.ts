import { getCollection, getEntry } from 'astro:content'
import type { Article, Home, Page, Person, Tag } from '#content/schema.ts'

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

export type Text = Page & { path: string; body: string; html: string }

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
    .filter(entry => !entry.data.draft)
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

export async function text(name: 'blog' | '404'): Promise<Text> {
  const { data, body = '', rendered } = await only<Page>('pages', name)
  return { ...data, path: `/${name}`, body: body.trim(), html: rendered?.html ?? '' }
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
