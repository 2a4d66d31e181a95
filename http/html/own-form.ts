// The form that a request carries, if a page of this origin made it for this browser and session.
import type { OwnOrigin } from '../origins/own-origin.ts'
import type { RequestContext } from '../request-context.ts'
import { formOf } from './form.ts'
import { formTokenOf, isSameToken } from './form-token.ts'

type FormContext = {
  readonly own: OwnOrigin
  /** An HMAC under a secret of this installation. */
  hmac(text: string): Uint8Array
}

/** `browser`: the value of its cookie; null: it had none before this request. Returns null for a
 *  form of another page. */
export async function ownForm(
  { own, hmac }: FormContext,
  request: RequestContext,
  { browser, session }: { readonly browser: string | null; readonly session: string },
): Promise<URLSearchParams | null> {
  const form = await formOf(request)
  if (browser === null) return null
  const { method, headers } = request.request
  const expected = formTokenOf(hmac, { browser, session, path: request.path })
  const isOwn = own.isOwn({ method, header: name => headers.get(name) })
  return isOwn && isSameToken(expected, form.get('form')) ? form : null
}
