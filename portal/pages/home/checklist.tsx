// The steps of the loop: the next one is open, and those that are done say so.
import type { MemberCall } from '../../context.ts'
import { Copyable, StepMark } from '#http/html/parts.tsx'
import type { Condition } from '../organization/go-live.tsx'
import type { Step } from './steps.ts'

type ChecklistProps = {
  readonly call: MemberCall
  /** Where the guides are. */
  readonly site: string
  readonly steps: readonly Step[]
}

export function Checklist({ call, site, steps }: ChecklistProps) {
  const needed = steps.filter(step => step.isOptional !== true)
  const done = needed.filter(({ isDone }) => isDone).length
  const next = needed.find(({ isDone }) => !isDone)
  const list = (
    <ol class="steps">
      {steps.map(step => (
        <StepItem key={step.title} {...{ call, site, step, isNext: step === next }} />
      ))}
    </ol>
  )
  if (next !== undefined) {
    return (
      <section class="part">
        <h2>The loop, once around</h2>
        <p class="quiet">
          {done} of {needed.length} steps done. Each ticks itself when your sandbox has seen it.
        </p>
        {list}
      </section>
    )
  }
  return (
    <section class="part">
      <details>
        <summary>The loop is complete: all {needed.length} steps done</summary>
        {list}
      </details>
    </section>
  )
}

type StepProps = Omit<ChecklistProps, 'steps'> & { readonly step: Step; readonly isNext: boolean }

const StepItem = ({ call, site, step, isNext }: StepProps) => (
  <li class={step.isDone ? 'done' : undefined}>
    <StepMark isDone={step.isDone} />
    {step.isDone ? (
      <div>
        <StepTitle step={step} />
      </div>
    ) : (
      <details open={isNext}>
        <summary>
          <StepTitle step={step} />
        </summary>
        <p class="quiet">{step.text}</p>
        <Copyable label={step.title} text={step.lines} />
        <p class="fine step-links">
          {step.page !== undefined && call.mayOpen(step.page.row) && (
            <a href={call.pathOf(step.page.row)}>{step.page.label}</a>
          )}
          <a href={site + step.guide}>Guide</a>
        </p>
      </details>
    )}
  </li>
)

/** What live mode needs, until it has all of it. */
export const LiveConditions = (props: { call: MemberCall; conditions: readonly Condition[] }) => {
  const { call, conditions } = props
  const isLive = conditions.every(({ isDone }) => isDone)
  return (
    <section class="part">
      <h2>{isLive ? 'You are live' : 'What live mode needs'}</h2>
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

const StepTitle = ({ step }: { step: Step }) => (
  <>
    <strong>{step.title}</strong>
    {step.isOptional && <span class="optional"> (optional)</span>}
  </>
)
