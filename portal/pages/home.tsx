// Home: what to do next.
import type { PortalHandler } from '../context.ts'
import { Heading } from '../frame/parts.tsx'

const home: PortalHandler = (_portal, call) => ({
  title: 'Home',
  content: (
    <>
      <Heading title={call.member.name} lead={`You are ${call.member.role} of this integration.`} />
    </>
  ),
})

export const homeHandlers = { home }
