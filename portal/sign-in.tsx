// The pages before and after a session of the portal.
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import type { PortalContext } from './context.ts'
import { failurePage, pageResponse } from '#http/html/page-response.tsx'

export const notSignedIn = (portal: PortalContext, next: string): Response =>
  failurePage(portal, {
    status: 400,
    title: 'You are not signed in yet',
    text: 'This link works once, within a minute, and in the browser that asked for it.',
    next: { href: signInPath(next), label: 'Sign in' },
  })

export const showSignedOut = (portal: PortalContext): Response =>
  pageResponse(portal, {
    title: 'You are signed out',
    content: (
      <main class="narrow">
        <h1>You are signed out</h1>
        <p class="lead">Keys, agents and devices keep working.</p>
        <p class="actions">
          <a class="button" href="/sign-in">
            Sign in
          </a>
        </p>
      </main>
    ),
  })
