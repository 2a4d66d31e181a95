// A toast: one sentence after a change, with an undo button if the change can be undone. A signed
// cookie passes the toast to the next page, which removes the cookie.
import type { VNode } from 'preact'
import { Hidden } from '../html/fields.tsx'
import { type FormCall, RowForm } from '../html/parts.tsx'
import type { HttpRequest } from '../http-request.ts'
import { cookieOf, type CookieOrigin, cookieText } from '../origins/page-cookies.ts'
import { isSameToken } from './form.ts'

export type Toast = {
  /** Past tense: "Endpoint disabled". */
  readonly text: string
  /** The form that undoes the change. */
  readonly undo?: { readonly path: string; readonly fields?: Readonly<Record<string, string>> }
}

const toastSeconds = 60

type Hmac = (text: string) => Uint8Array

const signatureOf = (hmac: Hmac, text: string) =>
  Buffer.from(hmac(`toast\n${text}`)).toString('base64url')

/** The toast's cookie value. */
function sealToast(hmac: Hmac, toast: Toast): string {
  const text = Buffer.from(JSON.stringify(toast)).toString('base64url')
  return `${text}.${signatureOf(hmac, text)}`
}

/** Returns null for a cookie that isn't ours. */
function openToast(hmac: Hmac, sealed: string): Toast | null {
  const [text = '', signature = ''] = sealed.split('.')
  if (!isSameToken(signatureOf(hmac, text), signature)) return null
  return JSON.parse(Buffer.from(text, 'base64url').toString()) as Toast
}

type ToastContext = { readonly own: CookieOrigin; readonly hmac: Hmac }

/** The cookies of a form's response, including the toast for the next page. */
export function withToastCookie(
  { own, hmac }: ToastContext,
  { cookies = [], toast }: { readonly cookies?: readonly string[]; readonly toast?: Toast },
): readonly string[] {
  return toast === undefined
    ? cookies
    : [...cookies, cookieText(own, 'toast', sealToast(hmac, toast), toastSeconds)]
}

/** Returns undefined if the browser has none, or if a script requested only part of a page; the
 *  next page then shows the toast. Null if the cookie isn't ours. */
export function toastOf(
  { own, hmac }: ToastContext,
  request: Pick<HttpRequest, 'headers'>,
): Toast | null | undefined {
  const sealed = cookieOf(request, own, 'toast')
  const isPart = request.headers.has('hx-request') || request.headers.has('x-jump')
  return sealed === null || isPart ? undefined : openToast(hmac, sealed)
}

const ToastView = ({ call, toast: { text, undo } }: { call: FormCall; toast: Toast }) => (
  <div class="toast" role="status">
    <p>{text}</p>
    {undo !== undefined && (
      <RowForm call={call} path={undo.path} class="inline">
        {Object.entries(undo.fields ?? {}).map(([name, value]) => (
          <Hidden key={name} name={name} value={value} />
        ))}
        <button class="link">Undo</button>
      </RowForm>
    )}
    <button type="button" class="toast-close" data-dismiss aria-label="Dismiss" hidden>
      ×
    </button>
  </div>
)

/** A script removes the toast, so the page gets its origin's scripts. */
export const withToast = <Shown extends { readonly body: VNode; readonly scripts?: boolean }>(
  page: Shown,
  call: FormCall,
  toast: Toast | null,
): Shown =>
  toast === null
    ? page
    : {
        ...page,
        scripts: true,
        body: (
          <>
            {page.body}
            <ToastView call={call} toast={toast} />
          </>
        ),
      }
