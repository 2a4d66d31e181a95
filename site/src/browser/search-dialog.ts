// The search dialog: shows results while typing, from the same index as `/ask`. The index is a site
// file, so it works on any host, and the typed text stays in the browser.
import { type Group, groupLinks } from '#content/ranking/groups.ts'
import { emergencyNotice, soundsLikeEmergency } from '#content/ranking/emergency.ts'
import { alsoFor, markedParts } from '#content/ranking/marks.ts'
import { termsOf, typedWord } from '#content/ranking/question.ts'
import { loadRanking, type Ranking } from '#content/ranking/rank.ts'
import { element } from './element.ts'
import { leadToSections } from './search-sections.ts'

const markup = `
  <form class="search-field" action="/search" role="search">
    <label class="sr-only" for="search-input">Search docs, the API, errors and articles</label>
    <svg viewBox="0 0 16 16" width="20" height="20" aria-hidden="true"><path d="m14 14-3.6-3.6M12 7A5 5 0 1 1 2 7a5 5 0 0 1 10 0Z"/></svg>
    <input id="search-input" name="q" type="text" role="combobox" aria-expanded="false" aria-controls="search-results"
      aria-autocomplete="list" autocomplete="off" autocapitalize="off" spellcheck="false" enterkeyhint="search" maxlength="500">
    <button class="search-close" type="button">Close</button>
  </form>
  <div class="search-body">
    <p class="search-hint"></p>
    <div id="search-results" role="listbox" aria-label="Results"></div>
  </div>
  <p class="search-keys" aria-hidden="true"><span><kbd>↑</kbd> <kbd>↓</kbd> to move</span> <span><kbd>Enter</kbd> to open</span> <span><kbd>Esc</kbd> to close</span></p>
  <p class="sr-only" role="status"></p>`

const hints = {
  empty: 'Type a question, or the name of a topic, an operation, an event or an error.',
  none: 'No results. Try different words, or press Enter for our topics and how to reach us.',
  loading: 'Loading search…',
  failed: 'Couldn’t load search. Check your connection, then type again.',
}

/** Ranks more pages than it shows, so each kind of page has some. */
const rankedMax = 30
const shownMax = 5

let ranking: Promise<Ranking> | undefined

/** Loads the index. After a failure, the next keystroke tries again. */
export function loadIndex(): Promise<Ranking> {
  ranking ??= fetch('/catalog/search.json').then(async answer => {
    if (!answer.ok) throw new Error(`the index responded with ${answer.status}`)
    return loadRanking(await answer.text())
  })
  ranking.catch(() => (ranking = undefined))
  return ranking
}

let dialog: SearchDialog | undefined

/** Opens the search, with text that was typed while it loaded. */
export function openSearch(typed = ''): void {
  dialog ??= new SearchDialog()
  dialog.open(typed)
}

class SearchDialog {
  readonly #dialog = document.createElement('dialog')
  readonly #input: HTMLInputElement
  readonly #results: HTMLElement
  readonly #hint: HTMLElement
  readonly #status: HTMLElement
  #active = 0

  constructor() {
    this.#dialog.className = 'search-dialog'
    this.#dialog.setAttribute('aria-label', 'Search')
    this.#dialog.innerHTML = markup
    const part = <Element extends HTMLElement>(selector: string) => {
      const found = this.#dialog.querySelector<Element>(selector)
      if (found === null) throw new Error(`the search has no ${selector}`)
      return found
    }
    this.#input = part('input')
    this.#results = part('[role=listbox]')
    this.#hint = part('.search-hint')
    this.#status = part('[role=status]')
    part('.search-close').addEventListener('click', () => this.#dialog.close())
    this.#input.addEventListener('input', () => void this.#search())
    this.#dialog.addEventListener('keydown', event => this.#press(event))
    this.#dialog.addEventListener('click', event => {
      if (event.target === this.#dialog) this.#dialog.close()
      if (event.target instanceof Element && event.target.closest('a')) this.#dialog.close()
    })
    document.body.append(this.#dialog)
  }

  open(typed: string): void {
    if (this.#dialog.open) return this.#input.select()
    this.#dialog.showModal()
    if (typed === '') this.#input.select()
    else this.#input.value = typed
    void this.#search()
  }

  async #search(): Promise<void> {
    const query = this.#input.value
    if (query.trim() === '') this.#show([], hints.empty)
    else if (this.#options().length === 0) this.#show([], hints.loading)
    const groups = await loadIndex().then(
      rank => groupLinks(rank(termsOf(query), rankedMax, typedWord(query)), shownMax),
      () => null,
    )
    // Drops the results for an earlier text.
    if (query !== this.#input.value || query.trim() === '') return
    if (groups === null) this.#show([], hints.failed)
    else this.#show(groups, hintFor(query, groups), query)
    const links = (groups ?? []).flatMap(group => group.links)
    void leadToSections(links, this.#options(), () => query === this.#input.value)
  }

  #show(groups: Group[], hint: string, query = ''): void {
    const all = `/search?${new URLSearchParams({ q: query.trim() })}`
    this.#results.replaceChildren(...groups.map(groupElement))
    if (groups.length > 0) this.#results.append(allResults(all, query))
    this.#hint.textContent = hint
    this.#hint.hidden = hint === ''
    const options = this.#options()
    for (const [at, option] of options.entries()) option.id = `search-option-${at}`
    this.#input.setAttribute('aria-expanded', String(options.length > 0))
    const count = Math.max(0, options.length - 1)
    const counted = count === 0 ? '' : `${count} ${count === 1 ? 'result' : 'results'}`
    this.#status.textContent = [hint, counted].filter(Boolean).join(' · ')
    this.#choose(0)
  }

  #options(): HTMLAnchorElement[] {
    return [...this.#results.querySelectorAll<HTMLAnchorElement>('[role=option]')]
  }

  /** Marks an option; moving up from the first wraps to the last. */
  #choose(at: number): void {
    const options = this.#options()
    this.#active = options.length === 0 ? 0 : (at + options.length) % options.length
    for (const [each, option] of options.entries()) {
      option.setAttribute('aria-selected', String(each === this.#active))
    }
    const chosen = options[this.#active]
    if (chosen) this.#input.setAttribute('aria-activedescendant', chosen.id)
    else this.#input.removeAttribute('aria-activedescendant')
    chosen?.scrollIntoView({ block: 'nearest' })
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) {
      event.preventDefault()
      this.#choose(this.#active + step)
    }
    if (event.key !== 'Enter' || event.target !== this.#input) return
    const chosen = this.#options()[this.#active]
    // If no result is selected, the form opens the search page.
    if (chosen === undefined) return
    event.preventDefault()
    const { metaKey, ctrlKey, shiftKey } = event
    chosen.dispatchEvent(
      new MouseEvent('click', { bubbles: true, cancelable: true, metaKey, ctrlKey, shiftKey }),
    )
  }
}

const groupElement = ({ name, links }: Group): HTMLElement =>
  element(
    'div',
    { role: 'group', 'aria-label': name, class: 'search-group' },
    element('p', { class: 'label', 'aria-hidden': 'true' }, name),
    ...links.map(({ url, title, description, found }) =>
      option(
        { href: url, 'data-found': found.join(' ') },
        element('b', {}, ...marked(title, found)),
        element('span', {}, ...marked(description, found)),
      ),
    ),
  )

/** Highlights the words that matched the search. */
const marked = (text: string, found: readonly string[]): Node[] =>
  markedParts(text, found).map(part =>
    part.isMarked ? element('mark', {}, part.text) : document.createTextNode(part.text),
  )

function hintFor(query: string, groups: readonly Group[]): string {
  if (soundsLikeEmergency(query)) return emergencyNotice
  if (groups.length === 0) return hints.none
  const links = groups.flatMap(group => group.links)
  const also = typedWord(query) === undefined ? alsoFor(query, links) : []
  return also.length === 0 ? '' : `Also: ${also.join(', ')}`
}

const allResults = (href: string, query: string): HTMLElement =>
  option({ href }, element('span', {}, `All results for “${query.trim()}”`))

const option = (attributes: Readonly<Record<string, string>>, ...inside: Node[]): HTMLElement =>
  element('a', { role: 'option', tabindex: '-1', class: 'search-result', ...attributes }, ...inside)
