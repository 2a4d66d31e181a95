// `/search`, for people: the results of `/ask` as a page in the layout of the site. It needs no
// script, and a search can be bookmarked.
import { emergencyNotice, soundsLikeEmergency } from '#content/ranking/emergency.ts'
import { groupLinks, type Group } from '#content/ranking/groups.ts'
import { alsoFor, markedParts } from '#content/ranking/marks.ts'
import type { RankedLink } from '#content/ranking/rank.ts'
import { type FindSection, sectionFinder } from '#content/ranking/sections.ts'
import { askLimits } from '#contract/limits.ts'
import { markup, type Markup } from '#http/html/markup.ts'
import { createLayout } from '#booking/pages/layout.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Build } from './endpoints.ts'

/** More are ranked than are shown, so that each kind of page has some. */
const rankedMax = 30
/** Of each kind of page. */
const shownMax = 8

export function searchEndpoint(current: () => Build): Endpoint {
  const layout = createLayout(() => current().site)
  // One for each build, so that a page is parsed once.
  const finders = new WeakMap<Build, FindSection>()
  const finderOf = (build: Build) => {
    const finder = finders.get(build) ?? sectionFinder(build.site.text)
    finders.set(build, finder)
    return finder
  }
  return {
    path: '/search',
    methods: ['GET'],
    errorFormat: 'page',
    answer({ url }) {
      // Only pasted text is longer; its beginning is searched.
      const { searchParams } = url
      const asked = (searchParams.get('q') ?? searchParams.get('query') ?? '').trim()
      const query = asked.slice(0, askLimits.queryCharacters)
      const build = current()
      const { find } = build
      const found = query === '' ? [] : find(query, { limit: rankedMax })
      const title = query === '' ? 'Search' : `${query} · Search`
      const findSection = finderOf(build)
      const groups = groupLinks(found, shownMax)
      return layout({ title, body: page({ query, groups, findSection }) })
    },
  }
}

type Found = {
  query: string
  groups: readonly Group[]
  findSection: FindSection
}

const page = (found: Found): Markup => markup`
  <div class="frame search">
    <header class="article-head"><h1>Search</h1></header>
    ${soundsLikeEmergency(found.query) ? markup`<p class="aged" role="alert">${emergencyNotice}</p>` : ''}
    <form class="search-form" action="/search" role="search" toolname="search_site"
      tooldescription="Searches the docs, the API reference and the articles." toolautosubmit>
      <div class="field">
        <label for="query">A question, or the name of a topic, an operation, an event or an error</label>
        <input id="query" name="q" type="search" value="${found.query}"
          maxlength="${askLimits.queryCharacters}" autocomplete="off" required
          toolparamdescription="A question or a few words" />
      </div>
      <button class="button">Search</button>
    </form>
    ${found.query === '' ? ways : found.groups.length === 0 ? nothing : results(found)}
  </div>`

/** The text with the words marked that the page was found by. */
const marked = (text: string, { found }: RankedLink): Markup =>
  markup`${markedParts(text, found).map(part =>
    part.isMarked ? markup`<mark>${part.text}</mark>` : markup`${part.text}`,
  )}`

function item(link: RankedLink, findSection: Found['findSection']): Markup {
  const section = findSection(link.url, link.found)
  return markup`
    <li><a href="${section?.url ?? link.url}">${marked(link.title, link)}</a>
      ${section === null ? '' : markup`<p>In “${section.heading}”</p>`}
      <p>${marked(link.description, link)}</p><p class="fine">${link.url}</p></li>`
}

function results(found: Found): Markup {
  const links = found.groups.flatMap(group => group.links)
  const also = alsoFor(found.query, links)
  return markup`
    ${also.length > 0 ? markup`<p class="fine">Also: ${also.join(', ')}</p>` : ''}
    ${found.groups.map(
      ({ name, links }) => markup`
        <section class="found-group"><h2>${name}</h2>
        <ol class="found">${links.map(link => item(link, found.findSection))}</ol></section>`,
    )}
    <p class="fine">The same words find the same pages. For programs:
      <a href="${`/ask?${new URLSearchParams({ query: found.query })}`}">the same as JSON</a>.</p>`
}

const nothing = markup`
  <p>No page is about that. Try other words, browse <a href="/docs">the guides</a>,
    <a href="/docs/api">the API reference</a> or <a href="/blog">the articles</a>, or
    <a href="/booking">talk to us</a>.</p>`

const ways = markup`
  <p>It looks through every page of this site: guides, API reference, errors and articles. Or begin with
    <a href="/docs">the guides</a>, <a href="/docs/api">the API reference</a> or
    <a href="/blog">the articles</a>.</p>`
