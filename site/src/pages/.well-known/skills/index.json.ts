import { skills } from '../../../catalog.ts'
import { formerSkillIndex } from '../../../machine/machine.ts'

export const GET = () => new Response(`${JSON.stringify(formerSkillIndex(skills()), null, 2)}\n`)
