// Pages that show email that a development server wrote to files instead of sending. The emails
// contain sign-in links and links to people's calls, so the pages are served only if no other
// machine can reach the server, and only to requests from this machine.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Email } from 'postal-mime'
import { Problem } from '#contract/problems.ts'
import { now } from '#database/clock.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { isLocalRequest } from '#http/local-request.ts'
import type { HttpRequest } from '#http/http-request.ts'
import { linked, markup, type Markup } from '#http/html/markup.ts'
import { momentText } from '#http/html/times.ts'

const shownMax = 100
export const devMailPath = '/dev/mail'

export type MailLayout = (page: { title: string; body: Markup }) => Promise<Response>

export function devMailEndpoints(folder: string, layout: MailLayout): Endpoint[] {
  return [
    {
      path: devMailPath,
      methods: ['GET'],
      errorFormat: 'page',
      answer: async request => {
        refuseOthers(request)
        return layout({ title: 'Email', body: await listPage(folder) })
      },
    },
    {
      path: '/dev/mail/:id',
      methods: ['GET'],
      errorFormat: 'page',
      answer: request => {
        refuseOthers(request)
        return mailPage(folder, request.params.id ?? '', layout)
      },
    },
    {
      path: '/dev/mail/:id/html',
      methods: ['GET'],
      errorFormat: 'page',
      answer: request => {
        refuseOthers(request)
        return htmlOf(folder, request.params.id ?? '')
      },
    },
  ]
}

function refuseOthers(request: HttpRequest): void {
  if (isLocalRequest(request, ['page', 'person', 'program'])) return
  throw new Problem('not_found', {
    detail: 'This page opens only in a browser on the server’s own machine.',
    hint: `Open ${request.url.origin}/dev/mail there.`,
  })
}

const fileOf = (folder: string, id: string) => path.join(folder, `${id}.eml`)

async function listPage(folder: string): Promise<Markup> {
  const names = readdirSync(folder).filter(name => /^mail_[0-9a-z]{26}\.eml$/.test(name))
  // IDs start with their time, so the newest is last.
  const ids = names
    .map(name => name.slice(0, -'.eml'.length))
    .sort()
    .toReversed()
  const mails = await Promise.all(
    ids.slice(0, shownMax).map(async id => ({ id, email: await read(folder, id) })),
  )
  const rows = mails.map(
    ({ id, email }) =>
      markup`<li>
        <a href="/dev/mail/${id}">${email.subject ?? noSubject}</a>
        <span>To ${receiver(email)} · ${written(email)}</span>
      </li>`,
  )
  return markup`<div class="frame booking">
    <header class="booking-head">
      <h1>Email</h1>
      <p class="lead">
        This server doesn’t send email: SMTP_URL isn’t set. Emails appear here instead, newest first.
      </p>
    </header>
    ${
      rows.length === 0
        ? markup`<p>No email yet. Reload this page in a moment.</p>`
        : markup`<ul class="recovery">
            ${rows}
          </ul>`
    }
  </div>`
}

async function read(folder: string, id: string): Promise<Email> {
  const { default: PostalMime } = await import('postal-mime')
  return PostalMime.parse(readFileSync(fileOf(folder, id)))
}

const noSubject = 'No subject'

/** When the email was written: relative, with the exact time on this machine on hover. */
function written({ date }: Email): Markup | null {
  if (date === undefined || Number.isNaN(Date.parse(date))) return null
  const exact = momentText(date, Intl.DateTimeFormat().resolvedOptions().timeZone)
  return markup`<time datetime="${date}" title="${exact}">${agoText(now() - Date.parse(date), exact)}</time>`
}

function agoText(milliseconds: number, exact: string): string {
  const minutes = Math.floor(milliseconds / 60_000)
  if (minutes < 1) return 'just now'
  if (minutes < 60) return `${minutes} min ago`
  return minutes < 24 * 60 ? `${Math.floor(minutes / 60)} h ago` : exact
}

const receiver = (email: Email): string => email.to?.[0]?.address ?? 'no recipient'

/** Throws if the email doesn't exist. */
async function mailNamed(folder: string, id: string): Promise<Email> {
  // An ID has no dot or slash, so it can only be a file name.
  if (/^mail_[0-9a-z]{26}$/.test(id) && existsSync(fileOf(folder, id))) return read(folder, id)
  throw new Problem('not_found', {
    detail: 'This email doesn’t exist.',
    members: { see: ['/dev/mail'] },
  })
}

/** Shown as in an email client, without scripts or external content. */
async function htmlOf(folder: string, id: string): Promise<Response> {
  const { html = '' } = await mailNamed(folder, id)
  const policy = "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-popups"
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': policy,
    'cache-control': 'no-store',
  }
  return new Response(html, { headers })
}

async function mailPage(folder: string, id: string, layout: MailLayout): Promise<Response> {
  const email = await mailNamed(folder, id)
  const title = email.subject ?? noSubject
  const attached = email.attachments.map(({ filename, mimeType }) => filename ?? mimeType)
  const body = markup`<div class="frame booking">
    <header class="booking-head">
      <h1>${title}</h1>
      <p class="byline"><span>To ${receiver(email)}</span> <span>${written(email)}</span> <a href="/dev/mail/${id}/html">View as HTML</a> <a href="/dev/mail">All email</a></p>
    </header>
    <div class="mail-text">${linked(email.text ?? '')}</div>
    ${attached.length === 0 ? null : markup`<p class="fine">Attached: ${[...new Set(attached)].join(', ')}</p>`}
  </div>`
  return layout({ title, body })
}
