import type { Patient } from './generated/schemas/patients.ts'
import { timeZones } from './generated/time-zones.ts'

/**
 * The IANA time zone of a patient's state, as in `visit.time_zone`. If the state has two, returns
 * the zone where most residents live.
 */
export const timeZoneOf = ({ address }: Pick<Patient, 'address'>): string =>
  timeZones[address.state]
