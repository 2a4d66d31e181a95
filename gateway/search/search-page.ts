// `/search` for people, and `/ask` in a browser: ranked results as a page in the site's layout. The
// page works without JavaScript, and a search can be bookmarked.
import { emergencyNotice, soundsLikeEmergency } from '#content/ranking/emergency.ts'
import { groupLinks, type Group } from '#content/ranking/groups.ts'
import { alsoFor, markedParts } from '#content/ranking/marks.ts'
import { termsOf } from '#content/ranking/question.ts'
import type { RankedLink, Ranking } from '#content/ranking/rank.ts'
import { type FindSection, sectionFinder } from '#content/ranking/sections.ts'
import { askLimits } from '#contract/limits.ts'
import { markup, type Markup } from '#http/html/markup.ts'
import { createLayout } from '#booking/pages/layout.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { HttpRequest } from '#http/http-request.ts'
import type { Site } from '../static/static.ts'

/** The parts of a build that are searched. */
type Build = { readonly site: Site; readonly rank: Ranking }

/** More pages are ranked than shown, so each kind of page gets some. */
const rankedMax = 30
/** The maximum number of results for each kind of page. */
const shownMax = 8

export const searchEndpoint = (current: () => Build): Endpoint => ({
  path: '/search',
  methods: ['GET'],
  errorFormat: 'page',
  answer: searchPage(current),
})

/** Responds to `q` or `query` with a page of results. */
export function searchPage(
  current: () => Build,
  headers?: Readonly<Record<string, string>>,
): (request: HttpRequest) => Promise<Response> {
  const layout = createLayout(() => current().site)
  // One finder per build, so a page is parsed once.
  const finders = new WeakMap<Build, FindSection>()
  const finderOf = (build: Build) => {
    const finder = finders.get(build) ?? sectionFinder(build.site.text)
    finders.set(build, finder)
    return finder
  }
  return ({ url: { searchParams } }) => {
    // Only pasted text is longer than the limit, and only its beginning is searched.
    const asked = (searchParams.get('q') ?? searchParams.get('query') ?? '').trim()
    const query = asked.slice(0, askLimits.queryCharacters)
    const build = current()
    const found = query === '' ? [] : build.rank(termsOf(query), rankedMax)
    const title = query === '' ? 'Search' : `${query} · Search`
    const findSection = finderOf(build)
    const groups = groupLinks(found, shownMax)
    return layout({
      title,
      body: page({ query, groups, findSection }),
      ...(headers && { headers }),
    })
  }
}

type SearchResults = {
  query: string
  groups: readonly Group[]
  findSection: FindSection
}

const page = (found: SearchResults): Markup => markup`
  <div class="frame search">
    <header class="article-head"><h1>Search</h1></header>
    ${soundsLikeEmergency(found.query) ? markup`<p class="aged" role="alert">${emergencyNotice}</p>` : ''}
    <form class="search-form" action="/search" role="search" toolname="search_site"
      tooldescription="Searches the docs, the API reference and the articles." toolautosubmit>
      <div class="field">
        <label for="query">Search the docs, API reference and articles</label>
        <input id="query" name="q" type="search" value="${found.query}"
          maxlength="${askLimits.queryCharacters}" autocomplete="off" required
          toolparamdescription="A question or a few words" />
      </div>
      <button class="button">Search</button>
    </form>
    ${found.query === '' ? ways : found.groups.length === 0 ? nothing : results(found)}
  </div>`

/** The text, with matching words marked. */
const marked = (text: string, { found }: RankedLink): Markup =>
  markup`${markedParts(text, found).map(part =>
    part.isMarked ? markup`<mark>${part.text}</mark>` : markup`${part.text}`,
  )}`

function item(link: RankedLink, findSection: SearchResults['findSection']): Markup {
  const section = findSection(link.url, link.found)
  return markup`
    <li><a href="${section?.url ?? link.url}" data-found="${link.found.join(' ')}">${marked(link.title, link)}</a>
      ${section === null ? '' : markup`<p>In “${section.heading}”</p>`}
      <p>${marked(link.description, link)}</p><p class="fine">${link.url}</p></li>`
}

function results(found: SearchResults): Markup {
  const links = found.groups.flatMap(group => group.links)
  const also = alsoFor(found.query, links)
  return markup`
    ${also.length > 0 ? markup`<p class="fine">Also: ${also.join(', ')}</p>` : ''}
    ${found.groups.map(
      ({ name, links }) => markup`
        <section class="found-group"><h2>${name}</h2>
        <ol class="found">${links.map(link => item(link, found.findSection))}</ol></section>`,
    )}
    <p class="fine">From a program, <code>GET ${`/ask?${new URLSearchParams({ query: found.query })}`}</code>
      returns the same results as JSON.</p>`
}

const nothing = markup`
  <p>No results. Try different words, browse the <a href="/docs">guides</a>,
    <a href="/docs/api">API reference</a> or <a href="/blog">articles</a>, or
    <a href="/booking">talk to us</a>.</p>`

const ways = markup`
  <p>Search every page of this site, or start with the <a href="/docs">guides</a>,
    <a href="/docs/api">API reference</a> or <a href="/blog">articles</a>.</p>`
