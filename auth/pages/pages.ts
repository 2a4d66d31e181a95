// The pages of people at AUTH_URL, as a listener of node:http.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createEncryption } from '#database/encryption.ts'
import { now, randomBytes } from '#database/clock.ts'
import { openPool } from '#database/pool.ts'
import { openFailedAttempts } from '../accounts/failed-attempts.ts'
import { openPersonStore } from '../accounts/person-store.ts'
import { openSessions, type TokenHashes } from '../accounts/sessions.ts'
import type { PageContext, PageOrigin } from './context.ts'
import { failurePage } from './failure.ts'
import { readPageRequest, writePageAnswer } from './node-request.ts'
import type { PageRequest, Site } from './page.ts'
import { answerPage, isPage, pagePaths } from './router.ts'

export type PagesOptions = {
  /** The database's address for the role app_auth. */
  readonly url: string
  readonly poolSize: number
  readonly site: Site
  readonly own: PageOrigin
  readonly tokens: TokenHashes
  /** Keys that encrypt what the database stores, the newest first. */
  readonly encryptionKeys: readonly string[]
  /** From which the keys of forms and of counters are derived. */
  readonly secret: string
  /** The time for the codes of authenticator apps. */
  now?(): number
}

export type Pages = {
  readonly paths: readonly string[]
  /** Whether a path belongs to a page. */
  has(path: string): boolean
  answer(
    request: IncomingMessage,
    response: ServerResponse,
    call: Pick<PageRequest, 'address' | 'requestId'>,
  ): Promise<void>
  close(): Promise<void>
}

export function openPages(options: PagesOptions): Pages {
  const { site, own, tokens, secret } = options
  const pool = openPool({ url: options.url, size: options.poolSize, name: 'pages' })
  const hmac = (text: string) => new Bun.CryptoHasher('sha256', secret).update(text).digest()
  const context: PageContext = {
    site,
    own,
    pool,
    hmac,
    randomBytes,
    people: openPersonStore({
      pool,
      encryption: createEncryption(options.encryptionKeys),
      now: options.now ?? now,
    }),
    sessions: openSessions(pool, tokens),
    failedAttempts: openFailedAttempts(pool, hmac),
  }
  return {
    paths: pagePaths,
    has: isPage,
    async answer(request, response, call) {
      const read = await readPageRequest(request, call)
      const answer =
        read === null
          ? failurePage(site, {
              status: 415,
              title: 'This is not a form of these pages',
              text: 'Open the page in a browser, and send its form from there.',
            })
          : await answerPage(context, read)
      writePageAnswer(request, response, answer)
    },
    close: () => pool.close(),
  }
}
