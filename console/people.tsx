// Personal pages, outside any clinic: signing in and out, and choosing a clinic.
import { finishSignIn, showSignedOut, signOut, startSignIn } from '#auth/accounts/handed-sign-in.ts'
import { listStaffMemberships, type StaffMembership } from '#auth/clinics/staff-memberships.ts'
import type { ConsolePage } from '#contract/console/page.ts'
import { consolePageIds, consolePages } from '#contract/console/table.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { mayOpen, staffOf } from './call.ts'
import type { ConsoleContext, ConsoleHandlers, SignedInCall } from './context.ts'
import { table } from './table.ts'
import { notHere, rolesText, unconfirmed } from './words.ts'

export const personHandlers = {
  clinics: chooseClinic,
  clinic: openClinic,
  /** A session here always starts with a recent second factor, even after a lock. */
  signIn: (context, call) => startSignIn(context, call, true),
  signedIn: finishSignIn,
  signedOut: () => showSignedOut('Your assigned cases are released automatically.'),
  signOut,
} satisfies Partial<ConsoleHandlers>

/** The pages where work starts, each with the row that a person must be able to open. */
const homes = [
  ['queue', 'claim'],
  ['orders', 'ship'],
  ['patients', 'patients'],
] as const

/** The first page in `homes` that the person can open, or else the first such page in the
 *  navigation. */
function homeOf(staff: StaffMembership): string | undefined {
  const [home] = homes.find(([, act]) => mayOpen(staff, act)) ?? []
  const first =
    home ??
    consolePageIds.find(
      id => (consolePages[id] as ConsolePage).group !== undefined && mayOpen(staff, id),
    )
  return first && table.pathOf(first, { organization: staff.organization })
}

async function chooseClinic(
  { pool, authUrl }: ConsoleContext,
  { session }: SignedInCall,
): Promise<PageAnswer> {
  const memberships = await listStaffMemberships(pool, session.person.id)
  const [only, ...others] = memberships
  if (only === undefined) return noStaff(authUrl, session.person.email)
  if (others.length === 0) return { redirect: `/${only.organization}` }
  return {
    content: (
      <>
        <h1>Your clinics</h1>
        <ul class="lines-of">
          {memberships.map(({ organization, name, roles }) => (
            <li key={organization}>
              <a href={`/${organization}`}>{name}</a> <span class="quiet">{rolesText(roles)}</span>
            </li>
          ))}
        </ul>
      </>
    ),
  }
}

const noStaff = (authUrl: string, email: string): PageAnswer => ({
  failure: {
    status: 403,
    title: 'You don’t work at a clinic here',
    text: `Ask your clinic’s administrator to invite ${email}, or sign in with another account.`,
    next: { href: `${authUrl}/account`, label: 'Your account' },
  },
})

/** A clinic's home page is the first page that the person may open. */
async function openClinic(context: ConsoleContext, call: SignedInCall): Promise<PageAnswer> {
  const found = await staffOf(context, call)
  if (found === undefined) return { failure: notHere }
  const { staff } = found
  const home = homeOf(staff)
  if (home !== undefined) return { redirect: home }
  if (staff.isRecovered) return { failure: unconfirmed(staff) }
  return {
    failure: {
      status: 403,
      title: 'You don’t have access yet',
      text: `Your role at ${staff.name}: ${rolesText(staff.roles)}. Ask an administrator for access.`,
    },
  }
}
