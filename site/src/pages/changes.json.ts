import { everyPage } from '../machine/every-page.ts'
import { changes } from '../machine/machine.ts'

/** The build adds the previous build's hashes. */
export const GET = () => new Response(`${JSON.stringify(changes(everyPage()), null, 2)}\n`)
