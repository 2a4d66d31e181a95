// Reads a request's form, and the hidden field that binds it to the browser, its session and the
// path, so no other page can forge or replay a form.
import { timingSafeEqual } from 'node:crypto'
import { formOf, isForm } from '../html/form.ts'
import type { OwnOrigin } from '../origins/own-origin.ts'
import type { HttpRequest } from '../http-request.ts'

type Bound = {
  /** A random value in a browser cookie. */
  readonly browser: string
  readonly session: string | null
  readonly path: string
}

/** `hmac` uses this installation's secret. */
export const formTokenOf = (
  hmac: (text: string) => Uint8Array,
  { browser, session, path }: Bound,
): string => Buffer.from(hmac(`form\n${browser}\n${session ?? ''}\n${path}`)).toString('base64url')

export function isSameToken(expected: string, given: string | null): boolean {
  const [one, other] = [expected, given ?? ''].map(text => Buffer.from(text))
  return one?.length === other?.length && timingSafeEqual(one ?? Buffer.of(), other ?? Buffer.of())
}

export const isOwnToken = (
  hmac: (text: string) => Uint8Array,
  bound: Bound,
  given: string | null,
): boolean => isSameToken(formTokenOf(hmac, bound), given)

/** A form's value that makes sending it twice harmless. */
export const newOnce = (randomBytes: (count: number) => Uint8Array): string =>
  Buffer.from(randomBytes(18)).toString('base64url')

/** Database text can't contain NUL, and no page field needs one. */
const hasNul = (value: string) => value.includes('\0')

/** Returns null if the body isn't a page's form. */
export async function readForm(request: HttpRequest): Promise<URLSearchParams | null> {
  if (request.method !== 'POST') return new URLSearchParams()
  if (!isForm(request)) return null
  const form = await formOf(request)
  return [...form.values()].some(hasNul) ? null : form
}

/** Whether one of this origin's pages sent the request. */
export const isOwnRequest = (
  own: Pick<OwnOrigin, 'isOwn'>,
  { method, headers }: HttpRequest,
): boolean => own.isOwn({ method, header: name => headers.get(name) })
