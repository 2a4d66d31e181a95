// Sends emails to a mail server, or writes them to files if none is configured.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { createTransport } from 'nodemailer'
import { openOnce } from '#http/open-once.ts'
import type { Mail } from './compose.ts'

export type MailTransport = {
  /** Resolves when the server accepted the email; rejects if the server refused the email, or if
   *  the outcome is unknown. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** The time limit for each wait for the server. Together, the waits stay below a row's lease
 *  (`queue.ts`). */
const timeoutMilliseconds = 20_000

// Callers write the content, so content must not make the library read a file or fetch a URL.
const restricted = { disableFileAccess: true, disableUrlAccess: true } as const

/** Resolved at startup, but loaded for the first email, because loading takes 50 ms. If a package
 *  can't be resolved once, for example because no file can be opened, the process never finds it
 *  again. */
const libraryFile = import.meta.resolve('nodemailer')
type Library = { createTransport: typeof createTransport }
const library = (): Promise<Library> => import(libraryFile)

export function smtpTransport(url: string): MailTransport {
  const transport = openOnce(async () =>
    (await library()).createTransport({
      url,
      connectionTimeout: timeoutMilliseconds,
      greetingTimeout: timeoutMilliseconds,
      socketTimeout: timeoutMilliseconds,
      ...restricted,
    }),
  )
  return {
    async send(mail) {
      await (await transport.get()).sendMail(optionsOf(mail))
    },
    close: () => void transport.ifOpened()?.then(opened => opened.close()),
  }
}

/** Checks that the server accepts this sender; rejects with the reason if it doesn't. */
export async function verifySmtp(url: string, milliseconds: number): Promise<void> {
  const { createTransport: create } = await library()
  const transport = create({
    url,
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    ...restricted,
  })
  await transport.verify().finally(() => transport.close())
}

/** Writes one `.eml` file per email, named by its ID, so a repeated attempt overwrites it. */
export function fileTransport(folder: string): MailTransport {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const transport = openOnce(async () =>
    (await library()).createTransport({
      streamTransport: true,
      buffer: true,
      newline: 'windows',
      ...restricted,
    }),
  )
  return {
    async send(mail) {
      const { message } = await (await transport.get()).sendMail(optionsOf(mail))
      if (!Buffer.isBuffer(message)) throw new Error('the email was not buffered')
      const file = path.join(folder, `${mail.id}.eml`)
      writeFileSync(`${file}.new`, message, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    close: () => {},
  }
}

const optionsOf = ({ id: _id, headers, icalEvent, attachments, ...mail }: Mail) => ({
  ...mail,
  headers: { ...headers },
  ...(icalEvent === undefined ? {} : { icalEvent: { ...icalEvent } }),
  ...(attachments === undefined ? {} : { attachments: [...attachments] }),
})
