import { skills } from '../../../../catalog.ts'
import { skillFile, type Skill } from '../../../../machine/machine.ts'

export const getStaticPaths = () =>
  skills().map(skill => ({ params: { name: skill.name }, props: { skill } }))

export const GET = ({ props }: { props: { skill: Skill } }) => new Response(skillFile(props.skill))
