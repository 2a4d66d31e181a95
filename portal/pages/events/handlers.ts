// Handlers for the events pages.
import { redeliverEvent, showEvent } from './event.tsx'
import { showEvents } from './list.tsx'

export const eventHandlers = { events: showEvents, event: showEvent, redeliverEvent }
