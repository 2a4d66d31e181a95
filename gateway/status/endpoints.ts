// `/api/status`, and the status page with the state in it.
import type { Endpoint } from '#http/endpoint.ts'
import { statusPaths } from '../static/dynamic.ts'
import type { Site } from '../static/static.ts'
import { statusMarkdown, statusMarkup } from './page.ts'
import type { StatusReport } from './report.ts'

type StatusParts = {
  /** The build that is served now. */
  site(): Site
  report(): Promise<StatusReport>
}

/** As long as a state is good for; a CDN may keep it so long. */
const cacheControl = 'public, max-age=15'

export function statusEndpoints({ site, report }: StatusParts): Endpoint[] {
  const json: Endpoint = {
    path: '/api/status',
    methods: ['GET'],
    errorFormat: 'problem',
    answer: async () => ({
      body: JSON.stringify(await report()),
      headers: { 'cache-control': cacheControl },
    }),
  }
  const page = (path: string): Endpoint => ({
    path,
    methods: ['GET'],
    errorFormat: 'page',
    async answer({ request }) {
      const accept = request.headers.get('accept')
      const built = site().serve(
        new Request(`http://site${path}`, accept === null ? {} : { headers: { accept } }),
      )
      return built.ok ? withState(built, await report()) : built
    },
  })
  return [json, ...statusPaths.map(page)]
}

async function withState(built: Response, report: StatusReport): Promise<Response> {
  const headers = new Headers(built.headers)
  for (const name of ['etag', 'accept-ranges', 'x-markdown-tokens']) headers.delete(name)
  headers.set('cache-control', cacheControl)
  const isHtml = headers.get('content-type')?.startsWith('text/html') === true
  const text = await built.text()
  const live = isHtml ? inHtml(text, report) : inMarkdown(text, report)
  return new Response(live, { headers })
}

const inHtml = (text: string, report: StatusReport) =>
  new HTMLRewriter()
    .on('#state', {
      element: element => void element.setInnerContent(statusMarkup(report).text, { html: true }),
    })
    .transform(text)

/** The first section of the page is about its state now. */
const inMarkdown = (text: string, report: StatusReport) =>
  text.replace(
    /(\n## [^\n]+\n\n)[\s\S]*?(?=\n## )/,
    (_, heading: string) => `${heading}${statusMarkdown(report)}\n`,
  )
