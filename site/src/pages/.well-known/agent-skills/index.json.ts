import { skills } from '../../../catalog.ts'
import { skillIndex } from '../../../machine/machine.ts'

export const GET = () => new Response(`${JSON.stringify(skillIndex(skills()), null, 2)}\n`)
