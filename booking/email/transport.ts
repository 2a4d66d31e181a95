// Where mail goes: to a mail server, or, where none is set, into files that a person can read.
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createTransport } from 'nodemailer'
import type { Mail } from './compose.ts'

export type Post = {
  /** Answers when the mail has been accepted; throws when it was not, or nobody knows. */
  send(mail: Mail): Promise<void>
  close(): void
}

/** For each silence of the server; together they stay below the lease of a mail (`queue.ts`). */
const silenceMilliseconds = 20_000

// What is in a mail comes from people: nothing in it may name a file or an address to fetch.
const closed = { disableFileAccess: true, disableUrlAccess: true } as const

export function smtpPost(url: string): Post {
  const transport = createTransport({
    url,
    connectionTimeout: silenceMilliseconds,
    greetingTimeout: silenceMilliseconds,
    socketTimeout: silenceMilliseconds,
    ...closed,
  })
  return {
    async send(mail) {
      await transport.sendMail(optionsOf(mail))
    },
    close: () => transport.close(),
  }
}

/** One `.eml` file for each mail, named by its id: written twice it is still one. */
export function filePost(folder: string): Post {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const transport = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    ...closed,
  })
  return {
    async send(mail) {
      const { message } = await transport.sendMail(optionsOf(mail))
      if (!Buffer.isBuffer(message)) throw new Error('the mail was not put together')
      const file = path.join(folder, `${mail.id}.eml`)
      writeFileSync(`${file}.new`, message, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    close: () => transport.close(),
  }
}

const optionsOf = ({ id: _id, headers, icalEvent, attachments, ...mail }: Mail) => ({
  ...mail,
  headers: { ...headers },
  ...(icalEvent === undefined ? {} : { icalEvent: { ...icalEvent } }),
  ...(attachments === undefined ? {} : { attachments: [...attachments] }),
})
