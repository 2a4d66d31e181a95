import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { caseStates, trace } from '../figures/case-states.ts'
import { markdownTable } from '../figures/figures.ts'
import { articleMarkdown, blogMarkdown, bodyOf, homeMarkdown } from './markdown-version.ts'
import {
  comparisonMarkdown,
  compareMarkdown,
  docsMarkdown,
  guideMarkdown,
  referenceMarkdown,
  textMarkdown,
} from './page-markdown.ts'
import { evaluate, type EvaluatedPage, type JudgedFiles, type Quality } from './evaluate.ts'
import { qualityMarkdown } from './quality.ts'
import { comparisons, front, guides, newest, posts, record } from '../catalog.ts'
import { references, text, texts } from '../catalog.ts'
import { relatedOf } from '#content/ranking/related.ts'
import { once } from '../render/once.ts'
import type { AgeNotice } from '#content/fact-age.ts'
import { emergencyTerm } from '#content/ranking/emergency.ts'
import { topicsOf } from '#content/ranking/topics.ts'

export type Kind = 'home' | 'page' | 'guide' | 'reference' | 'comparison' | 'article'

/** A page's data for lists. */
export type ListedPage = {
  kind: Kind
  path: string
  title: string
  description: string
  updated: string
  questions: string[]
  /** Other words readers use to search for the page. */
  asked?: string
  markdown: string
  aged?: AgeNotice | null
  /** Names that people search for, on API reference pages. */
  names?: string[]
  /** The topics that this page covers, as search terms. */
  topics?: string[]
}

/**
 * Every page on the site, in reading order: home, pages, guides, comparisons, articles. Markdown
 * versions, sitemap, llms files, search, pictures and changes.json are generated from this list.
 */
export const everyPage = (): ListedPage[] => gathered().pages

/** How well `/ask` answers the questions that pages list. */
export const quality = (): Quality => gathered().quality

/** The evaluated search index as text. The site also serves this text. */
export const searchJson = (): string => gathered().index

/** The index's pages, with each page's indexed text. */
export const searched = (): EvaluatedPage[] => gathered().searched

/** Computed once for all the files built from it. */
const gathered = once(gatherAll)

const judgedIn = (name: string) =>
  readFileSync(join(process.cwd(), 'content', 'ranking', 'judged', `${name}.tsv`), 'utf8')
const judged: JudgedFiles = {
  independent: judgedIn('independent'),
  held_out: judgedIn('held-out'),
  earlier: judgedIn('earlier'),
  development: judgedIn('development'),
  off_topic: judgedIn('off-topic'),
}

type Gathered = { pages: ListedPage[]; searched: EvaluatedPage[]; quality: Quality; index: string }

/**
 * Adds the quality page last, because it measures all other pages. The quality page isn't indexed,
 * because it contains every other page's questions, so a search for any of these questions would
 * find it.
 */
function gatherAll(): Gathered {
  const [pages, page] = [gather(), text('quality')]
  const searched = pages.map(each => ({ ...each, url: each.path, text: searchedIn(each) }))
  const related = relatedOf(record<Record<string, string>>('related'))
  const { quality: found, index } = evaluate(searched, related, judged)
  const updated = newest([page.updated, ...pages.map(each => each.updated)])
  const markdown = qualityMarkdown({ ...page, updated }, found)
  const listed = { ...page, questions: [], kind: 'page' as const, updated, markdown }
  return { pages: [...pages, listed], searched, quality: found, index }
}

/** The text to index. For the API reference it has only the names, not every field. */
function searchedIn({ kind, markdown, description, names = [] }: ListedPage): string {
  return kind === 'reference' ? `${description} ${names.join(' ')}` : bodyOf(markdown)
}

const none = { questions: [] }

const days = (one: string, many: { updated: string }[]) =>
  newest([one, ...many.map(({ updated }) => updated)])

function gather(): ListedPage[] {
  const [home, blog, compare] = [front(), text('blog'), text('compare')]
  const [plain, versus, articles] = [texts(), comparisons(), posts()]
  const states = markdownTable(caseStates.head, caseStates.rows)
  const steps = trace.map(step => `${step.at} ${step.type}`)
  const blogDay = days(blog.updated, articles)
  const compareDay = days(compare.updated, versus)
  return [
    { ...home, ...none, kind: 'home', path: '/', markdown: homeMarkdown(home, states, steps) },
    ...order(plain).map(page => ({
      ...page,
      kind: 'page' as const,
      markdown: textMarkdown(page),
    })),
    ...gatherDocs(),
    {
      ...compare,
      kind: 'page',
      updated: compareDay,
      markdown: compareMarkdown(compare, versus, compareDay),
    },
    ...versus.map(each => ({
      ...each,
      kind: 'comparison' as const,
      markdown: comparisonMarkdown(each),
    })),
    {
      ...blog,
      kind: 'page',
      updated: blogDay,
      markdown: blogMarkdown(blog, articles, blogDay),
    },
    ...articles.map(post => ({
      ...post,
      kind: 'article' as const,
      topics: post.emergency ? [emergencyTerm] : [],
      markdown: articleMarkdown(post, articles),
    })),
  ]
}

/** Guides, then the pages generated from the contract. */
function gatherDocs(): ListedPage[] {
  const [docs, live, check] = [text('docs'), text('try'), text('check-a-signature')]
  const [all, made] = [guides(), references()]
  const updated = days(docs.updated, all)
  const topics = topicsOf(all)
  return [
    {
      ...docs,
      kind: 'page',
      updated,
      markdown: docsMarkdown({ ...docs, updated }, front().start.sample),
    },
    ...all.map(guide => ({
      ...guide,
      kind: 'guide' as const,
      topics: topics.get(guide) ?? [],
      markdown: guideMarkdown(guide, all),
    })),
    { ...check, kind: 'page', markdown: textMarkdown(check) },
    ...made.map(page => ({
      ...page,
      ...none,
      kind: 'reference' as const,
      markdown: referenceMarkdown(page),
    })),
    { ...live, kind: 'reference', names: ['interactive'], markdown: textMarkdown(live) },
  ]
}

/** The pages that most readers want come first. */
const first = ['pricing', 'developers', 'about', 'booking', 'security']

function order<Page extends { name: string }>(pages: Page[]): Page[] {
  const rank = ({ name }: Page) => (first.includes(name) ? first.indexOf(name) : first.length)
  return pages.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}
