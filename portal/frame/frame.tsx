// The frame around every account page: its name and mode, the navigation, and the person.
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
import type { Session } from '#auth/accounts/sessions.ts'
import type { OpenCall } from '#http/pages/call.ts'
import type { MemberCall, PortalContext, SignedInCall } from '../context.ts'
import { roleNames } from '../role-names.ts'
import { searchLabel } from '../search-label.ts'
import { SandboxStrip } from '../sandbox-strip.tsx'
import { type PageId, table } from '../table.ts'

/** Links to the same list in the other mode. */
function ModeSwitch({ call }: { call: MemberCall }) {
  const listed = (listedPage(table, call) ?? 'home') as PortalRowId
  return (
    <ul class="modes" aria-label="Mode">
      {modes.map(mode => (
        <li key={mode}>
          <a
            href={call.pathOf(mayOpen(call.member, listed, mode) ? listed : 'home', { mode })}
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

/** The label of a page about one thing, such as an endpoint: its title and the end of its ID. */
function recentLabel({ names, request }: MemberCall, page: Omit<TitledPage, 'content'>) {
  const id = names['id']
  const isThing = request.method === 'GET' && (page.status ?? 200) === 200 && id !== undefined
  return isThing ? `${page.title} …${id.slice(-6)}` : undefined
}

type TitledPage = Page & { readonly title: string }

type FramedCall = MemberCall | OpenCall<PageId, Session> | null

type AccountMenuProps = {
  readonly portal: Pick<PortalContext, 'site' | 'authUrl'>
  readonly call: Pick<SignedInCall, 'formToken'>
  readonly session: Session
}

const AccountMenu = ({ portal, call, session }: AccountMenuProps) => (
  <Account name={session.person.email} call={call}>
    <li>
      <a href={`${portal.authUrl}/account`}>Profile and security</a>
    </li>
    <li>
      <a href={`${portal.site.url}/docs`}>Documentation</a>
    </li>
    <li>
      <a href={`mailto:${portal.site.email}`}>Contact us</a>
    </li>
  </Account>
)

/** A `call` without a member is for a page outside any account. */
export function framed(
  portal: PortalContext,
  { content, ...page }: TitledPage,
  call: FramedCall,
): WholePage {
  if (call !== null && 'member' in call) return memberFrame(portal, { content, ...page }, call)
  const session = page.bar === 'empty' ? null : (call?.session ?? null)
  const body = (
    <BareFrame
      site={portal.site}
      part="Portal"
      end={
        call !== null && session !== null ? (
          <AccountMenu {...{ portal, call, session }} />
        ) : undefined
      }
    >
      {content}
    </BareFrame>
  )
  return { ...page, title: `${page.title} · Portal`, body }
}

const memberFrame = (
  portal: PortalContext,
  { content, ...page }: TitledPage,
  call: MemberCall,
): WholePage => ({
  ...page,
  title: `${page.title} · ${call.member.name} · Portal`,
  body: (
    <Frame
      site={portal.site}
      start={<IntegrationSwitch call={call} />}
      end={
        <>
          <ModeSwitch call={call} />
          <AccountMenu portal={portal} call={call} session={call.session} />
        </>
      }
      jump={{
        path: call.pathOf('search'),
        label: searchLabel,
        person: call.session.person.id,
      }}
      recent={recentLabel(call, page)}
      strip={call.mode === 'test' && <SandboxStrip call={call} />}
      navigation={<Navigation label="Portal" table={table} groups={navigationGroups} call={call} />}
    >
      <Breadcrumbs table={table} call={call} title={page.title} />
      {content}
      <p class="fine zone" data-zone>
        Times are in UTC.
      </p>
    </Frame>
  ),
})
