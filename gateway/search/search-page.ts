// `/search`, for people: the results of `/ask` as a page in the layout of the site. It needs no
// script, and a search can be bookmarked.
import { groupLinks, type Group } from '#content/ranking/groups.ts'
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
  return {
    path: '/search',
    methods: ['GET'],
    errorFormat: 'page',
    answer({ url }) {
      // Only pasted text is longer; its beginning is searched.
      const { searchParams } = url
      const asked = (searchParams.get('q') ?? searchParams.get('query') ?? '').trim()
      const query = asked.slice(0, askLimits.queryCharacters)
      const found = query === '' ? [] : current().find(query, { limit: rankedMax })
      const title = query === '' ? 'Search' : `${query} · Search`
      return layout({ title, body: page(query, groupLinks(found, shownMax)) })
    },
  }
}

const page = (query: string, groups: readonly Group[]): Markup => markup`
  <div class="frame search">
    <header class="article-head"><h1>Search</h1></header>
    <form class="search-form" action="/search" role="search">
      <div class="field">
        <label for="query">A question, or the name of a topic, an operation, an event or an error</label>
        <input id="query" name="q" type="search" value="${query}"
          maxlength="${askLimits.queryCharacters}" autocomplete="off" required />
      </div>
      <button class="button">Search</button>
    </form>
    ${query === '' ? ways : groups.length === 0 ? nothing : results(query, groups)}
  </div>`

const results = (query: string, groups: readonly Group[]): Markup => markup`
  ${groups.map(
    ({ name, links }) => markup`
      <section class="found-group"><h2>${name}</h2>
      <ol class="found">${links.map(
        ({ url, title, description }) => markup`
          <li><a href="${url}">${title}</a><p>${description}</p><p class="fine">${url}</p></li>`,
      )}</ol></section>`,
  )}
  <p class="fine">The same words find the same pages. For programs:
    <a href="${`/ask?${new URLSearchParams({ query })}`}">the same as JSON</a>.</p>`

const nothing = markup`
  <p>No page has these words. Use fewer, or other ones; or begin with
    <a href="/docs">the guides</a>, <a href="/docs/api">the API reference</a> or
    <a href="/blog">the articles</a>.</p>`

const ways = markup`
  <p>It looks through every page of this site: guides, API reference, errors and articles. Or begin with
    <a href="/docs">the guides</a>, <a href="/docs/api">the API reference</a> or
    <a href="/blog">the articles</a>.</p>`
