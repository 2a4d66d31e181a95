// The desk: one function for each thing that may be asked of it, on the parts it is given.
import { availability } from './availability.ts'
import { book } from './book.ts'
import { askBack } from './callback.ts'
import type { Desk, Keeper } from './booking-service.ts'
import { keeperOf } from './manage.ts'
import type { DeskParts } from './context.ts'

export function openDesk(parts: DeskParts): Desk & Keeper {
  return {
    availability: query => availability(parts, query),
    book: request => book(parts, request),
    requestCallback: request => askBack(parts, request),
    ...keeperOf(parts),
  }
}
