// What the pages of one's own account have in common: who is signed in, and what has to be proved
// before a change.
import type { VNode } from 'preact'
import type { OwnAct } from '../../accounts/own-acts.ts'
import { auditedCall } from '../audit.ts'
import type { PageCall, PageContext } from '../context.ts'
import { page, type PageAnswer } from '../page.ts'
import { SignOut } from '../parts.tsx'
import type { PageContent } from '../shell.tsx'
import { provenBefore } from '../steps.ts'

/** How old a second factor may be for a change of the account. */
const freshSeconds = 300

/** Where to go before a change; null: nowhere. */
export const freshBefore = (context: PageContext, call: PageCall, target: string) =>
  provenBefore(context, call, target, freshSeconds)

export function ownActOf(call: PageCall): OwnAct {
  const { requestId: request, address, agent } = auditedCall(call)
  return { surface: 'oauth', request, address, agent }
}

type OwnPage = Omit<PageContent, 'content' | 'signedIn' | 'signOut'> & { readonly content: VNode }

/** A page for who is signed in, or for a person without a session. */
export const ownPage = ({ site }: PageContext, call: PageCall, given: OwnPage): PageAnswer =>
  page(site, {
    ...given,
    signedIn: call.session?.person.email,
    signOut: <SignOut call={call} />,
  })
