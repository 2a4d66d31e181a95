// The pages that belong to a person and to no integration: signing in and out, and the list of
// integrations.
import { pathOf } from './call.ts'
import { listMemberships } from '#auth/accounts/memberships.ts'
import { formLimits } from '#http/html/form.ts'
import { ownForm } from '#http/html/own-form.ts'
import type { PlainEndpoint } from '#http/router.ts'
import type { RequestContext } from '#http/request-context.ts'
import type { PortalContext } from './context.ts'
import { cookieOf } from '#http/origins/page-cookies.ts'
import { staleForm } from './failure.tsx'
import { newIntegrationEndpoints, newIntegrationPath } from './new-integration.tsx'
import { redirectTo } from '#http/html/redirect.ts'
import { pageResponse } from '#http/html/page-response.tsx'
import { finishSignIn, signInPath, signOut, startSignIn } from '#auth/accounts/handed-sign-in.ts'
import { notSignedIn, showSignedOut } from './sign-in.tsx'

export const personEndpoints = (portal: PortalContext): PlainEndpoint[] => [
  get('/', request => listIntegrations(portal, request)),
  ...newIntegrationEndpoints(portal),
  get('/sign-in', request => startSignIn(portal, request)),
  get('/signed-in', request => finishSignIn(portal, request, next => notSignedIn(portal, next))),
  get('/signed-out', () => showSignedOut(portal)),
  { path: '/sign-out', methods: ['POST'], answer: request => endSession(portal, request) },
]

const get = (path: string, answer: PlainEndpoint['answer']): PlainEndpoint => ({
  path,
  methods: ['GET', 'HEAD'],
  answer,
})

async function listIntegrations(portal: PortalContext, request: RequestContext): Promise<Response> {
  const token = cookieOf(request, portal.own, 'session')
  const session = token === null ? null : await portal.sessions.find(token)
  if (session === null) return redirectTo(signInPath('/'))
  const memberships = await listMemberships(portal.pool, session.person.id, [])
  const [only, ...others] = memberships
  if (only === undefined) return redirectTo(newIntegrationPath)
  if (others.length === 0 && !request.url.searchParams.has('all')) {
    return redirectTo(homeOf(only.integration))
  }
  return pageResponse(portal, {
    title: 'Your integrations',
    content: (
      <main class="narrow">
        <h1>Your integrations</h1>
        <ul class="lines-of">
          {memberships.map(({ integration, name, role }) => (
            <li key={integration}>
              <a href={homeOf(integration)}>{name}</a> <span class="quiet">{role}</span>
            </li>
          ))}
        </ul>
        <p class="actions">
          <a class="button second" href={newIntegrationPath}>
            New integration
          </a>
        </p>
      </main>
    ),
  })
}

const homeOf = (integration: string) => pathOf('home', { integration, mode: 'test' })

async function endSession(portal: PortalContext, request: RequestContext): Promise<Response> {
  request.settings = { surface: 'site', bodyLimits: formLimits }
  const token = cookieOf(request, portal.own, 'session')
  const session = token === null ? null : await portal.sessions.find(token)
  if (session === null || token === null) return redirectTo('/signed-out')
  const browser = cookieOf(request, portal.own, 'form')
  const form = await ownForm(portal, request, { browser, session: session.id })
  if (form === null) return staleForm(portal, '/')
  return signOut(portal, request, { token, person: session.person.id })
}
