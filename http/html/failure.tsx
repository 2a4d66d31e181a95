// What a page says instead of its content: what happened, and what to do next.

export type Failure = {
  readonly status: number
  readonly title: string
  /** What happened, and what to do next. */
  readonly text: string
  readonly next?: { readonly href: string; readonly label: string }
  /** A code that the operator finds in the log. */
  readonly reference?: string
  readonly headers?: Readonly<Record<string, string>>
}

export const FailureContent = ({ title, text, next, reference }: Failure) => (
  <main class="narrow">
    <h1>{title}</h1>
    <p class="lead">{text}</p>
    {next && (
      <p class="actions">
        <a class="button" href={next.href}>
          {next.label}
        </a>
      </p>
    )}
    {reference !== undefined && (
      <p class="fine">
        Reference <span class="code">{reference}</span>
      </p>
    )}
  </main>
)
