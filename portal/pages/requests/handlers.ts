// Handlers for the request log pages.
import { showApiChanges } from './changes.tsx'
import { showRequests } from './list.tsx'
import { showRequest } from './request.tsx'

export const requestHandlers = {
  requests: showRequests,
  request: showRequest,
  apiChanges: showApiChanges,
}
