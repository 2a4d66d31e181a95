// The handlers of the pages of events.
import { redeliverEvent, showEvent } from './event.tsx'
import { showEvents } from './list.tsx'

export const eventHandlers = { events: showEvents, event: showEvent, redeliverEvent }
