// A browser without scripts that handles cookies, redirects and forms.

export type BrowsedPage = {
  readonly status: number
  readonly url: string
  readonly headers: Headers
  readonly text: string
}

export type FormValues = Readonly<Record<string, string>>

export type TestBrowser = {
  readonly cookies: Map<string, string>
  /** The last page shown. */
  readonly page: BrowsedPage
  get(path: string): Promise<BrowsedPage>
  /** Submits the current page's form with this action, including its hidden fields. */
  submit(path: string, values?: FormValues): Promise<BrowsedPage>
  /** Like `submit`, without following a redirect. */
  post(path: string, values?: FormValues): Promise<Response>
  /** Sends a request unchanged, without following a redirect. */
  send(path: string, init?: RequestInit): Promise<Response>
}

/** The statuses a page may return; any other status, such as 201, is a bug. */
const statuses = new Set([200, 303, 400, 401, 403, 404, 405, 409, 413, 415, 422, 429, 500, 503])

/** `origin` is the pages' origin. Redirects to other origins are not followed. */
export function openBrowser(origin: string): TestBrowser {
  const cookies = new Map<string, string>()
  let page: BrowsedPage = { status: 0, url: '', headers: new Headers(), text: '' }

  async function send(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0 && !headers.has('cookie')) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    const site = headers.get('sec-fetch-site') ?? 'same-origin'
    // An empty value means a browser that doesn't send the header.
    if (site === '') headers.delete('sec-fetch-site')
    else headers.set('sec-fetch-site', site)
    const response = await fetch(new URL(path, origin), { ...init, headers, redirect: 'manual' })
    for (const text of response.headers.getSetCookie()) {
      const [pair = '', ...attributes] = text.split(';')
      const at = pair.indexOf('=')
      const name = pair.slice(0, at)
      const isRemoved = attributes.some(one => /max-age=0|expires=thu, 01 jan 1970/i.test(one))
      if (isRemoved) cookies.delete(name)
      else cookies.set(name, pair.slice(at + 1))
    }
    return response
  }

  async function follow(path: string, init?: RequestInit): Promise<BrowsedPage> {
    let response = await send(path, init)
    let url = new URL(path, origin)
    for (let hops = 0; hops < 10 && response.status === 303; hops++) {
      url = new URL(response.headers.get('location') ?? '', url)
      if (url.origin !== origin) break
      response = await send(url.href, { headers: init?.headers ?? {} })
    }
    const { status, headers } = response
    if (!statuses.has(status)) throw new Error(`${url.href} returned ${status}.`)
    // Line break hints aren't part of the text.
    const text = (await response.text()).replaceAll('<wbr/>', '')
    page = { status, headers, url: url.href.replace(origin, ''), text }
    return page
  }

  const formOf = (path: string, values: FormValues = {}) => ({
    method: 'POST',
    headers: { 'sec-fetch-mode': 'navigate' },
    body: new URLSearchParams({ ...hiddenFields(page.text, path), ...values }),
  })

  return {
    cookies,
    get page() {
      return page
    },
    get: path => follow(path),
    send,
    submit: async (path, values) => follow(path, formOf(path, values)),
    post: async (path, values) => send(path, formOf(path, values)),
  }
}

/** The hidden fields in the first form with this action. */
export function hiddenFields(text: string, path: string): Record<string, string> {
  const escaped = Bun.escapeHTML(path)
  const form = text
    .split('<form ')
    .find(part => part.includes(`action="${escaped}"`))
    ?.split('</form>')[0]
  if (form === undefined) throw new Error(`The page has no form to ${path}.`)
  const inputs = form.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"\/?>/g)
  return Object.fromEntries(
    [...inputs].map(([, name = '', value = '']) => [name, unescaped(value)]),
  )
}

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#x27;': "'",
}

const unescaped = (text: string) =>
  text.replaceAll(/&[a-z0-9#]+;/g, found => entities[found] ?? found)

/** Removes the parts of a page that differ in each response: form tokens and challenges. */
export const withoutChance = (text: string): string =>
  text
    .replaceAll(/(name="(?:form|once)" value=")[^"]+/g, '$1')
    .replaceAll(/(&quot;challenge&quot;:&quot;)[\w-]+/g, '$1')
