// The frames around pages: the origin's bar, and the navigation, computed from the table.
import type { ComponentChildren, VNode } from 'preact'
import { countText } from '../html/counts.ts'
import { type Site, Wordmark } from '../html/document.tsx'
import { Hidden } from '../html/fields.tsx'
import { type Jump, JumpDialog, JumpLink } from './jump.tsx'
import type { PageTable } from './table.ts'
import { themes } from '../origins/page-cookies.ts'

type BareProps = {
  readonly site: Site
  /** The origin's name in the wordmark. */
  readonly part: string
  /** The other side of the bar, such as the account menu. */
  readonly end?: ComponentChildren
  readonly children: ComponentChildren
}

export const BareFrame = ({ site, part, end, children }: BareProps) => (
  <>
    <header class="bar">
      <Wordmark site={site}>
        <span class="wordmark-part">{part}</span>
      </Wordmark>
      {end !== undefined && <div class="bar-end">{end}</div>}
    </header>
    <main class="narrow">{children}</main>
  </>
)

type FrameProps = {
  readonly site: Site
  /** The two sides of the bar. */
  readonly start: ComponentChildren
  readonly end: ComponentChildren
  /** Shown beside the page, or in a menu on a phone. */
  readonly navigation: VNode
  /** Shown between the bar and the page, such as the page's mode. */
  readonly strip?: ComponentChildren
  /** The search dialog over the page, for this person. Absent if the origin has no search. */
  readonly jump?: Jump & { readonly person: string }
  /** The page's label in recent items. Absent if recent items don't list the page. */
  readonly recent?: string | undefined
  readonly children: ComponentChildren
}

export const Frame = ({
  site,
  start,
  end,
  navigation,
  strip,
  jump,
  recent,
  children,
}: FrameProps) => (
  <>
    <a class="skip" href="#content">
      Skip to content
    </a>
    <header class="bar">
      <div class="bar-start">
        <Wordmark site={site} />
        {start}
      </div>
      <div class="bar-end">
        {jump && <JumpLink path={jump.path} />}
        {end}
      </div>
    </header>
    {strip}
    <div class="frame">
      <details class="menu">
        <summary>Menu</summary>
        {navigation}
      </details>
      <aside class="side">{navigation}</aside>
      <main id="content" tabindex={-1} data-recent={recent}>
        {children}
      </main>
    </div>
    {jump && <JumpDialog {...jump} />}
  </>
)

type NavigationCall<Id extends string> = {
  readonly trail: readonly Id[]
  mayOpen(id: Id): boolean
  pathOf(id: Id): string
  /** The page's count of waiting work. Undefined if it has none. */
  countOf?(id: Id): number | undefined
}

type NavigationProps<Id extends string> = {
  readonly label: string
  readonly table: PageTable<Id>
  readonly groups: readonly string[]
  readonly call: NavigationCall<Id>
}

/** The page's own navigation entry, or that of its nearest listed parent. */
export const listedPage = <Id extends string>(
  { rows }: PageTable<Id>,
  { trail }: Pick<NavigationCall<Id>, 'trail'>,
): Id | undefined => trail.findLast(id => rows[id].group !== undefined)

/** The pages that the person may open, by group. */
export function Navigation<Id extends string>({ label, table, groups, call }: NavigationProps<Id>) {
  const current = listedPage(table, call)
  const linksOf = (group: string) =>
    table.ids
      .filter(id => table.rows[id].group === group && call.mayOpen(id))
      .map(id => (
        <li key={id}>
          <a href={call.pathOf(id)} aria-current={current === id ? 'page' : undefined}>
            {table.rows[id].title}
            <Count id={id} of={call.countOf?.(id)} />
          </a>
        </li>
      ))
  const top = linksOf('')
  return (
    <nav class="navigation" aria-label={label}>
      {top.length > 0 && <ul>{top}</ul>}
      {groups.map(group => {
        const links = linksOf(group)
        return links.length === 0 ? null : (
          <section key={group}>
            <h2>{group}</h2>
            <ul>{links}</ul>
          </section>
        )
      })}
    </nav>
  )
}

type BreadcrumbsProps<Id extends string> = {
  readonly table: PageTable<Id>
  readonly call: NavigationCall<Id>
  /** The page's own title. */
  readonly title: string
}

/** The pages above this one, below its navigation entry; may be empty. */
export function Breadcrumbs<Id extends string>({ table, call, title }: BreadcrumbsProps<Id>) {
  const above = call.trail.slice(0, -1).filter(id => table.rows[id].group !== '')
  if (above.length === 0) return null
  return (
    <nav class="crumbs" aria-label="Breadcrumb">
      <ol>
        {above.map(id => (
          <li key={id}>
            <a href={call.pathOf(id)}>{table.rows[id].title}</a>
          </li>
        ))}
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  )
}

/** Rendered even for 0, so a script can update it. */
const Count = ({ id, of }: { id: string; of: number | undefined }) =>
  of === undefined ? null : (
    <span class="count" data-count={id} hidden={of === 0}>
      {countText(of)}
    </span>
  )

type AccountProps = {
  readonly name: string
  readonly call: { formToken(path: string): string }
  /** List items before the sign-out item. */
  readonly children: ComponentChildren
}

export const Account = ({ name, call, children }: AccountProps) => (
  <details class="switch account">
    <summary>
      <span class="switch-name">{name}</span>
    </summary>
    <ul>
      {children}
      <li class="themes" data-themes hidden>
        <span class="fine">Theme</span>
        {(['system', ...themes] as const).map(theme => (
          <button key={theme} type="button" class="link" data-theme-choice={theme}>
            {theme.charAt(0).toUpperCase() + theme.slice(1)}
          </button>
        ))}
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
