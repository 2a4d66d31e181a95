// Where the `type` of a problem leads: one small page for each code, computed from the contract.
import { operationIds, table } from '#contract/clinical.ts'
import { everyRefusal, refusalsOf, writeRefusal } from '#contract/operation.ts'
import { type ProblemCode, problemCodes, problems } from '#contract/problems.ts'
import { preferenceOf } from './site/negotiate.ts'

const includes = (codes: readonly ProblemCode[], code: ProblemCode) => codes.includes(code)

/** Which calls may be refused so. */
function answeredBy(code: ProblemCode): string[] {
  if (includes(everyRefusal, code)) return ['Every operation.']
  if (includes(writeRefusal, code)) return ['Every POST, PATCH and DELETE.']
  if (code === 'method_not_allowed') return ['Every path, to a method that it does not take.']
  const rows = operationIds.map(id => table[id]).filter(row => refusalsOf(row).includes(code))
  const lines = rows.map(({ method, path }) => `${method} ${path}`)
  if (code === 'not_found') return ['Every path that there is not.', ...lines]
  return lines.length > 0 ? lines : ['No operation of this version.']
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

const markdownOf = (code: ProblemCode) => {
  const { status, title, hint } = problems[code]
  const rows = answeredBy(code).map(line => `- ${line}`)
  return `# ${title}

\`${code}\`, HTTP ${status}

${hint}

## Answered by

${rows.join('\n')}

## May the request be sent again?

${mayRetry(status)}

The whole contract: [/openapi/v1.json](/openapi/v1.json)
`
}

const escape = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const htmlOf = (code: ProblemCode) => {
  const { status, title, hint } = problems[code]
  const rows = answeredBy(code).map(line => `<li>${escape(line)}</li>`)
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)} (${code})</title>
<style>body{font:1.05rem/1.6 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1.5rem;color-scheme:light dark}code{font-size:.95em}</style>
<main>
<h1>${escape(title)}</h1>
<p><code>${code}</code>, HTTP ${status}</p>
<p>${escape(hint)}</p>
<h2>Answered by</h2>
<ul>${rows.join('')}</ul>
<h2>May the request be sent again?</h2>
<p>${escape(mayRetry(status))}</p>
<p>The whole contract: <a href="/openapi/v1.json">/openapi/v1.json</a></p>
</main>
</html>
`
}

const isCode = (text: string): text is ProblemCode => problemCodes.some(code => code === text)

/** The page of a code, or null when there is no such code. */
export function problemPage(code: string, request: Request): Response | null {
  if (!isCode(code)) return null
  const { page } = preferenceOf(request.headers.get('accept'), null)
  const isMarkdown = page === 'markdown'
  const body = isMarkdown ? markdownOf(code) : htmlOf(code)
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
