// The getting-started steps. The next step is expanded.
import type { MemberCall } from '../../context.ts'
import { operationPath } from '#content/reference.ts'
import { Copyable, StepMark } from '#http/html/parts.tsx'
import type { Condition } from '../organization/go-live.tsx'
import type { Step } from './steps.ts'

type ChecklistProps = {
  readonly call: MemberCall
  /** The site's URL, for links to its guides. */
  readonly site: string
  readonly steps: readonly Step[]
}

export function Checklist({ call, site, steps }: ChecklistProps) {
  const done = steps.filter(({ isDone }) => isDone).length
  const next = steps.find(({ isDone }) => !isDone)
  const list = (
    <ol class="steps">
      {steps.map((step, at) => (
        <StepItem
          key={step.title}
          {...{ call, site, step }}
          nextId={step === next ? `next-step-${at + 1}` : undefined}
        />
      ))}
    </ol>
  )
  if (next !== undefined) {
    return (
      <section class="part">
        <h2>Get started</h2>
        <p class="quiet">
          {done} of {steps.length} steps complete. Steps check off as you go.
        </p>
        {list}
      </section>
    )
  }
  return (
    <section class="part">
      <details>
        <summary>
          Setup complete: {steps.length} of {steps.length} steps
        </summary>
        {list}
      </details>
    </section>
  )
}

type StepProps = Omit<ChecklistProps, 'steps'> & {
  readonly step: Step
  /** Only the next step has an ID, so a refresh that makes a step the next one also opens it. */
  readonly nextId: string | undefined
}

const StepItem = ({ call, site, step, nextId }: StepProps) => (
  <li class={step.isDone ? 'done' : undefined}>
    <StepMark isDone={step.isDone} />
    {step.isDone ? (
      <div>
        <strong>{step.title}</strong>
      </div>
    ) : (
      <details id={nextId} open={nextId !== undefined}>
        <summary>
          <strong>{step.title}</strong>
        </summary>
        <p class="quiet">{step.text}</p>
        <Copyable label={step.title} text={step.lines} />
        <p class="fine step-links">
          {step.page !== undefined && call.mayOpen(step.page.row) && (
            <a class="button small" href={call.pathOf(step.page.row)}>
              {step.page.label}
            </a>
          )}
          {step.operation !== undefined && (
            <a
              href={`${site}${operationPath(step.operation)}#try`}
              target="_blank"
              rel="noreferrer"
            >
              Send it in the browser
            </a>
          )}
          <a href={site + step.guide}>Guide</a>
        </p>
      </details>
    )}
  </li>
)

/** The steps to live mode, until all are complete. */
export const LiveConditions = (props: { call: MemberCall; conditions: readonly Condition[] }) => {
  const { call, conditions } = props
  const isLive = conditions.every(({ isDone }) => isDone)
  return (
    <section class="part">
      <h2>{isLive ? 'You’re live' : 'Go live'}</h2>
      <ol class="steps">
        {conditions.map(({ title, isDone }) => (
          <li key={title} class={isDone ? 'done' : undefined}>
            <StepMark isDone={isDone} />
            <div>
              <strong>{title}</strong>
            </div>
          </li>
        ))}
      </ol>
      <p>
        <a class={isLive ? undefined : 'button'} href={call.pathOf('goLive')}>
          Go live
        </a>
      </p>
    </section>
  )
}
