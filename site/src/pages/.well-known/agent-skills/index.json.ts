import { skills } from '../../../catalog.ts'
import { skillIndex } from '../../../render/machine.ts'

export const GET = async () =>
  new Response(`${JSON.stringify(skillIndex(await skills()), null, 2)}\n`)
