// The bar at the bottom of every `npm run site` page. The script is sent to the browser unchanged.

export type Finding = {
  path: string
  line: number
  column: number
  rule: string
  message: string
  fix: string
  level?: 'warning'
  /** The path of the file's page, if it has one. */
  page?: string
  /** Whether the preview shows the file's last good version until the finding is fixed. */
  isBlocking: boolean
}

/** The state sent to the browser. A page with an older version reloads. */
export type State = {
  version: number
  findings: Finding[]
  /** The word count and the reading grade level, by path. */
  measures: Record<string, { words: number; grade: number }>
  error: string | null
}

export const style = 'position:fixed;inset:auto 0 0 0;z-index:99;display:block'

export const bar = /* js */ `
const sheet = \`
  * { box-sizing: border-box }
  div, pre { font: 13px/1.5 ui-monospace, monospace; color: #f4f2ea; background: #1d211a }
  div { position: relative; z-index: 1 }
  #bar { min-height: 2.2rem; display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: center; padding: .25rem .75rem }
  #bar span { flex: 1 }
  button { font: inherit; color: inherit; background: none; border: 1px solid #f4f2ea55;
    border-radius: 4px; padding: 0 .5rem; cursor: pointer }
  button:focus-visible { outline: 2px solid #9fd18b }
  ul { list-style: none; margin: 0; padding: 0 .75rem .25rem; max-height: 30vh; overflow: auto }
  .error { color: #ffb4a3 }
  pre { position: fixed; top: 0; right: 0; bottom: 2.2rem; width: min(42rem, 50vw); margin: 0;
    padding: 1rem; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; border-left: 1px solid #f4f2ea55 }
  [hidden] { display: none !important }
\`
const here = location.pathname.replace(/(.)\\/$/, '$1')
const markdownPath = here === '/' ? '/index.md' : here + '.md'
const isStored = name => sessionStorage.getItem('preview.' + name) === 'yes'
const store = (name, is) => sessionStorage.setItem('preview.' + name, is ? 'yes' : 'no')

customElements.define('preview-bar', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' })
    root.innerHTML = '<style>' + sheet + '</style><pre tabindex="0" aria-label="This page as Markdown" hidden></pre>'
      + '<div role="region" aria-label="Preview"><ul hidden></ul><div id="bar"><span role="status"></span>'
      + '<button id="questions" aria-pressed="false">Questions</button>'
      + '<button id="markdown" aria-pressed="false">Markdown</button>'
      + '<button id="close" aria-label="Close the bar" title="Escape">×</button></div></div>'
    this.inner = id => root.querySelector(id)
    this.inner('#markdown').onclick = () => this.show('markdown', !this.isShown('markdown'))
    this.inner('#questions').onclick = () => this.show('questions', !this.isShown('questions'))
    this.inner('#close').onclick = () => this.close()
    addEventListener('keydown', event => {
      if (event.key !== 'Escape') return
      if (this.inner('pre').hidden) this.close()
      else this.show('markdown', false)
    })
    this.hidden = isStored('closed')
    if (this.hidden) this.style.display = 'none'
    void this.readMarkdown()
    new EventSource('/_preview/events').onmessage = ({ data }) => this.update(JSON.parse(data))
  }
  close() { store('closed', true); this.style.display = 'none' }
  isShown(name) { return this.inner('#' + name).getAttribute('aria-pressed') === 'true' }
  show(name, is) {
    const panel = this.inner('pre')
    store('markdown', is && name === 'markdown')
    for (const each of ['markdown', 'questions'])
      this.inner('#' + each).setAttribute('aria-pressed', String(is && each === name))
    panel.hidden = !is
    panel.setAttribute('aria-label', name === 'markdown' ? 'This page as Markdown' : 'Questions that the page promises to answer')
    if (is) panel.textContent = name === 'markdown' ? this.markdown : 'Searching for every question of the site …'
    if (is && name === 'questions') void this.rankQuestions()
  }
  /** Uses the current content: every question is searched again, which takes seconds. */
  async rankQuestions() {
    const answer = await fetch('/catalog/quality.json')
    const judged = answer.ok ? (await answer.json()).judged : []
    const own = judged.filter(({ pages }) => pages.includes(here))
    const lines = own.map(({ question, place, first }) =>
      (place === 1 ? 'first   ' : place === null ? 'not found ' : 'place ' + place + ' ') + question
        + (place === 1 ? '' : '\\n        first is ' + first))
    if (this.isShown('questions'))
      this.inner('pre').textContent = lines.join('\\n') || 'The page promises to answer no question.'
  }
  async readMarkdown() {
    const answer = await fetch(markdownPath)
    const text = answer.ok ? await answer.text() : ''
    const tokens = Math.ceil(text.length / 4).toLocaleString('en-US')
    this.inner('#markdown').textContent = answer.ok ? 'Markdown · ' + tokens + ' tokens' : 'No markdown'
    this.inner('#markdown').disabled = !answer.ok
    this.markdown = text
    if (answer.ok && isStored('markdown')) this.show('markdown', true)
  }
  update({ version, findings, measures, error }) {
    if (String(version) !== this.getAttribute('version')) return location.reload()
    const own = findings.filter(({ page }) => page === here)
    const elsewhere = findings.filter(each => each.page !== here && each.level !== 'warning')
    const isHeld = own.some(({ isBlocking }) => isBlocking)
    const count = own.length === 1 ? '1 finding' : own.length + ' findings'
    const title = document.title.startsWith('Draft: ') ? 'Draft' : 'Preview'
    const { words, grade } = measures[here] ?? {}
    this.inner('span').textContent = [
      title,
      count,
      words > 0 && words.toLocaleString('en-US') + ' words',
      grade > 0 && 'grade ' + grade.toFixed(1),
      isHeld && 'the last good version is shown',
      elsewhere.length > 0 && elsewhere.length + ' to fix on other pages',
    ].filter(Boolean).join(' · ')
    const lines = [...(error === null ? [] : [[error, true]]), ...[...own, ...elsewhere].map(each => [
      each.path + ':' + each.line + ':' + each.column + ' ' + each.rule + ' ' + each.message + ' → ' + each.fix,
      each.level !== 'warning',
    ])]
    this.inner('ul').replaceChildren(...lines.map(([text, isError]) => {
      const item = document.createElement('li')
      item.textContent = text
      if (isError) item.className = 'error'
      return item
    }))
    this.inner('ul').hidden = lines.length === 0
    // An error that keeps a page from being shown opens the bar again.
    if (error !== null || isHeld) this.style.display = 'block'
  }
})
`
