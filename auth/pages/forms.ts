// The rules for form fields, and for the pages a form may lead to.
import { cookieText } from '#http/origins/page-cookies.ts'
import { ownPath } from '#http/origins/own-path.ts'
import { emailAddressMax, isEmailAddress } from '../accounts/email-address.ts'
import type { PageContext } from './context.ts'

/** A null `token` removes the cookie. */
export const sessionCookie = ({ own }: PageContext, token: string | null): string =>
  cookieText(own, 'session', token)

export const characters = { email: emailAddressMax, name: 200, password: 1000 } as const

export const emailFault = (email: string): string | undefined =>
  isEmailAddress(email) && /@.+\../.test(email)
    ? undefined
    : 'Enter a full email address, such as ada@example.com.'

const lineFault =
  (missing: string) =>
  (text: string): string | undefined => {
    if (text === '') return missing
    if (text.length > characters.name) return `Use at most ${characters.name} characters.`
    return /\p{C}/u.test(text) ? 'Use one line of text.' : undefined
  }

export const nameFault = lineFault('Enter your name.')
export const companyFault = lineFault('Enter your company or brand.')

/** The path to open after signing in. */
export const targetOf = (given: string | null, { own }: { own: { origin: string } }): string =>
  ownPath(given, own.origin)

/** The page to open after a person's first second factor: a path here, or the portal or console. */
export const targetAfterFactor = (given: string | null, context: PageContext): string =>
  Object.values(context.handoffUrls).find(url => url === given) ?? targetOf(given, context)

/** The origins a form leads to if a handoff follows. */
export const handoffTargets = ({ handoffUrls }: PageContext, target: string): string[] =>
  target.startsWith('/handoff?') ? Object.values(handoffUrls) : []
