// A browser that has verified both of an account's factors gets a cookie that marks it as known.
// Its attempts are counted separately, and its passwords are hashed in a separate line, so attempts
// from the same address, or on the same account elsewhere, don't slow this browser down.
import { networkOf } from '#http/limits/rate-limiter.ts'
import { cookieOf, cookieText } from '#http/origins/page-cookies.ts'
import { isSameToken } from '#http/pages/form.ts'
import type { AnyCall, PageContext } from './context.ts'

/** Several people may share a workstation, so the cookie has room for the latest few accounts. */
const accountsMax = 8
const knownSeconds = 365 * 86_400

type Marker = Pick<PageContext, 'hmac' | 'own' | 'randomBytes'>

/** The browser's random ID, and a mark for each account that it has signed in to. */
function readCookie({ own }: Marker, { request }: AnyCall): [browser: string, ...marks: string[]] {
  const [browser = '', ...marks] = (cookieOf(request, own, 'known') ?? '').split('.')
  return [browser, ...marks]
}

const markOf = ({ hmac }: Marker, browser: string, email: string): string =>
  Buffer.from(hmac(`known browser\n${browser}\n${email.toLowerCase()}`)).toString('base64url')

export type Origin = { readonly isKnown: boolean; readonly name: string }

/** The source of a sign-in attempt, which is a known browser or a network. */
export function originOf(context: Marker, call: AnyCall, email: string): Origin {
  const [browser, ...marks] = readCookie(context, call)
  const mark = markOf(context, browser, email)
  const isKnown = browser !== '' && marks.some(each => isSameToken(mark, each))
  return { isKnown, name: isKnown ? `browser ${browser}` : networkOf(call.request.address) }
}

/** The cookie set once both factors are verified. */
export function knownCookie(context: Marker, call: AnyCall, email: string): string {
  const [known, ...marks] = readCookie(context, call)
  const browser = known || Buffer.from(context.randomBytes(18)).toString('base64url')
  const mark = markOf(context, browser, email)
  const others = marks.filter(each => each !== mark).slice(0, accountsMax - 1)
  return cookieText(context.own, 'known', [browser, mark, ...others].join('.'), knownSeconds)
}
