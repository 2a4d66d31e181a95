import { everyPage } from '../every-page.ts'
import { changes } from '../render/machine.ts'
import { changesBefore } from '../render/changes-before.ts'

export const GET = async () =>
  new Response(`${JSON.stringify(changes(await everyPage(), await changesBefore()), null, 2)}\n`)
