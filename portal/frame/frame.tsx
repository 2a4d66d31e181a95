// The frame around every page of an integration: which integration and mode, the navigation, who is
// signed in.
import { navigationGroups, type PortalRow } from '#contract/portal/row.ts'
import { type PortalRowId, portalRowIds, portalRows } from '#contract/portal/table.ts'
import { modes } from '#contract/operation.ts'
import { Hidden } from '#http/html/fields.tsx'
import type { VNode } from 'preact'
import { mayOpen, pathOf } from '../call.ts'
import type { MemberCall, PortalContext } from '../context.ts'
import { documentResponse, Frame } from '#http/html/page-response.tsx'

type FramedPage = { readonly title: string; readonly content: VNode; readonly status?: number }

/** The listed page that a row belongs to: the one with the longest common path. */
function listedPage(row: PortalRowId): PortalRowId | undefined {
  const { path } = portalRows[row]
  return portalRowIds
    .filter(id => 'group' in portalRows[id] || id === 'home')
    .filter(id => path === portalRows[id].path || path.startsWith(`${portalRows[id].path}/`))
    .toSorted((one, other) => portalRows[other].path.length - portalRows[one].path.length)[0]
}

function NavigationLink({ call, id }: { call: MemberCall; id: PortalRowId }) {
  const isCurrent = listedPage(call.row) === id
  return (
    <li>
      <a href={call.pathOf(id)} aria-current={isCurrent ? 'page' : undefined}>
        {portalRows[id].title}
      </a>
    </li>
  )
}

const Navigation = ({ call }: { call: MemberCall }) => (
  <nav class="navigation" aria-label="Portal">
    <ul>
      <NavigationLink call={call} id="home" />
    </ul>
    {navigationGroups.map(group => {
      const ids = portalRowIds.filter(
        id => (portalRows[id] as PortalRow).group === group && mayOpen(call.member, id, call.mode),
      )
      return ids.length === 0 ? null : (
        <section key={group}>
          <h2>{group}</h2>
          <ul>
            {ids.map(id => (
              <NavigationLink key={id} call={call} id={id} />
            ))}
          </ul>
        </section>
      )
    })}
  </nav>
)

/** The same page in the other mode; the home page where it is only of one thing or mode. */
function ModeSwitch({ call }: { call: MemberCall }) {
  const listed = listedPage(call.row) ?? 'home'
  const hasMode = portalRows[listed].path.includes('{mode}')
  const names = { integration: call.member.integration }
  return (
    <ul class="modes" aria-label="Mode">
      {modes.map(mode => (
        <li key={mode}>
          <a
            href={pathOf(hasMode && mayOpen(call.member, listed, mode) ? listed : 'home', {
              ...names,
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
              href={pathOf('home', { integration, mode: 'test' })}
              aria-current={integration === member.integration ? 'true' : undefined}
            >
              {name} <span class="fine">{role}</span>
            </a>
          </li>
        ))}
        <li class="switch-more">
          <a href="/?all">All integrations</a>
        </li>
        <li>
          <a href="/new">New integration</a>
        </li>
      </ul>
    </details>
  )
}

const Account = ({ portal, call }: { portal: PortalContext; call: MemberCall }) => (
  <details class="switch account">
    <summary>
      <span class="switch-name">{call.session.person.email}</span>
    </summary>
    <ul>
      <li>
        <a href={`${portal.authUrl}/`}>Your account</a>
      </li>
      <li>
        <a href={`${portal.site.url}/docs`}>Documentation</a>
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
  portal: PortalContext,
  call: MemberCall,
  { title, content, status }: FramedPage,
  cookies: readonly string[],
): Response {
  return documentResponse(
    portal,
    {
      title: `${title} · ${call.member.name}`,
      ...(status !== undefined && { status }),
      content: (
        <Frame
          site={portal.site}
          start={<IntegrationSwitch call={call} />}
          end={
            <>
              <ModeSwitch call={call} />
              <Account portal={portal} call={call} />
            </>
          }
          navigation={<Navigation call={call} />}
        >
          {content}
        </Frame>
      ),
    },
    cookies,
  )
}
