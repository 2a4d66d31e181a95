// A browser without scripts. The browser handles cookies and redirects, and finds links and forms
// by their visible text. Its errors include the current page's path and text.
import { type Document, type Element, isText, type Text } from 'domhandler'
import { DomUtils, parseDocument } from 'htmlparser2'

const { findAll, findOne, getElementsByTagName: byTag, textContent } = DomUtils

export type Values = Readonly<Record<string, string | boolean>>

export type Browsed = { readonly url: URL; readonly status: number; readonly text: string }

const hopsMax = 12
const spaced = (text: string) => text.replaceAll(/\s+/g, ' ').trim()
const all = (name: string, of: Document | Element) => byTag(name, of.children, true)

export class Browser {
  readonly #cookies = new Map<string, Map<string, string>>()
  #page: Browsed = { url: new URL('about:blank'), status: 0, text: '' }
  #document: Document = parseDocument('')

  get page(): Browsed {
    return this.#page
  }

  /** The text that a person reads in the main part of the page. */
  get words(): string {
    const [main] = all('main', this.#document)
    const texts = DomUtils.filter(isText, main ?? this.#document) as Text[]
    return spaced(texts.map(({ data }) => data).join(' '))
  }

  async open(address: string | URL): Promise<Browsed> {
    return this.#go(new URL(address, this.#page.url), { method: 'GET' })
  }

  /** Follows the page's first link whose text or label equals or starts with `label`. */
  async follow(label: string): Promise<Browsed> {
    const links = all('a', this.#document).filter(one => one.attribs['href'] !== undefined)
    const link =
      links.find(one => nameOf(one) === label) ?? links.find(one => nameOf(one).startsWith(label))
    if (link === undefined) throw this.#missing(`a link “${label}”`)
    return this.open(link.attribs['href'] ?? '')
  }

  has(button: string): boolean {
    return this.#buttons().some(one => nameOf(one) === button)
  }

  /** Presses a button, after filling in its form by field labels. */
  async press(button: string, values: Values = {}): Promise<Browsed> {
    const pressed = this.#buttons().find(one => nameOf(one) === button)
    const form = pressed && ancestor(pressed, 'form')
    if (pressed === undefined || form === null || form === undefined) {
      throw this.#missing(`a button “${button}”`)
    }
    const fields = new URLSearchParams()
    const given = new Map(Object.entries(values))
    for (const field of findAll(one => isField(one), form.children)) {
      const label = this.#labelOf(field, form)
      const key = [...given.keys()].find(name => label === name || label.startsWith(name))
      const value = key === undefined ? undefined : given.get(key)
      for (const [name, text] of entered(field, value)) fields.append(name, text)
    }
    const labels = findAll(one => isField(one), form.children).map(one => this.#labelOf(one, form))
    for (const name of given.keys()) {
      if (!labels.some(label => label.startsWith(name))) throw this.#missing(`a field “${name}”`)
    }
    if (pressed.attribs['name'] !== undefined) {
      fields.append(pressed.attribs['name'], pressed.attribs['value'] ?? '')
    }
    const target = new URL(form.attribs['action'] ?? '', this.#page.url)
    if (form.attribs['method'] !== 'post') {
      target.search = fields.toString()
      return this.#go(target, { method: 'GET' })
    }
    return this.#go(target, { method: 'POST', body: fields })
  }

  /** Throws unless the page contains this text. */
  reads(text: string): void {
    if (!this.words.includes(text)) throw this.#missing(`“${text}”`)
  }

  #buttons = () => all('button', this.#document)

  /** A field's label, even for a checkbox or a radio button in a group. */
  #labelOf(field: Element, form: Element): string {
    const label = findOne(
      one => one.name === 'label' && one.attribs['for'] === field.attribs['id'],
      form.children,
    )
    return spaced(label === null ? '' : textContent(label))
  }

  #missing(what: string): Error {
    const { url, status } = this.#page
    return new Error(
      `${url.pathname} (${status}) does not have ${what}: ${this.words.slice(0, 400)}`,
    )
  }

  async #go(target: URL, init: { method: string; body?: URLSearchParams }): Promise<Browsed> {
    const from = this.#page.url
    let [url, response] = [target, await this.#send(target, init, from)]
    for (let hops = 0; response.status >= 300 && response.status < 400; hops++) {
      if (hops === hopsMax) throw new Error(`${target.pathname} redirects endlessly`)
      url = new URL(response.headers.get('location') ?? '', url)
      response = await this.#send(url, { method: 'GET' }, from)
    }
    this.#page = { url, status: response.status, text: await response.text() }
    this.#document = parseDocument(this.#page.text)
    return this.#page
  }

  async #send(url: URL, init: { method: string; body?: URLSearchParams }, from: URL) {
    const jar = this.#cookies.get(url.hostname) ?? new Map<string, string>()
    this.#cookies.set(url.hostname, jar)
    const isPost = init.method === 'POST'
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      headers: {
        ...(jar.size > 0 && {
          cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; '),
        }),
        'sec-fetch-mode': 'navigate',
        'sec-fetch-dest': 'document',
        'sec-fetch-site': isPost ? 'same-origin' : 'none',
        ...(isPost && { origin: from.origin }),
      },
    })
    for (const text of response.headers.getSetCookie()) keep(jar, text)
    return response
  }
}

function keep(jar: Map<string, string>, text: string): void {
  const [pair = '', ...attributes] = text.split(';')
  const at = pair.indexOf('=')
  const isRemoved = attributes.some(one => /max-age=0|expires=thu, 01 jan 1970/i.test(one))
  if (isRemoved) jar.delete(pair.slice(0, at))
  else jar.set(pair.slice(0, at), pair.slice(at + 1))
}

const nameOf = (one: Element) => one.attribs['aria-label'] ?? spaced(textContent(one))

function ancestor(of: Element, name: string): Element | null {
  for (let one = of.parent; one !== null; one = one.parent) {
    if ('name' in one && one.name === name) return one as Element
  }
  return null
}

const isField = ({ name, attribs }: Element): boolean =>
  /^(input|select|textarea)$/.test(name) && attribs['name'] !== undefined

/** The form values that a field sends. `value` is the entered value, or undefined. */
function entered(field: Element, value: string | boolean | undefined): [string, string][] {
  const name = field.attribs['name'] ?? ''
  if (field.name === 'textarea') return [[name, String(value ?? textContent(field))]]
  if (field.name === 'select') return [[name, chosen(field, value)]]
  if (/^(checkbox|radio)$/.test(field.attribs['type'] ?? '')) {
    const isOn = value === undefined ? field.attribs['checked'] !== undefined : value === true
    return isOn ? [[name, field.attribs['value'] ?? 'on']] : []
  }
  return [[name, String(value ?? field.attribs['value'] ?? '')]]
}

function chosen(select: Element, value: string | boolean | undefined): string {
  const options = all('option', select)
  const named = options.find(
    one => spaced(textContent(one)) === value || one.attribs['value'] === value,
  )
  if (value !== undefined && named === undefined) throw new Error(`“${value}” is not an option`)
  const before = options.find(one => one.attribs['selected'] !== undefined) ?? options[0]
  return (named ?? before)?.attribs['value'] ?? ''
}
