import type { Consent } from '#content/records.ts'
import { record } from '../catalog.ts'
import { agentsMd } from '../render/machine.ts'

export const GET = () => new Response(agentsMd(record<Consent>('consent')))
