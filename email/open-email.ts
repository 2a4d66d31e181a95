// Opens email for a gateway: the transport, the mailer, and the pages that show a developer unsent
// email.
import path from 'node:path'
import { openIdSequence } from '#contract/ids.ts'
import company from '#content/site.config.ts'
import { now, randomBytes } from '#database/clock.ts'
import type { ConnectionPool } from '#database/pool.ts'
import type { Endpoint } from '#http/endpoint.ts'
import type { Log } from '#http/log.ts'
import { compose } from './compose.ts'
import { devMailEndpoints, devMailPath, type MailLayout } from './dev-mail.ts'
import type { CallLinks, MailLinks } from './links.ts'
import { openMailer } from './mailer.ts'
import { fileTransport, smtpTransport } from './transport.ts'

const nextId = openIdSequence(now, randomBytes)

type EmailSettings = {
  /** The folder for email while no mail server is configured. */
  readonly dataDir: string
  readonly smtpUrl: string | undefined
  readonly mailFrom: string | undefined
  readonly salesEmail: string | undefined
  /** Whether only this machine can reach the server, so the server may show the email it wrote. */
  readonly isPrivate: boolean
}

type EmailOptions = {
  /** Connects as app_site. */
  readonly pool: ConnectionPool
  readonly links: CallLinks
  readonly people: MailLinks
  readonly settings: EmailSettings
  readonly log: Log
}

export type OpenEmail = {
  /** Called after an email is queued. */
  wake(): void
  /** The site's page with unsent email; null if email is sent. */
  readonly mailPath: string | null
  endpoints(layout: MailLayout): Endpoint[]
  /** Waits for the email being sent. */
  close(): Promise<void>
}

/** The address that sales reads, which is also the calls' organizer. */
export const salesAddress = ({ salesEmail }: Pick<EmailSettings, 'salesEmail'>): string =>
  salesEmail ?? company.email.sales

export function openEmail({ pool, links, people, settings, log }: EmailOptions): OpenEmail {
  const { dataDir, smtpUrl, mailFrom, isPrivate } = settings
  const addresses = { from: mailFrom ?? company.email.sales, sales: salesAddress(settings) }
  const folder = path.join(dataDir, 'mail')
  const mailer = openMailer({
    pool,
    transport: smtpUrl === undefined ? fileTransport(folder) : smtpTransport(smtpUrl),
    compose: row => compose(row, addresses, { links, people }),
    newId: () => `mail_${nextId()}`,
    log,
  })
  const isShown = smtpUrl === undefined && isPrivate
  return {
    wake: mailer.wake,
    mailPath: isShown ? devMailPath : null,
    endpoints: layout => (isShown ? devMailEndpoints(folder, layout) : []),
    close: mailer.close,
  }
}
