// The console's table, the roles that can open each row, and its handlers' context.
import type { ConsolePage } from '#contract/console/page.ts'
import { consoleLimits, isOpenTo } from '#contract/console/row.ts'
import { isId, prefixes } from '#contract/ids.ts'
import { noteRefusedPage } from '#auth/audit.ts'
import { signInPath } from '#auth/accounts/handed-sign-in.ts'
import type { PageAnswer } from '#http/pages/answer.tsx'
import { openPages, type Pages } from '#http/pages/pages.ts'
import type { PageRow } from '#http/pages/table.ts'
import { staffCall } from './call.ts'
import type { ConsoleCall, ConsoleContext } from './context.ts'
import { framed } from './frame/frame.tsx'
import { handlers } from './handlers.ts'
import { table } from './table.ts'
import { anyRoleText, notHere, rolesText, unconfirmed } from './words.ts'

export const openConsolePages = (context: ConsoleContext): Pages =>
  openPages({
    context,
    table,
    handlers,
    findSession: (token, isUse) => context.sessions.find(token, isUse),
    signInPath,
    admit: call => staffCall(context, call),
    refuse: refusedRole,
    noteRefusal: (call, code) => noteRefusedPage('console', context.pool, call, code),
    stepBefore: ({ factor }, { session, back, isFactorFresh }) => {
      const isProven = factor === 'fresh' ? isFactorFresh : session.secondFactorSeconds !== null
      return isProven ? null : signInPath(back, true)
    },
    keptMinutes: consoleLimits.signatureMinutes,
    frame: (page, call) => framed(context, page, call !== null && 'staff' in call ? call : null),
    isPath: ({ organization }) =>
      organization === undefined || isId(prefixes.organization, organization),
    notFound: notHere,
  })

function refusedRole(row: PageRow, { staff, back }: ConsoleCall): PageAnswer | undefined {
  const page = row as ConsolePage
  if (isOpenTo(page, staff)) return undefined
  if (staff.isRecovered) return { failure: unconfirmed(staff) }
  const { roles } = page
  if (staff.emergencyUntil !== null && roles.includes('records')) {
    return {
      failure: {
        status: 403,
        title: 'Emergency access is read-only',
        text: `${row.title} needs the ${anyRoleText(roles)} role. Ask someone at ${staff.name} who has it.`,
        next: { href: row.method === 'GET' ? `/${staff.organization}` : back, label: 'Go back' },
      },
    }
  }
  return {
    failure: {
      status: 403,
      title: 'Your role can’t do this',
      text: `${row.title} needs the ${anyRoleText(roles)} role at ${staff.name}. Your role is ${rolesText(staff.roles)}. Ask an administrator.`,
      next: { href: row.method === 'GET' ? `/${staff.organization}` : back, label: 'Go back' },
    },
  }
}
