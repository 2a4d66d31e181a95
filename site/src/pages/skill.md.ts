import { skills } from '../catalog.ts'
import { wholeSkill } from '../machine/machine.ts'

export const GET = () => new Response(wholeSkill(skills()))
