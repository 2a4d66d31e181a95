import { front } from '../catalog.ts'
import { caseStates, trace } from '../figures/case-states.ts'
import { markdownTable } from '../figures/figures.ts'
import { homeTwin } from '../render/twin.ts'

export async function GET() {
  const states = markdownTable(caseStates.head, caseStates.rows)
  const steps = trace.map(step => `${step.at} ${step.type}`)
  return new Response(homeTwin(await front(), states, steps))
}
