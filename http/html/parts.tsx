// Page parts that the portal and the console share.
import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import { Zone, ZonedTime } from './zone.tsx'

/** The parts of a call that forms need. */
export type FormCall = {
  /** The hidden field that a form posting to this path needs. */
  formToken(path: string): string
  /** A value for a form's hidden field `once`, which makes sending the form twice harmless. */
  once(): string
  /** A form sent by this request and not saved is shown again with its entries. */
  readonly request: { readonly method: string; readonly path: string }
}

/** A page's heading, with its main action. */
export const Heading = (props: {
  title: ComponentChildren
  lead?: ComponentChildren
  action?: ComponentChildren
}) => (
  <header class="heading">
    <div>
      <h1>{props.title}</h1>
      {props.lead !== undefined && <p class="lead">{props.lead}</p>}
    </div>
    {props.action !== undefined && <div class="heading-action">{props.action}</div>}
  </header>
)

/** Shown in place of an empty list; tells the reader what to do. */
export const Empty = ({ title, children }: { title: string; children: ComponentChildren }) => (
  <section class="empty">
    <h2>{title}</h2>
    {children}
  </section>
)

const long = new Intl.DateTimeFormat('en-US', {
  dateStyle: 'medium',
  timeStyle: 'medium',
  timeZone: 'UTC',
})

type TimeProps = {
  readonly at: string
  readonly format?: 'ago'
  /** Default: real time. The sandbox's clock may be ahead. */
  readonly clock?: 'sandbox'
}

/** A timestamp in the page's zone. On a page without a zone, a script shows the timestamp in the
 *  reader's zone, to the second, with UTC on hover. */
export const Time = ({ at, format, clock }: TimeProps) => {
  const zone = useContext(Zone)
  if (zone !== null) return <ZonedTime at={at} zone={zone} />
  return (
    <time
      datetime={at}
      title={at.replace('T', ' ').replace('Z', ' UTC')}
      data-format={format}
      data-clock={clock}
    >
      {`${long.format(new Date(at))} UTC`}
    </time>
  )
}

/** A timestamp in a list. A script shows “2 min. ago”, with the exact time on hover. */
export const Ago = (props: Omit<TimeProps, 'format'>) => <Time {...props} format="ago" />

type TimeOrNeverProps = {
  readonly at: string | null
  readonly never: string
  readonly clock?: 'sandbox'
}

export const AgoOrNever = ({ at, never, ...clock }: TimeOrNeverProps) =>
  at === null ? <span class="quiet">{never}</span> : <Ago at={at} {...clock} />

export const TimeOrNever = ({ at, never, ...clock }: TimeOrNeverProps) =>
  at === null ? <span class="quiet">{never}</span> : <Time at={at} {...clock} />

type Tone = 'good' | 'bad' | 'waiting' | 'plain'

/** A status in words; the color only repeats the word. */
export const Badge = ({ tone, children }: { tone: Tone; children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
)

/** A path, URL, event type or email. Breaks after a separator rather than within a word. */
export const Address = ({ of }: { of: string }) => (
  <span class="address">
    {of
      .split(of.includes('/') ? /(?<=\/)(?!\/)/ : /(?<=[.@])/)
      .flatMap((part, at) => (at === 0 ? part : [<wbr key={at} />, part]))}
  </span>
)

/** An icon that copies text, such as an ID; hidden where no script runs. */
export const CopyButton = ({ text }: { text: string }) => (
  <button type="button" class="copy" data-copy={text} aria-label={`Copy ${text}`} hidden>
    <svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path
        d="M5.5 5.5h7v8h-7zM3.5 10.5v-8h7"
        fill="none"
        stroke="currentColor"
        stroke-width="1.4"
      />
    </svg>
  </button>
)

/** An ID with a copy button. `href` is the page that the ID links to. */
export const Id = ({ of, href }: { of: string; href?: string }) => (
  <span class="id-copy">
    {href === undefined ? (
      <code class="id">{of}</code>
    ) : (
      <a class="id" href={href}>
        {of}
      </a>
    )}
    <CopyButton text={of} />
  </span>
)

/** Text to copy, with a copy button where scripts run. */
export const Copyable = ({ text, label }: { text: string; label: string }) => (
  <div class="copyable">
    <pre tabindex={0} aria-label={label}>
      <code>{text}</code>
    </pre>
    <button type="button" class="button second small" data-copy={text} hidden>
      Copy
    </button>
  </div>
)

/** A table that scrolls inside itself; on a phone, each row is a block with its headings. */
export function Table(props: {
  caption: string
  head: readonly string[]
  rows: readonly (readonly ComponentChildren[])[]
}) {
  return (
    <div class="table" role="region" aria-label={props.caption} tabindex={0}>
      <table>
        <caption class="hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.head.map(title => (
              <th key={title} scope="col">
                {title === '' ? <span class="hidden">Actions</span> : title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.rows.map((cells, row) => (
            <tr key={row}>
              {cells.map((cell, at) => (
                <td
                  key={at}
                  data-head={props.head[at]}
                  class={typeof cell === 'number' ? 'number' : undefined}
                >
                  {typeof cell === 'number' ? cell.toLocaleString('en-US') : cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Labeled facts about one thing. */
export const Facts = ({ of }: { of: readonly (readonly [string, ComponentChildren])[] }) => (
  <dl class="facts">
    {of.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)

const isSent = ({ call: { request }, path }: { call: FormCall; path: string }) =>
  request.method === 'POST' && request.path === path

/** A form that posts to a row of the page table, with its hidden fields. */
export const RowForm = (props: {
  call: FormCall
  path: string
  /** Lets fields elsewhere on the page belong to the form. */
  id?: string
  class?: string
  /** Whether the form is shown again with entries that aren't stored. Default: whether the request
   *  sent a form to this path. */
  isUnsaved?: boolean
  children: ComponentChildren
}) => (
  <form
    method="post"
    action={props.path}
    id={props.id}
    class={props.class}
    data-unsaved={(props.isUnsaved ?? isSent(props)) || undefined}
    novalidate
  >
    <input type="hidden" name="form" value={props.call.formToken(props.path)} />
    <input type="hidden" name="once" value={props.call.once()} />
    {props.children}
  </form>
)

/** A button that asks for confirmation before an irreversible action. The confirmation opens in
 *  place, without a script. */
export const Confirm = (props: {
  call: FormCall
  path: string
  label: string
  question: ComponentChildren
  action: string
  children?: ComponentChildren
}) => (
  <details class="confirm" name="confirm">
    <summary class="button second small">{props.label}</summary>
    <RowForm call={props.call} path={props.path} class="confirm-form">
      <p>{props.question}</p>
      {props.children}
      <button class="button danger small">{props.action}</button>
    </RowForm>
  </details>
)

/** Body of a 404 page. */
export const Missing = (props: {
  title: string
  children: ComponentChildren
  href: string
  back: string
}) => (
  <>
    <Heading title={props.title} lead={props.children} />
    <p class="actions">
      <a class="button second" href={props.href}>
        {props.back}
      </a>
    </p>
  </>
)

/** Shows whether a step is done, as a mark and in words. */
export const StepMark = ({ isDone }: { isDone: boolean }) => (
  <span class="mark">
    {isDone && (
      <svg viewBox="0 0 20 20" aria-hidden="true">
        <path d="M5 10.5 8.5 14 15 6.5" fill="none" stroke="currentColor" stroke-width="2.2" />
      </svg>
    )}
    <span class="hidden">{isDone ? 'Done:' : 'To do:'}</span>
  </span>
)

/** Links to the previous and next page. The links keep the URL's filters. */
export const Pager = ({
  older,
  newer,
  newerText = 'Newer',
}: {
  older: string | null
  newer: string | null
  newerText?: string
}) =>
  older === null && newer === null ? null : (
    <nav class="pager" aria-label="Pages">
      {newer === null ? <span /> : <a href={newer}>{newerText}</a>}
      {older === null ? <span /> : <a href={older}>Older</a>}
    </nav>
  )

/** Links for a list sorted oldest first. */
export const NextPage = ({ first, next }: { first: string | null; next: string | null }) =>
  first === null && next === null ? null : (
    <nav class="pager" aria-label="Pages">
      {first === null ? <span /> : <a href={first}>From the start</a>}
      {next === null ? <span /> : <a href={next}>Next page</a>}
    </nav>
  )
