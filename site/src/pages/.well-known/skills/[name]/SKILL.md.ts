export { GET, getStaticPaths } from '../../agent-skills/[name]/SKILL.md.ts'
