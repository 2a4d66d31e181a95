// What was typed into a form that cannot be accepted yet, because the session was locked or the
// second factor grew old meanwhile. It stays in the page that answers, encrypted for this browser
// and for a quarter of an hour: in no address, no log and no table.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import { consoleLimits } from '#contract/console/row.ts'
import { Hidden } from '#http/html/fields.tsx'
import { formOf } from '#http/html/form.ts'
import { pageResponse } from '#http/html/page-response.tsx'
import { cookieOf } from '#http/origins/page-cookies.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { ConsoleContext } from './context.ts'

type Fields = readonly (readonly [name: string, value: string])[]
type Kept = { readonly path: string; readonly until: number; readonly fields: Fields }

const minuteMs = 60_000
const [ivBytes, tagBytes] = [12, 16]
const field = 'kept'
/** Of the form itself; a new page has its own. */
const own = new Set(['form', field])

const keyOf = ({ hmac }: ConsoleContext, browser: string) => hmac(`kept form\n${browser}`)

function seal(context: ConsoleContext, browser: string, kept: Kept): string {
  const iv = context.randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(context, browser), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(kept)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** Null: it is of another browser, was changed, or is too old. */
function open(context: ConsoleContext, browser: string, sealed: string): Kept | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= ivBytes + tagBytes) return null
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(context, browser),
    bytes.subarray(0, ivBytes),
  )
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    const text = decipher.update(bytes.subarray(ivBytes + tagBytes)) + decipher.final('utf8')
    const kept = JSON.parse(text) as Kept
    return kept.until > context.now() ? kept : null
  } catch {
    return null
  }
}

/** The fields that were typed, if a page of this console sent them to this path. */
function typedAt(context: ConsoleContext, request: RequestContext, form: URLSearchParams) {
  const { method, headers } = request.request
  const browser = cookieOf(request, context.own, 'form')
  if (browser === null) return null
  if (!context.own.isOwn({ method, header: name => headers.get(name) })) return null
  const sealed = form.get(field)
  if (sealed === null) {
    const fields: Fields = [...form].filter(([name]) => !own.has(name))
    return fields.length === 0 ? null : { browser, fields }
  }
  const kept = open(context, browser, sealed)
  return kept?.path === request.path ? { browser, fields: kept.fields } : null
}

/** Leads to the second factor in another tab, and keeps what was typed. Null: there is nothing to
 *  keep. */
export async function lockedForm(
  context: ConsoleContext,
  request: RequestContext,
  back: string,
): Promise<Response | null> {
  if (request.request.method !== 'POST') return null
  const typed = typedAt(context, request, await formOf(request))
  if (typed === null) return null
  const until = context.now() + consoleLimits.signatureMinutes * minuteMs
  const { path } = request
  const sealed = seal(context, typed.browser, { path, until, fields: typed.fields })
  return pageResponse(context, {
    title: 'Prove your second factor',
    status: 403,
    content: (
      <main class="narrow">
        <h1>Prove your second factor</h1>
        <p class="lead">
          Nothing was sent yet. What you typed is kept on this page for{' '}
          {consoleLimits.signatureMinutes} minutes.
        </p>
        <ol class="stack">
          <li>
            <a class="button" href={signInPath(back, true)} target="_blank" rel="noopener">
              Prove it in a new tab
            </a>
          </li>
          <li>
            <form method="post" action={path}>
              <Hidden name={field} value={sealed} />
              <button class="button second">Continue with what I typed</button>
            </form>
          </li>
        </ol>
      </main>
    ),
  })
}

/** What a page of this console kept and sends now, or what it sent with a token of another session.
 *  Null: there is nothing to show again. */
export function typedFields(
  context: ConsoleContext,
  request: RequestContext,
  form: URLSearchParams,
): URLSearchParams | null {
  const typed = typedAt(context, request, form)
  return typed === null ? null : new URLSearchParams(typed.fields.map(([...pair]) => pair))
}
