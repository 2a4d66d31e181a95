// Creates the booking service from its dependencies.
import { alternativesTo, availability } from './availability.ts'
import { book } from './book.ts'
import { requestCallback } from './callback.ts'
import type { BookingService, BookingManagement } from './booking-service.ts'
import { managementOf } from './manage.ts'
import type { BookingContext } from './context.ts'

export function createBookingService(parts: BookingContext): BookingService & BookingManagement {
  return {
    availability: query => availability(parts, query),
    alternatives: start => alternativesTo(parts, start),
    book: request => book(parts, request),
    requestCallback: request => requestCallback(parts, request),
    ...managementOf(parts),
  }
}
