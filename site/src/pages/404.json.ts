import { notFoundProblem } from '../machine/markdown-version.ts'

export const GET = () => new Response(`${JSON.stringify(notFoundProblem(), null, 2)}\n`)
