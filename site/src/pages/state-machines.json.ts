import { stateMachines } from '#contract/derive/state-machines.ts'

export const GET = () => new Response(`${JSON.stringify(stateMachines(), null, 2)}\n`)
