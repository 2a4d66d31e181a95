import { caseStates, trace } from './figures/case-states.ts'
import { markdownTable } from './figures/figures.ts'
import { articleTwin, blogTwin, homeTwin } from './render/twin.ts'
import {
  comparisonTwin,
  compareTwin,
  guideTwin,
  referenceTwin,
  textTwin,
} from './render/page-twins.ts'
import { judge, type Quality } from './render/judge.ts'
import { qualityTwin } from './render/quality.ts'
import { comparisons, front, guides, newest, posts, references, text, texts } from './catalog.ts'
import { once } from './given.ts'

export type Kind = 'home' | 'page' | 'guide' | 'reference' | 'comparison' | 'article'

/** A page as every list of pages needs it. */
export type Listed = {
  kind: Kind
  path: string
  title: string
  description: string
  updated: string
  questions: string[]
  twin: string
  /** Of the reference: every name under which somebody may look for the page. */
  names?: string[]
}

/**
 * Every page of the site, in the order in which a reader should meet them: who we are, the pages,
 * guides, comparisons, articles. Twins, sitemap, llms files, search, pictures and changes.json are
 * loops over it, so a page that is in the collections is in all of them.
 */
export const everyPage = (): Listed[] => gathered().pages

/** How well `/ask` answers the questions that the pages promise to. */
export const quality = (): Quality => gathered().quality

/** The index that was judged, as text: the one that is served is no other. */
export const searchJson = (): string => gathered().index

/** The collections are read once; ten files are written from them. */
const gathered = once(gatherAll)

type Gathered = { pages: Listed[]; quality: Quality; index: string }

/**
 * The page of the quality comes last, because it tells about all the others. It is not searched
 * itself: it prints their questions, and would be found by each of them.
 */
function gatherAll(): Gathered {
  const [pages, page] = [gather(), text('quality')]
  const searched = pages.map(each => ({ ...each, url: each.path, text: searchedIn(each) }))
  const { quality: found, index } = judge(searched)
  const updated = newest([page.updated, ...pages.map(each => each.updated)])
  const twin = qualityTwin({ ...page, updated }, found)
  const listed = { ...page, questions: [], kind: 'page' as const, updated, twin }
  return { pages: [...pages, listed], quality: found, index }
}

/** What a question may find in a page: of the reference its names, not every field. */
function searchedIn({ kind, twin, description, names = [] }: Listed): string {
  return kind === 'reference' ? `${description} ${names.join(' ')}` : bodyOf(twin)
}

const none = { questions: [] }

const days = (one: string, many: { updated: string }[]) =>
  newest([one, ...many.map(({ updated }) => updated)])

function gather(): Listed[] {
  const [home, blog, compare] = [front(), text('blog'), text('compare')]
  const [plain, versus, articles] = [texts(), comparisons(), posts()]
  const states = markdownTable(caseStates.head, caseStates.rows)
  const steps = trace.map(step => `${step.at} ${step.type}`)
  const blogDay = days(blog.updated, articles)
  const compareDay = days(compare.updated, versus)
  return [
    { ...home, ...none, kind: 'home', path: '/', twin: homeTwin(home, states, steps) },
    ...order(plain).map(page => ({
      ...page,
      kind: 'page' as const,
      twin: textTwin(page),
    })),
    ...gatherDocs(),
    {
      ...compare,
      kind: 'page',
      updated: compareDay,
      twin: compareTwin(compare, versus, compareDay),
    },
    ...versus.map(each => ({ ...each, kind: 'comparison' as const, twin: comparisonTwin(each) })),
    {
      ...blog,
      kind: 'page',
      updated: blogDay,
      twin: blogTwin(blog, articles, blogDay),
    },
    ...articles.map(post => ({
      ...post,
      kind: 'article' as const,
      twin: articleTwin(post, articles),
    })),
  ]
}

/** Guides, then what is made from the contract. */
function gatherDocs(): Listed[] {
  const [docs, live, check] = [text('docs'), text('try'), text('check-a-signature')]
  const [all, made] = [guides(), references()]
  const updated = days(docs.updated, all)
  return [
    { ...docs, kind: 'page', updated, twin: textTwin({ ...docs, updated }) },
    ...all.map(guide => ({ ...guide, kind: 'guide' as const, twin: guideTwin(guide, all) })),
    { ...check, kind: 'page', twin: textTwin(check) },
    ...made.map(page => ({
      ...page,
      ...none,
      kind: 'reference' as const,
      twin: referenceTwin(page),
    })),
    { ...live, kind: 'reference', names: ['interactive'], twin: textTwin(live) },
  ]
}

/** Prices and the way in first: they are what most readers came for. */
const first = ['pricing', 'developers', 'about', 'booking', 'security']

function order<Page extends { name: string }>(pages: Page[]): Page[] {
  const rank = ({ name }: Page) => (first.includes(name) ? first.indexOf(name) : first.length)
  return pages.toSorted((a, b) => rank(a) - rank(b) || a.name.localeCompare(b.name))
}

/** The text of a twin without its frontmatter. */
export const bodyOf = (twin: string) => twin.replace(/^---\n[\s\S]*?\n---\n\n/, '')
