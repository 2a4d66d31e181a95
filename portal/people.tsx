// Personal pages, outside any account: signing in and out, and the list of accounts.
import { listMemberships } from '#auth/accounts/memberships.ts'
import { finishSignIn, showSignedOut, signOut, startSignIn } from '#auth/accounts/handed-sign-in.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import type { PortalContext, PortalHandlers, SignedInCall } from './context.ts'
import { roleNames } from './role-names.ts'
import { newIntegrationHandlers } from './new-integration.tsx'
import { table } from './table.ts'

export const personHandlers = {
  integrations: listIntegrations,
  ...newIntegrationHandlers,
  signIn: (portal, call) => startSignIn(portal, call),
  signedIn: finishSignIn,
  signedOut: () => showSignedOut('Your keys, agents and devices keep working.'),
  signOut,
} satisfies Partial<PortalHandlers>

async function listIntegrations(portal: PortalContext, call: SignedInCall): Promise<PageAnswer> {
  const memberships = await listMemberships(portal.pool, call.session.person.id, [])
  const [only, ...others] = memberships
  if (only === undefined) return { redirect: call.pathOf('newIntegration') }
  if (others.length === 0 && !call.query.has('all')) return { redirect: homeOf(only.integration) }
  return {
    content: (
      <>
        <h1>Your accounts</h1>
        <ul class="lines-of">
          {memberships.map(({ integration, name, role }) => (
            <li key={integration}>
              <a href={homeOf(integration)}>{name}</a> <span class="quiet">{roleNames[role]}</span>
            </li>
          ))}
        </ul>
        <p class="actions">
          <a class="button second" href={call.pathOf('newIntegration')}>
            New account
          </a>
        </p>
      </>
    ),
  }
}

const homeOf = (integration: string) => table.pathOf('home', { integration, mode: 'test' })
