// The frame around every page of a clinic: which clinic, the navigation of the roles, who is
// signed in.
import { type ConsolePage, consoleGroups } from '#contract/console/page.ts'
import { type ConsolePageId, consolePageIds, consolePages } from '#contract/console/table.ts'
import { Hidden } from '#http/html/fields.tsx'
import { Time } from '#http/html/parts.tsx'
import type { VNode } from 'preact'
import type { ConsoleCall, ConsoleContext } from '../context.ts'
import { documentResponse, Frame } from '#http/html/page-response.tsx'
import { rolesText, statusText } from '../words.ts'

type FramedPage = { readonly title: string; readonly content: VNode; readonly status?: number }

const groupOf = (id: ConsolePageId) => (consolePages[id] as ConsolePage).group

/** Pages below none of the navigation, and the one that leads to them. */
const parents: Partial<Record<ConsolePageId, ConsolePageId>> = {
  case: 'queue',
  thread: 'queue',
  patient: 'queue',
  patientRecord: 'queue',
  patientAccess: 'queue',
  file: 'queue',
}

/** The listed page that a row belongs to: the one whose path its own begins with. */
function listedPage(row: ConsolePageId): ConsolePageId | undefined {
  const { page, path }: ConsolePage = consolePages[row]
  const of = consolePageIds.find(id => consolePages[id].path === (page ?? path)) ?? row
  return (
    parents[of] ??
    consolePageIds.find(
      id =>
        groupOf(id) !== undefined &&
        (consolePages[of].path === consolePages[id].path ||
          consolePages[of].path.startsWith(`${consolePages[id].path}/`)),
    )
  )
}

const Navigation = ({ call }: { call: ConsoleCall }) => (
  <nav class="navigation" aria-label="Console">
    {consoleGroups.map(group => {
      const ids = consolePageIds.filter(id => groupOf(id) === group && call.mayOpen(id))
      return ids.length === 0 ? null : (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {ids.map(id => (
              <li key={id}>
                <a
                  href={call.pathOf(id)}
                  aria-current={listedPage(call.row) === id ? 'page' : undefined}
                >
                  {consolePages[id].title}
                </a>
              </li>
            ))}
          </ul>
        </section>
      )
    })}
  </nav>
)

function ClinicSwitch({ call }: { call: ConsoleCall }) {
  const { staff, memberships } = call
  if (memberships.length === 1) {
    return (
      <span class="switch clinic">
        <span class="switch-name">{staff.name}</span>
      </span>
    )
  }
  return (
    <details class="switch">
      <summary>
        <span class="switch-name">{staff.name}</span>
      </summary>
      <ul>
        {memberships.map(({ organization, name, roles }) => (
          <li key={organization}>
            <a
              href={`/${organization}`}
              aria-current={organization === staff.organization ? 'true' : undefined}
            >
              {name} <span class="fine">{rolesText(roles)}</span>
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

const Account = ({ context, call }: { context: ConsoleContext; call: ConsoleCall }) => (
  <details class="switch account">
    <summary>
      <span class="switch-name">{call.staff.staffName}</span>
    </summary>
    <ul>
      <li class="account-roles fine">{statusText(rolesText(call.staff.roles))}</li>
      <li>
        <a href={`${context.authUrl}/`}>Your account</a>
      </li>
      <li>
        <form method="post" action="/sign-out">
          <Hidden name="form" value={call.formToken('/sign-out')} />
          <button class="link">Sign out</button>
        </form>
      </li>
    </ul>
  </details>
)

export function framedPage(
  context: ConsoleContext,
  call: ConsoleCall,
  { title, content, status }: FramedPage,
  cookies: readonly string[],
): Response {
  return documentResponse(
    context,
    {
      title: `${title} · ${call.staff.name}`,
      ...(status !== undefined && { status }),
      content: (
        <Frame
          site={context.site}
          start={<ClinicSwitch call={call} />}
          end={<Account context={context} call={call} />}
          navigation={<Navigation call={call} />}
        >
          {call.staff.emergencyUntil !== null && (
            <p class="note" role="status">
              You have emergency access to records until <Time at={call.staff.emergencyUntil} />.
              Activity marks what you do.
            </p>
          )}
          {content}
        </Frame>
      ),
    },
    cookies,
  )
}
