// The first page: what acts for the person who is signed in, and how to end it.
import { type Markup, markup } from '#http/html/markup.ts'
import { type Access, endAccess, listAccess } from '../accounts/access.ts'
import { insertAuditRow } from '../oauth/audit.ts'
import { auditedCall } from './audit.ts'
import type { PageCall, PageHandler } from './context.ts'
import { form, hidden } from './forms.ts'
import { page, redirect } from './page.ts'
import { stepBefore } from './steps.ts'
import { signOutForm } from './sign-out.ts'
import { scopeList, timeOf } from './words.ts'

export const showAccount: PageHandler = async (context, call) => {
  const before = await stepBefore(context, call, '/')
  if (before !== null) return redirect(before)
  const person = call.session?.person
  const access = await listAccess(context.pool, person?.id ?? '')
  return page(context.site, {
    title: 'Your agents and devices',
    signedIn: person?.email,
    signOut: signOutForm(call),
    content: markup`<h1>Your agents and devices</h1>
<p class="lead">They act for you in the sandbox, until you end their access, they do not use it for 30 days, or 90 days have passed.</p>
${access.length === 0 ? nothingYet : markup`<ul class="cards">${access.map(one => card(call, one))}</ul>`}
<section class="aside">
<h2>Connect a device</h2>
<p>A command line or another device without a browser shows you a code.</p>
<p><a class="button second" href="/device">Enter the code</a></p>
</section>`,
  })
}

const nothingYet = markup`<p class="empty">Nothing acts for you.</p>`

const kinds = { agent: 'Agent', device: 'Device' } as const

function card(call: PageCall, access: Access): Markup {
  const { client, client_name: name, kind, integration, hosts, scopes, since } = access
  const { last_used_at: used } = access
  const end = markup`${hidden('client', client)}${hidden('integration', integration)}${hidden('kind', kind)}
<button class="button second small" aria-label="End access of “${name}” to ${access.integration_name}">End access</button>`
  return markup`<li class="card">
<div class="card-head"><h2>“${name}”</h2>${form(call, '/access/end', end)}</div>
<p>${kinds[kind]}${hosts !== null && markup` at ${hosts}`} with access to <strong>${access.integration_name}</strong>, test mode only.</p>
<p class="fine">Since ${timeOf(since)}. ${used === null ? 'Not used yet.' : markup`Last used ${timeOf(used)}.`}</p>
<details><summary>What it may do</summary>${scopeList(scopes)}</details>
</li>`
}

export const endOneAccess: PageHandler = async (context, call) => {
  const before = await stepBefore(context, call, '/')
  if (before !== null || call.session === null) return redirect(before ?? '/sign-in')
  const { form: given } = call.request
  const kind = given.get('kind') === 'device' ? 'device' : 'agent'
  const name = {
    client: given.get('client') ?? '',
    integration: given.get('integration') ?? '',
    kind,
  } as const
  // One that has ended meanwhile is what was asked for.
  await endAccess(context.pool, call.session.person.id, name, subjects =>
    insertAuditRow(
      auditedCall(call),
      { action: 'auth.end_access', outcome: 'ok', status: 303, code: null },
      subjects,
    ),
  )
  return redirect('/')
}
