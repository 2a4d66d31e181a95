// A US address: a patient's, or where an order ships.

import { Type } from 'typebox'
import { closed, named, nullable, oneOf, text, postalCodePattern } from '../shapes.ts'

const namedStates = (
  'AL Alabama, AK Alaska, AZ Arizona, AR Arkansas, CA California, CO Colorado, ' +
  'CT Connecticut, DE Delaware, DC District of Columbia, FL Florida, GA Georgia, ' +
  'HI Hawaii, ID Idaho, IL Illinois, IN Indiana, IA Iowa, KS Kansas, KY Kentucky, ' +
  'LA Louisiana, ME Maine, MD Maryland, MA Massachusetts, MI Michigan, MN Minnesota, ' +
  'MS Mississippi, MO Missouri, MT Montana, NE Nebraska, NV Nevada, NH New Hampshire, ' +
  'NJ New Jersey, NM New Mexico, NY New York, NC North Carolina, ND North Dakota, ' +
  'OH Ohio, OK Oklahoma, OR Oregon, PA Pennsylvania, RI Rhode Island, SC South Carolina, ' +
  'SD South Dakota, TN Tennessee, TX Texas, UT Utah, VT Vermont, VA Virginia, ' +
  'WA Washington, WV West Virginia, WI Wisconsin, WY Wyoming'
).split(', ')

/** USPS codes of the 50 states and DC. */
export const states = namedStates.map(state => state.slice(0, 2))

/** USPS codes by the state's name, and by the name that most people use for DC. */
export const statesByName: ReadonlyMap<string, string> = new Map([
  ...namedStates.map(state => [state.slice(3), state.slice(0, 2)] as const),
  ['Washington DC', 'DC'],
])

/** A state with two zones is listed under the one where most of its people live. */
const statesByZone: Readonly<Record<string, string>> = {
  'America/New_York': 'CT DC DE FL GA KY MA MD ME NC NH NJ NY OH PA RI SC VA VT WV',
  'America/Detroit': 'MI',
  'America/Indiana/Indianapolis': 'IN',
  'America/Chicago': 'AL AR IA IL KS LA MN MO MS ND NE OK SD TN TX WI',
  'America/Denver': 'CO MT NM UT WY',
  'America/Boise': 'ID',
  'America/Phoenix': 'AZ',
  'America/Los_Angeles': 'CA NV OR WA',
  'America/Anchorage': 'AK',
  'Pacific/Honolulu': 'HI',
}

/** IANA time zones by USPS code. */
export const timeZones: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(statesByZone).flatMap(([zone, states]) =>
    states.split(' ').map(state => [state, zone] as const),
  ),
)

const addressFields = {
  line1: text(1, 100),
  line2: nullable(text(1, 100)),
  city: text(1, 60),
  state: oneOf(states, { description: 'USPS code of one of the 50 states or DC.' }),
  postal_code: Type.String({ pattern: postalCodePattern }),
  country: oneOf(['US']),
}

export const Address = named('Address', 'A US address.', addressFields)

/** An address in a request: the second line and the country are optional. */
export const AddressInput = closed({
  ...addressFields,
  line2: Type.Optional(nullable(text(1, 100, { default: null }))),
  country: Type.Optional(oneOf(['US'], { default: 'US' })),
})
