// The bar at the foot of every page of `bun run site`, and of no other: the script is sent to the
// browser as it stands, and knows only the page that it is on.

export type Finding = {
  path: string
  line: number
  column: number
  rule: string
  message: string
  fix: string
  level?: 'warning'
  /** The address of its file, where it has one. */
  page?: string
  /** Whether the last good version of its file is shown until it is mended. */
  grave: boolean
}

/** What the browser is told: a page of an older version reloads. */
export type State = {
  version: number
  findings: Finding[]
  /** By address: how many words its file has, and the grade of a reader it asks for. */
  measures: Record<string, { words: number; grade: number }>
  fault: string | null
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
const twin = here === '/' ? '/index.md' : here + '.md'
const kept = name => sessionStorage.getItem('preview.' + name) === 'yes'
const keep = (name, is) => sessionStorage.setItem('preview.' + name, is ? 'yes' : 'no')

customElements.define('preview-bar', class extends HTMLElement {
  connectedCallback() {
    const root = this.attachShadow({ mode: 'open' })
    root.innerHTML = '<style>' + sheet + '</style><pre tabindex="0" aria-label="This page as markdown" hidden></pre>'
      + '<div role="region" aria-label="Preview"><ul hidden></ul><div id="bar"><span role="status"></span>'
      + '<button id="asked" aria-pressed="false">Questions</button>'
      + '<button id="twin" aria-pressed="false">Markdown</button>'
      + '<button id="close" aria-label="Close the bar" title="Escape">×</button></div></div>'
    this.inner = id => root.querySelector(id)
    this.inner('#twin').onclick = () => this.show('twin', !this.isShown('twin'))
    this.inner('#asked').onclick = () => this.show('asked', !this.isShown('asked'))
    this.inner('#close').onclick = () => this.close()
    addEventListener('keydown', event => {
      if (event.key !== 'Escape') return
      if (this.inner('pre').hidden) this.close()
      else this.show('twin', false)
    })
    this.hidden = kept('closed')
    if (this.hidden) this.style.display = 'none'
    void this.readTwin()
    new EventSource('/_preview/events').onmessage = ({ data }) => this.hear(JSON.parse(data))
  }
  close() { keep('closed', true); this.style.display = 'none' }
  isShown(name) { return this.inner('#' + name).getAttribute('aria-pressed') === 'true' }
  show(name, is) {
    const panel = this.inner('pre')
    keep('twin', is && name === 'twin')
    for (const each of ['twin', 'asked'])
      this.inner('#' + each).setAttribute('aria-pressed', String(is && each === name))
    panel.hidden = !is
    panel.setAttribute('aria-label', name === 'twin' ? 'This page as markdown' : 'What it promises to answer')
    if (is) panel.textContent = name === 'twin' ? this.twin : 'Asking every question of the site …'
    if (is && name === 'asked') void this.ask()
  }
  /** Of the words as they are now: every page is judged anew, which takes seconds. */
  async ask() {
    const answer = await fetch('/catalog/quality.json')
    const judged = answer.ok ? (await answer.json()).judged : []
    const own = judged.filter(({ pages }) => pages.includes(here))
    const lines = own.map(({ question, place, first }) =>
      (place === 1 ? 'first   ' : place === null ? 'missed  ' : 'place ' + place + ' ') + question
        + (place === 1 ? '' : '\\n        first stands ' + first))
    if (this.isShown('asked'))
      this.inner('pre').textContent = lines.join('\\n') || 'It promises to answer no question.'
  }
  async readTwin() {
    const answer = await fetch(twin)
    const text = answer.ok ? await answer.text() : ''
    const tokens = Math.ceil(text.length / 4).toLocaleString('en-US')
    this.inner('#twin').textContent = answer.ok ? 'Markdown · ' + tokens + ' tokens' : 'No markdown'
    this.inner('#twin').disabled = !answer.ok
    this.twin = text
    if (answer.ok && kept('twin')) this.show('twin', true)
  }
  hear({ version, findings, measures, fault }) {
    if (String(version) !== this.getAttribute('version')) return location.reload()
    const own = findings.filter(({ page }) => page === here)
    const elsewhere = findings.filter(each => each.page !== here && each.level !== 'warning')
    const isHeld = own.some(({ grave }) => grave)
    const count = own.length === 1 ? '1 finding' : own.length + ' findings'
    const title = document.title.startsWith('Draft: ') ? 'Draft' : 'Preview'
    const { words, grade } = measures[here] ?? {}
    this.inner('span').textContent = [
      title,
      count,
      words > 0 && words.toLocaleString('en-US') + ' words',
      grade > 0 && 'grade ' + grade.toFixed(1),
      isHeld && 'the last good version is shown',
      elsewhere.length > 0 && elsewhere.length + ' to mend elsewhere',
    ].filter(Boolean).join(' · ')
    const lines = [...(fault === null ? [] : [[fault, true]]), ...[...own, ...elsewhere].map(each => [
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
    // What keeps a page from being shown is said even where the bar was closed.
    if (fault !== null || isHeld) this.style.display = 'block'
  }
})
`
