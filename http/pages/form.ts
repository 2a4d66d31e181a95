// The form of a request, and the hidden field that binds it to the browser, its session and the
// path, so that no other page can make or replay one.
import { timingSafeEqual } from 'node:crypto'
import { formOf, isForm } from '../html/form.ts'
import type { OwnOrigin } from '../origins/own-origin.ts'
import type { HttpRequest } from '../http-request.ts'

type Bound = {
  /** A random value in a cookie of the browser. */
  readonly browser: string
  readonly session: string | null
  readonly path: string
}

/** `hmac`: under a secret of this installation. */
export const formTokenOf = (
  hmac: (text: string) => Uint8Array,
  { browser, session, path }: Bound,
): string => Buffer.from(hmac(`form\n${browser}\n${session ?? ''}\n${path}`)).toString('base64url')

export function isSameToken(expected: string, given: string | null): boolean {
  const [one, other] = [expected, given ?? ''].map(text => Buffer.from(text))
  return one?.length === other?.length && timingSafeEqual(one ?? Buffer.of(), other ?? Buffer.of())
}

/** No text of the database may have a NUL, and no field of a page needs one. */
const hasNul = (value: string) => value.includes('\0')

/** Null: the body isn't a form of a page. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams | null> {
  if (request.method !== 'POST') return new URLSearchParams()
  if (!isForm(request)) return null
  const form = await formOf(request)
  return [...form.values()].some(hasNul) ? null : form
}

/** Whether a page of this origin sent the request. */
export const isOwnRequest = (
  own: Pick<OwnOrigin, 'isOwn'>,
  { method, headers }: HttpRequest,
): boolean => own.isOwn({ method, header: name => headers.get(name) })
