// Keeps the entries of a form that can't be accepted yet, because the session was locked or the
// second factor expired. The response's page contains the entries, encrypted for this browser and
// valid for a few minutes. No URL, log or table contains the entries.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { Hidden } from '../html/fields.tsx'
import type { OwnOrigin } from '../origins/own-origin.ts'
import { cookieOf, type CookieOrigin } from '../origins/page-cookies.ts'
import type { HttpRequest } from '../http-request.ts'
import type { Page } from './answer.tsx'
import { isOwnRequest } from './form.ts'
import type { PageRow } from './table.ts'
import { hasEntries } from './typed.tsx'

type KeptFormContext = {
  readonly own: CookieOrigin & Pick<OwnOrigin, 'isOwn'>
  hmac(text: string): Uint8Array
  randomBytes(count: number): Uint8Array
  now(): number
}

type Fields = readonly (readonly [name: string, value: string])[]
type KeptForm = { readonly path: string; readonly until: number; readonly fields: Fields }

const minuteMs = 60_000
const [ivBytes, tagBytes] = [12, 16]
const field = 'kept'
/** Fields that aren't kept, because the new page has its own. */
const own = new Set(['form', field])

const keyOf = ({ hmac }: KeptFormContext, browser: string) => hmac(`kept form\n${browser}`)

function seal(keeping: KeptFormContext, browser: string, kept: KeptForm): string {
  const iv = keeping.randomBytes(ivBytes)
  const cipher = createCipheriv('aes-256-gcm', keyOf(keeping, browser), iv)
  const text = Buffer.concat([cipher.update(JSON.stringify(kept)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url')
}

/** Returns null if the form was kept for another browser, was changed, or is too old. */
function open(keeping: KeptFormContext, browser: string, sealed: string): KeptForm | null {
  const bytes = Buffer.from(sealed, 'base64url')
  if (bytes.length <= ivBytes + tagBytes) return null
  const decipher = createDecipheriv(
    'aes-256-gcm',
    keyOf(keeping, browser),
    bytes.subarray(0, ivBytes),
  )
  decipher.setAuthTag(bytes.subarray(ivBytes, ivBytes + tagBytes))
  try {
    const text = decipher.update(bytes.subarray(ivBytes + tagBytes)) + decipher.final('utf8')
    const kept = JSON.parse(text) as KeptForm
    return kept.until > keeping.now() ? kept : null
  } catch {
    return null
  }
}

type SentForm = { readonly request: HttpRequest; readonly form: URLSearchParams }

/** The typed fields without secrets, if one of this origin's pages sent them to this path. */
function typedAt(keeping: KeptFormContext, { secrets = [] }: PageRow, sent: SentForm) {
  const { request, form } = sent
  const browser = cookieOf(request, keeping.own, 'form')
  if (browser === null || !isOwnRequest(keeping.own, request)) return null
  const sealed = form.get(field)
  if (sealed === null) {
    const fields: Fields = [...form].filter(([name]) => !own.has(name) && !secrets.includes(name))
    return fields.length === 0 ? null : { browser, fields }
  }
  const kept = open(keeping, browser, sealed)
  return kept === null || kept.path !== request.path ? null : { browser, fields: kept.fields }
}

type Locked = {
  /** The URL where the person confirms their second factor. */
  readonly proof: string
  readonly minutes: number
}

/** A page that keeps the entries and links to the second factor in another tab. Null if there are
 *  no fields. */
export function lockedForm(
  keeping: KeptFormContext,
  row: PageRow,
  sent: SentForm,
  { proof, minutes }: Locked,
): (Page & { readonly title: string }) | null {
  const typed = typedAt(keeping, row, sent)
  if (typed === null) return null
  const { path } = sent.request
  const isTyped = hasEntries(new Map(typed.fields).keys())
  const until = keeping.now() + minutes * minuteMs
  const sealed = seal(keeping, typed.browser, { path, until, fields: typed.fields })
  return {
    title: 'Confirm it’s you',
    status: 403,
    content: (
      <>
        <h1>Confirm it’s you</h1>
        <p class="lead">
          {isTyped
            ? `Not sent yet. Your entries stay on this page for ${minutes} minutes.`
            : 'Not done yet. Confirm, then continue.'}
        </p>
        <ol class="stack">
          <li>
            <a class="button" href={proof} target="_blank" rel="noopener">
              Confirm in a new tab
            </a>
          </li>
          <li>
            <form method="post" action={path}>
              <Hidden name={field} value={sealed} />
              <button class="button second">
                {isTyped ? 'Continue with my entries' : 'Continue'}
              </button>
            </form>
          </li>
        </ol>
      </>
    ),
  }
}

/** The entries to show again, from a kept form or from a form sent with another session's token.
 *  Null if the form has no entries to show. */
export function typedFields(
  keeping: KeptFormContext,
  row: PageRow,
  sent: SentForm,
): URLSearchParams | null {
  const typed = typedAt(keeping, row, sent)
  return typed === null ? null : new URLSearchParams(typed.fields.map(([...pair]) => pair))
}
