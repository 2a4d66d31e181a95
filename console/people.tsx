// The pages that belong to a person and to no clinic: signing in and out, and the choice of one.
import type { StaffMembership } from '#auth/clinics/staff-memberships.ts'
import { listStaffMemberships } from '#auth/clinics/staff-memberships.ts'
import { finishSignIn, signInPath, signOut, startSignIn } from '#auth/accounts/handed-sign-in.ts'
import { consolePageIds, consolePages } from '#contract/console/table.ts'
import type { ConsolePage } from '#contract/console/page.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { formLimits } from '#http/html/form.ts'
import { ownForm } from '#http/html/own-form.ts'
import { redirectTo } from '#http/html/redirect.ts'
import { cookieOf } from '#http/origins/page-cookies.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { PlainEndpoint } from '#http/router.ts'
import { mayOpen, pathOf } from './call.ts'
import type { ConsoleContext } from './context.ts'
import { notFound, staleForm } from './failure.ts'
import { failurePage, pageResponse } from '#http/html/page-response.tsx'
import { rolesText } from './words.ts'

/** A session here always begins with a second factor of the last minutes, also after a lock. */
export const personEndpoints = (context: ConsoleContext): PlainEndpoint[] => [
  get('/', request => chooseClinic(context, request)),
  get('/sign-in', request => startSignIn(context, request, true)),
  get('/signed-in', request => finishSignIn(context, request, next => notSignedIn(context, next))),
  get('/signed-out', () => showSignedOut(context)),
  get('/{organization}', request => openClinic(context, request)),
  { path: '/sign-out', methods: ['POST'], answer: request => endSession(context, request) },
]

const get = (path: string, answer: PlainEndpoint['answer']): PlainEndpoint => ({
  path: path.replace('{organization}', ':organization'),
  methods: ['GET', 'HEAD'],
  answer,
})

const notSignedIn = (context: ConsoleContext, next: string): Response =>
  failurePage(context, {
    status: 400,
    title: 'You are not signed in yet',
    text: 'This link works once, within a minute, and in the browser that asked for it.',
    next: { href: signInPath(next), label: 'Sign in' },
  })

const showSignedOut = (context: ConsoleContext): Response =>
  failurePage(context, {
    status: 200,
    title: 'You are signed out',
    text: 'Claims that you hold end by themselves.',
    next: { href: '/sign-in', label: 'Sign in' },
  })

async function sessionOf(context: ConsoleContext, request: RequestContext) {
  const token = cookieOf(request, context.own, 'session')
  const session = token === null ? null : await context.sessions.find(token)
  return token === null || session === null ? null : { token, session }
}

/** The first page of the navigation that a role of the person opens. */
export function homeOf(staff: StaffMembership): string | undefined {
  const first = consolePageIds.find(
    id => (consolePages[id] as ConsolePage).group !== undefined && mayOpen(staff, id),
  )
  return first && pathOf(first, { organization: staff.organization })
}

async function chooseClinic(context: ConsoleContext, request: RequestContext): Promise<Response> {
  const found = await sessionOf(context, request)
  if (found === null) return redirectTo(signInPath('/'))
  const memberships = await listStaffMemberships(context.pool, found.session.person.id)
  const [only, ...others] = memberships
  if (only === undefined) return noStaff(context, found.session.person.email)
  if (others.length === 0) return redirectTo(`/${only.organization}`)
  return pageResponse(context, {
    title: 'Your clinics',
    content: (
      <main class="narrow">
        <h1>Your clinics</h1>
        <ul class="lines-of">
          {memberships.map(({ organization, name, roles }) => (
            <li key={organization}>
              <a href={`/${organization}`}>{name}</a> <span class="quiet">{rolesText(roles)}</span>
            </li>
          ))}
        </ul>
      </main>
    ),
  })
}

const noStaff = ({ authUrl, ...context }: ConsoleContext, email: string): Response =>
  failurePage(
    { authUrl, ...context },
    {
      status: 403,
      title: 'You are not staff of a clinic',
      text: `${email} is on the staff of no clinic here. Ask an administrator of your clinic to invite this address; if you have another account, sign in with that one.`,
      next: { href: `${authUrl}/`, label: 'Your account' },
    },
  )

/** The home page of a clinic is the first page that the person may open. */
async function openClinic(context: ConsoleContext, request: RequestContext): Promise<Response> {
  const organization = request.params['organization'] ?? ''
  if (!isId(prefixes.organization, organization)) return notFound(context)
  const found = await sessionOf(context, request)
  if (found === null) return redirectTo(signInPath(request.path))
  const memberships = await listStaffMemberships(context.pool, found.session.person.id)
  const staff = memberships.find(one => one.organization === organization)
  if (staff === undefined) return notFound(context)
  const home = homeOf(staff)
  if (home !== undefined) return redirectTo(home)
  return failurePage(context, {
    status: 403,
    title: 'No page is open to your role',
    text: `You are ${rolesText(staff.roles)} of ${staff.name}. Ask an administrator of the clinic.`,
  })
}

async function endSession(context: ConsoleContext, request: RequestContext): Promise<Response> {
  request.settings = { surface: 'site', bodyLimits: formLimits }
  const found = await sessionOf(context, request)
  if (found === null) return redirectTo('/signed-out')
  const { session, token } = found
  const browser = cookieOf(request, context.own, 'form')
  const form = await ownForm(context, request, { browser, session: session.id })
  if (form === null) return staleForm(context, '/')
  return signOut(context, request, { token, person: session.person.id })
}
