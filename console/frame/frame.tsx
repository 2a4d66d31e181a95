// The frame around every clinic page: the clinic, the roles' navigation, and the signed-in person.
import { consoleGroups } from '#contract/console/page.ts'
import { Time } from '#http/html/parts.tsx'
import { Zone } from '#http/html/zone.tsx'
import type { Page, WholePage } from '#http/pages/answer.tsx'
import { Account, BareFrame, Frame, Navigation } from '#http/pages/frame.tsx'
import type { ConsoleCall, ConsoleContext } from '../context.ts'
import { countsOf, titleCount, WorkNote } from './work.tsx'
import { searchLabel } from '../pages/search-label.ts'
import { table } from '../table.ts'
import { statusText } from '#http/html/status-text.ts'
import { rolesText } from '../words.ts'

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

const EmergencyNote = ({ call }: { call: ConsoleCall }) =>
  call.staff.emergencyUntil === null ? null : (
    <p class="note" role="status">
      You have emergency access until <Time at={call.staff.emergencyUntil} />. You can read every
      chart: <a href={call.pathOf('patients')}>find the patient</a>. Everything you open is flagged
      in Activity.
    </p>
  )

type TitledPage = Page & { readonly title: string }

/** `call` is null for a page that belongs to no clinic. */
export function framed(
  { site, authUrl }: ConsoleContext,
  { content, ...page }: TitledPage,
  call: ConsoleCall | null,
): WholePage {
  if (call === null) {
    const body = (
      <BareFrame site={site} part="Console">
        {content}
      </BareFrame>
    )
    return { ...page, title: `${page.title} · Console`, body }
  }
  const { staff } = call
  const counts = countsOf(call)
  return {
    ...page,
    title: `${titleCount(call)}${page.title} · ${staff.name} · Console`,
    body: (
      <Zone.Provider value={call.zone}>
        <Frame
          site={site}
          start={<ClinicSwitch call={call} />}
          end={
            <Account name={staff.staffName} call={call}>
              <li class="account-roles fine">{statusText(rolesText(staff.roles))}</li>
              <li>
                <a href={call.pathOf('preferences')}>Preferences</a>
              </li>
              <li>
                <a href={`${authUrl}/account`}>Your account</a>
              </li>
              <li>
                <a href={`mailto:${site.email}`}>Contact us</a>
              </li>
            </Account>
          }
          jump={{
            path: call.pathOf('search'),
            label: searchLabel(call),
            person: call.session.person.id,
          }}
          navigation={
            <Navigation
              label="Console"
              table={table}
              groups={consoleGroups}
              call={{ ...call, countOf: id => counts[id] }}
            />
          }
        >
          <WorkNote call={call} />
          <EmergencyNote call={call} />
          {content}
        </Frame>
      </Zone.Provider>
    ),
  }
}
