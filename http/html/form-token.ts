// The hidden field of a form: bound to the browser, its session and the path, so that no other page
// can make or replay a form.
import { timingSafeEqual } from 'node:crypto'

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
