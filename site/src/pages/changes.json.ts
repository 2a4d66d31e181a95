import { everyPage } from '../every-page.ts'
import { given } from '../given.ts'
import { changes } from '../render/machine.ts'

export const GET = () =>
  new Response(`${JSON.stringify(changes(everyPage(), given().changesBefore), null, 2)}\n`)
