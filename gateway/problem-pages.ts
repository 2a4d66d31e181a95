// Where the `type` of a problem leads: one small page for each code, computed from the contracts.
import { operationIds, table } from '#contract/clinical.ts'
import { everyRefusal, refusalsOf, writeRefusal } from '#contract/operation.ts'
import { type ProblemCode, problemCodes, problems } from '#contract/problems.ts'
import { siteTable } from '#contract/site.ts'
import { siteRefusalsOf } from '#contract/site-operation.ts'
import { type SiteProblemCode, siteProblemCodes, siteProblems } from '#contract/site-problems.ts'
import { preferenceOf } from './site/negotiate.ts'

type Code = ProblemCode | SiteProblemCode
type Page = {
  readonly code: Code
  readonly status: number
  readonly title: string
  readonly hints: readonly string[]
  /** Which calls may be refused so. */
  readonly lines: readonly string[]
}

const includes = (codes: readonly ProblemCode[], code: ProblemCode) => codes.includes(code)
const isClinical = (code: string): code is ProblemCode => problemCodes.some(one => one === code)
const isOfSite = (code: string): code is SiteProblemCode =>
  siteProblemCodes.some(one => one === code)

/** A code that both APIs have is of one status, and one page tells of both. */
function pageOf(code: Code): Page {
  const said = [
    ...(isClinical(code) ? [problems[code]] : []),
    ...(isOfSite(code) ? [siteProblems[code]] : []),
  ]
  const [first = siteProblems.not_found] = said
  const { status, title } = first
  const lines = [
    ...(isClinical(code) ? clinicalLines(code) : []),
    ...(isOfSite(code) ? siteLines(code) : []),
  ]
  return { code, status, title, hints: [...new Set(said.map(({ hint }) => hint))], lines }
}

function clinicalLines(code: ProblemCode): string[] {
  if (includes(everyRefusal, code)) return ['Every operation of the clinical API.']
  if (includes(writeRefusal, code)) return ['Every POST, PATCH and DELETE of the clinical API.']
  if (code === 'method_not_allowed') return ['Every path, to a method that it does not take.']
  const rows = operationIds.map(id => table[id]).filter(row => refusalsOf(row).includes(code))
  const lines = rows.map(({ method, path }) => `${method} ${path}`)
  if (code === 'not_found') return ['Every path that there is not.', ...lines]
  return lines.length > 0 ? lines : ['No operation of this version.']
}

/** What every row may refuse is told in one line; the rest by name. */
function siteLines(code: SiteProblemCode): string[] {
  const rows = Object.values(siteTable)
  const refusing = rows.filter(row => siteRefusalsOf(row).includes(code))
  if (refusing.length === rows.length) return ["Every endpoint of the site's own API."]
  return refusing.map(({ method, path }) => `${method} ${path}`)
}

function mayRetry(status: number): string {
  if (status === 429 || status === 503)
    return 'Yes: send the same request, with the same Idempotency-Key, after Retry-After seconds.'
  if (status === 500)
    return 'Yes: with the same Idempotency-Key, waiting longer each time. It cannot take effect twice.'
  if (status === 409)
    return 'When Retry-After is sent, after that time. Otherwise read the resource first and decide again.'
  return 'No: change the request first. It had no effect, and its Idempotency-Key is unused.'
}

const markdownOf = ({ code, status, title, hints, lines }: Page) => {
  const rows = lines.map(line => `- ${line}`)
  return `# ${title}

\`${code}\`, HTTP ${status}

${hints.join('\n\n')}

## Answered by

${rows.join('\n')}

## May the request be sent again?

${mayRetry(status)}

The contracts: [/openapi/v1.json](/openapi/v1.json) of the clinical API, [/openapi.json](/openapi.json) of the site's own.
`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const htmlOf = ({ code, status, title, hints, lines }: Page) => {
  const rows = lines.map(line => `<li>${escape(line)}</li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} (${code})</title>
<style>body{font:1.05rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.5rem;color-scheme:light dark}code{font-size:.95em}</style>
<main>
<h1>${escape(title)}</h1>
<p><code>${code}</code>, HTTP ${status}</p>
${hints.map(hint => `<p>${escape(hint)}</p>`).join('\n')}
<h2>Answered by</h2>
<ul>${rows.join('')}</ul>
<h2>May the request be sent again?</h2>
<p>${escape(mayRetry(status))}</p>
<p>The contracts: <a href="/openapi/v1.json">/openapi/v1.json</a> of the clinical API, <a href="/openapi.json">/openapi.json</a> of the site's own.</p>
</main>
</html>
`
}

/** The page of a code, or null when there is no such code. */
export function problemPage(code: string, request: Request): Response | null {
  if (!isClinical(code) && !isOfSite(code)) return null
  const told = pageOf(code)
  const { page } = preferenceOf(request.headers.get('accept'), null)
  const isMarkdown = page === 'markdown'
  const body = isMarkdown ? markdownOf(told) : htmlOf(told)
  const headers = {
    'content-type': isMarkdown ? 'text/markdown; charset=utf-8' : 'text/html; charset=utf-8',
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'content-length': String(Buffer.byteLength(body)),
    'cache-control': 'public, max-age=300',
    'x-content-type-options': 'nosniff',
    vary: 'Accept',
  }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}
