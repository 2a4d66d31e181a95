import { notFoundProblem } from '../render/markdown-version.ts'

export const GET = () => new Response(`${JSON.stringify(notFoundProblem(), null, 2)}\n`)
