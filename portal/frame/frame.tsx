// The frame around every page of an account: its name and mode, the navigation, and the person.
import { navigationGroups } from '#contract/portal/row.ts'
import type { PortalRowId } from '#contract/portal/table.ts'
import { modes } from '#contract/operation.ts'
import type { Page, WholePage } from '#http/pages/answer.tsx'
import {
  Account,
  BareFrame,
  Breadcrumbs,
  Frame,
  listedPage,
  Navigation,
} from '#http/pages/frame.tsx'
import { mayOpen } from '../call.ts'
import type { MemberCall, PortalContext } from '../context.ts'
import { roleNames } from '../role-names.ts'
import { searchLabel } from '../search-label.ts'
import { SandboxStrip } from '../sandbox-strip.tsx'
import { table } from '../table.ts'

/** Leads to the same list in the other mode. */
function ModeSwitch({ call }: { call: MemberCall }) {
  const listed = (listedPage(table, call) ?? 'home') as PortalRowId
  return (
    <ul class="modes" aria-label="Mode">
      {modes.map(mode => (
        <li key={mode}>
          <a
            href={table.pathOf(mayOpen(call.member, listed, mode) ? listed : 'home', {
              integration: call.member.integration,
              mode,
            })}
            aria-current={mode === call.mode ? 'true' : undefined}
          >
            {mode === 'test' ? 'Test' : 'Live'}
          </a>
        </li>
      ))}
    </ul>
  )
}

function IntegrationSwitch({ call }: { call: MemberCall }) {
  const { member, memberships } = call
  return (
    <details class="switch">
      <summary>
        <span class="switch-name">{member.name}</span>
      </summary>
      <ul>
        {memberships.map(({ integration, name, role }) => (
          <li key={integration}>
            <a
              href={table.pathOf('home', { integration, mode: 'test' })}
              aria-current={integration === member.integration ? 'true' : undefined}
            >
              {name} <span class="fine">{roleNames[role]}</span>
            </a>
          </li>
        ))}
        <li class="switch-more">
          <a href="/?all">All accounts</a>
        </li>
        <li>
          <a href="/new">New account</a>
        </li>
      </ul>
    </details>
  )
}

/** A page of one thing, such as an endpoint: its title and the end of its ID. */
function recentLabel({ names, request }: MemberCall, page: Omit<TitledPage, 'content'>) {
  const id = names['id']
  const isThing = request.method === 'GET' && (page.status ?? 200) === 200 && id !== undefined
  return isThing ? `${page.title} …${id.slice(-6)}` : undefined
}

type TitledPage = Page & { readonly title: string }

/** `call` null: a page that belongs to no account. */
export function framed(
  { site, authUrl }: PortalContext,
  { content, ...page }: TitledPage,
  call: MemberCall | null,
): WholePage {
  if (call === null) {
    const body = (
      <BareFrame site={site} part="Portal">
        {content}
      </BareFrame>
    )
    return { ...page, title: `${page.title} · Portal`, body }
  }
  return {
    ...page,
    title: `${page.title} · ${call.member.name} · Portal`,
    body: (
      <Frame
        site={site}
        start={<IntegrationSwitch call={call} />}
        end={
          <>
            <ModeSwitch call={call} />
            <Account name={call.session.person.email} call={call}>
              <li>
                <a href={`${authUrl}/`}>Profile and security</a>
              </li>
              <li>
                <a href={`${site.url}/docs`}>Documentation</a>
              </li>
            </Account>
          </>
        }
        jump={{
          path: call.pathOf('search'),
          label: searchLabel,
          person: call.session.person.id,
        }}
        recent={recentLabel(call, page)}
        strip={call.mode === 'test' && <SandboxStrip call={call} />}
        navigation={
          <Navigation label="Portal" table={table} groups={navigationGroups} call={call} />
        }
      >
        <Breadcrumbs table={table} call={call} title={page.title} />
        {content}
      </Frame>
    ),
  }
}
