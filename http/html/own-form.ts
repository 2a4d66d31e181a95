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

type Sender = {
  /** The value of its cookie; null: it had none before this request. */
  readonly browser: string | null
  readonly session: string
}

/** Returns null for a form of another page. */
export async function ownForm(
  context: FormContext,
  request: RequestContext,
  sender: Sender,
): Promise<URLSearchParams | null> {
  const form = await formOf(request)
  return isOwnForm(context, request, form, sender) ? form : null
}

/** The same for a form that was read. */
export function isOwnForm(
  { own, hmac }: FormContext,
  request: RequestContext,
  form: URLSearchParams,
  { browser, session }: Sender,
): boolean {
  if (browser === null) return false
  const { method, headers } = request.request
  const expected = formTokenOf(hmac, { browser, session, path: request.path })
  const isOwn = own.isOwn({ method, header: name => headers.get(name) })
  return isOwn && isSameToken(expected, form.get('form'))
}
