// The pages of people at AUTH_URL, as a listener of node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createEncryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { ConnectionPool } from '#database/pool.ts'
import { openFailedAttempts } from '../accounts/failed-attempts.ts'
import { openPersonLinks } from '../accounts/links.ts'
import { openHandoffs } from '../accounts/handoffs.ts'
import { openPersonStore } from '../accounts/person-store.ts'
import { openSessions } from '../accounts/sessions.ts'
import type { Peppers } from '../pepper.ts'
import type { PageContext, PageOrigin } from './context.ts'
import { failurePage } from './failure.tsx'
import { readPageRequest, writePageAnswer } from './node-request.ts'
import type { PageRequest, Site } from './page.ts'
import { answerPage, pagePaths } from './router.ts'

export type PagesOptions = {
  /** Of the role app_auth. */
  readonly pool: ConnectionPool
  /** Which the pages of a consent and of a device decide for. */
  readonly authorization: PageContext['authorization']
  readonly site: Site
  readonly own: PageOrigin
  readonly handoffUrls: PageContext['handoffUrls']
  readonly peppers: Peppers
  /** Keys that encrypt what the database stores, the newest first. */
  readonly encryptionKeys: readonly string[]
  /** From which the keys of forms and of counters are derived. */
  readonly secret: string
  /** Where a developer reads the email that was not sent; absent where it is sent. */
  readonly mailUrl?: string | null
  /** Called after an email was queued. */
  emailed?(): void
  /** The time for the codes of authenticator apps. */
  now?(): number
}

export type Pages = {
  readonly paths: readonly string[]
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    call: Pick<PageRequest, 'address' | 'requestId'>,
  ): Promise<void>
}

export function openPages(options: PagesOptions): Pages {
  const { pool, site, own, peppers, secret, authorization, handoffUrls } = options
  const hmac = (text: string) => new Bun.CryptoHasher('sha256', secret).update(text).digest()
  const encryption = createEncryption(options.encryptionKeys)
  const codeTime = options.now ?? now
  const context: PageContext = {
    site,
    own,
    pool,
    authorization,
    hmac,
    randomBytes,
    now,
    codeTime,
    encryption,
    peppers,
    links: openPersonLinks(own.origin, peppers),
    passkeys: { pool, origin: own.origin, company: site.name, hmac, randomBytes, now },
    emailed: options.emailed ?? (() => {}),
    people: openPersonStore({ pool, encryption, now: codeTime }),
    sessions: openSessions(pool, peppers),
    failedAttempts: openFailedAttempts(pool, hmac),
    handoffs: openHandoffs(pool, peppers),
    handoffUrls,
    mailUrl: options.mailUrl ?? null,
  }
  return {
    paths: pagePaths,
    async answer(request, response, call) {
      const read = await readPageRequest(request, response, call)
      const answer =
        read === null
          ? failurePage(site, {
              status: 415,
              title: 'This is not a form of these pages',
              text: 'Open the page in a browser, and send its form from there.',
            })
          : await answerPage(context, read)
      if (answer !== 'answered') writePageAnswer([request, response], answer)
    },
  }
}
