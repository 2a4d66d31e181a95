// The account pages at AUTH_URL: their table, and its handlers' context.
import { createEncryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import { formBytesMax } from '#http/html/form.ts'
import { documentOf, type Failure } from '#http/pages/answer.tsx'
import { failurePage, notFound } from '#http/pages/failures.tsx'
import { openPages } from '#http/pages/pages.ts'
import { openFailedAttempts } from '../accounts/failed-attempts.ts'
import { openPersonLinks } from '../accounts/links.ts'
import { openHandoffs } from '../accounts/handoffs.ts'
import { openBreachService } from '../accounts/passwords.ts'
import { openPersonStore } from '../accounts/person-store.ts'
import { openSessions } from '../accounts/sessions.ts'
import { assets } from './assets.ts'
import type { PageContext } from './context.ts'
import { framed } from './frame.tsx'
import { handlers } from './handlers.ts'
import { returningTo, stepBefore } from './steps.ts'
import { table } from './table.ts'

export type PagesOptions = Pick<
  PageContext,
  'pool' | 'authorization' | 'site' | 'own' | 'handoffUrls' | 'peppers' | 'mailUrl' | 'onError'
> & {
  /** Keys that encrypt stored secrets, newest first. */
  readonly encryptionKeys: readonly string[]
  /** The secret that form and counter keys are derived from. */
  readonly secret: string
  /** The clock for authenticator apps' codes. */
  now?(): number
  emailed?(): void
  readonly breachedPasswordsUrl?: string | undefined
  /** A hash that no password matches, whose parameters are also used for test passwords. */
  unknownHash?: string | undefined
}

export function openPeoplePages({ encryptionKeys, secret, ...options }: PagesOptions) {
  const context = contextOf(options, createEncryption(encryptionKeys), secret)
  return openPages({
    context,
    table,
    handlers,
    findSession: cookie => context.sessions.find(cookie),
    signInPath: next => returningTo('/sign-in', next),
    admit: call => call,
    refuse: () => undefined,
    formBytesMax,
    stepBefore: ({ factor }, { session, back }) => stepBefore(context, session, back, factor),
    frame: (page, call) => framed(context.site, page, call),
    notFound: notFound('The page may have expired.', {
      href: '/',
      label: 'Your agents and devices',
    }),
  })
}

function contextOf(
  {
    now: codeTime = now,
    emailed = () => {},
    unknownHash,
    breachedPasswordsUrl: url,
    ...parts
  }: Omit<PagesOptions, 'secret' | 'encryptionKeys'>,
  encryption: PageContext['encryption'],
  secret: string,
): PageContext {
  const { pool, site, own, peppers } = parts
  const hmac = (text: string) => new Bun.CryptoHasher('sha256', secret).update(text).digest()
  return {
    ...parts,
    ...documents(site),
    hmac,
    randomBytes,
    now,
    codeTime,
    encryption,
    emailed,
    links: openPersonLinks(own.origin, peppers),
    passkeys: { pool, origin: own.origin, company: site.name, hmac, randomBytes, now },
    people: openPersonStore({ pool, encryption, now: codeTime, unknown: unknownHash }),
    sessions: openSessions(pool, peppers),
    isStolenPassword: url === undefined ? async () => false : openBreachService(`${url}/`),
    failedAttempts: openFailedAttempts(pool, hmac),
    handoffs: openHandoffs(pool, peppers),
  }
}

/** Only pages with passkeys have scripts. */
const documents = (site: PageContext['site']) => ({ site, assets, formTargets: [], scripts: false })

const reasons: Readonly<Record<string, string>> = {
  invalid_client: 'We don’t know the app that sent you here. It may need to register again.',
  invalid_redirect_uri:
    'The app that sent you here asked for a redirect to a URL it didn’t register.',
}

/** The page for an authorization error that must not be sent to the client, because the client or
 *  its redirect URI is invalid (RFC 6749 section 4.1.2.1). */
export function authorizationErrorPage(site: PageContext['site'], code: string, detail: string) {
  const failure: Failure = {
    status: 400,
    title: 'We can’t handle this request',
    text:
      reasons[code] ?? 'The app that sent you here made an invalid request. It didn’t get access.',
    reference: `${code}: ${detail}`,
  }
  return documentOf(documents(site), framed(site, failurePage(failure), null))
}
