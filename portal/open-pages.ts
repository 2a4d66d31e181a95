// The portal's table, the roles that can open each row, and its handlers' context.
import type { Mode } from '#contract/operation.ts'
import { isOpenTo, type PortalRow, rolesIn } from '#contract/portal/row.ts'
import { noteRefusedPage } from '#auth/audit.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { notFound } from '#http/pages/failures.tsx'
import { openPages, type Pages } from '#http/pages/pages.ts'
import type { PageRow } from '#http/pages/table.ts'
import { memberCall } from './call.ts'
import type { MemberCall, PortalContext } from './context.ts'
import { framed } from './frame/frame.tsx'
import { handlers } from './handlers.ts'
import { roleNames } from './role-names.ts'
import { table } from './table.ts'

/** The maximum age of a fresh second factor. */
const freshSeconds = 300

/** How long to keep a form whose second factor was too old: long enough to sign in again. */
const keptMinutes = 15

export const openPortalPages = (portal: PortalContext): Pages =>
  openPages({
    context: portal,
    table,
    handlers,
    findSession: (token, isUse) => portal.sessions.find(token, isUse),
    signInPath,
    admit: call => memberCall(portal, call),
    refuse: refusedRole,
    noteRefusal: (call, code) => noteRefusedPage('portal', portal.pool, call, code),
    stepBefore: staleFactor,
    keptMinutes,
    frame: (page, call) => framed(portal, page, call),
    notFound: notFound('The page may belong to an account you aren’t a member of.', {
      href: '/',
      label: 'Your accounts',
    }),
  })

const homeOf = (call: MemberCall, mode: Mode = call.mode) => call.pathOf('home', { mode })

function refusedRole(row: PageRow, call: MemberCall): PageAnswer | undefined {
  const { member, mode } = call
  const page = row as PortalRow
  const roles = rolesIn(page, mode)
  if (isOpenTo(page, mode, member)) return undefined
  // A test-only page redirects to the live home page.
  if (roles.length === 0 && row.method === 'GET') return { redirect: homeOf(call) }
  if (roles.length === 0) {
    return {
      failure: {
        status: 403,
        title: `${row.title} is only available in test mode`,
        text: 'Live mode has real patients and clinicians, and no sandbox.',
        next: { href: homeOf(call, 'test'), label: 'Switch to test mode' },
      },
    }
  }
  return {
    failure: {
      status: 403,
      title: 'Your role can’t do this',
      text: [
        `${row.title} needs the ${listText(roles.map(role => roleNames[role]))} role in ${member.name}. Your role is ${roleNames[member.role]}. Ask an owner.`,
        ...(page.isAllowable && page.roles.includes(member.role)
          ? ['An owner can also let you change live endpoints for 24 hours, under Members.']
          : []),
      ].join(' '),
      next:
        row.method === 'GET'
          ? { href: homeOf(call), label: 'Home' }
          : { href: call.back, label: 'Go back' },
    },
  }
}

const listText = (names: readonly string[]) =>
  new Intl.ListFormat('en-US', { type: 'disjunction' }).format(names)

/** Redirects to the second factor, and back to the page. */
function staleFactor({ factor }: PageRow, { mode, session, back }: MemberCall): string | null {
  if (factor === undefined) return null
  const age = session.secondFactorSeconds
  const needsFresh = factor === 'fresh' || mode === 'live'
  const isProven = age !== null && (!needsFresh || age <= freshSeconds)
  return isProven ? null : signInPath(back, true)
}
