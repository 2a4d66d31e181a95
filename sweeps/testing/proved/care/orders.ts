// What is said of prescriptions and orders, each with its test.
import type { Proofs } from '../../proof.ts'

export const orders: Proofs = {
  'docs/prescriptions-and-orders.md': [
    [
      'Each dispensable line of the plan makes one prescription, and each prescription one order',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      'so an approved case may have no order at all',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case without prescriptions or orders',
    ],
    [
      "`ship_to` is the patient's address at the moment of the approval",
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      'A prescription is `active` until its order ships, then `filled`',
      'clinical/sandbox/pharmacy.test.ts',
      'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
    ],
    [
      'It is `cancelled` if its order fails first',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'it passes through `at_pharmacy`, its reason is cleared, and it ships',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      'The prescription is filled now, and stays so even if the parcel is lost',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'four controls that act on every order of a case that can move',
      'clinical/sandbox/pharmacy.test.ts',
      'several orders change together in order of id, each event with its own millisecond',
    ],
    [
      '`GET /v1/cases/{id}/events` does not show them',
      'clinical/events/list.test.ts',
      'listCaseEvents holds the events about the case alone, in pages',
    ],
    [
      '| `invalid_transition` with `orders: []` | the case has no orders',
      'clinical/sandbox/pharmacy.test.ts',
      'a case that is not approved has no orders, and nothing is written',
    ],
    [
      '| `invalid_transition` from `deliver` | nothing was shipped |',
      'clinical/sandbox/pharmacy.test.ts',
      'deliverCase before shipCase is refused with a hint',
    ],
    ['Neither comes back', 'clinical/sandbox/pharmacy.test.ts', 'in %s after %s is in %s'],
    [
      '| ship | `order.at_pharmacy` unless it is there, `order.shipped`, `prescription.updated` |',
      'sweeps/table-claims.test.ts',
      'orders: the guide lists the events of each control',
    ],
    [
      'No call of yours moves an order or a prescription',
      'sweeps/table-claims.test.ts',
      'pharmacies: in live mode every operation on an order reads it',
    ],
    [
      'The order is `failed`, and the prescription that was still `active` is `cancelled`',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'One parcel, so both orders carry the same number',
      'clinical/sandbox/pharmacy.test.ts',
      'several orders change together in order of id, each event with its own millisecond',
    ],
    [
      'The control answers the case, whose status is `approved` throughout',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      'A patient who moves later does not move the parcel',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      'A control that finds nothing to move says so, and lists the orders as they are',
      'clinical/sandbox/pharmacy.test.ts',
      'deliverCase before shipCase is refused with a hint',
    ],
    [
      '| `created` | written, not yet with the pharmacy | "approved, on its way to the pharmacy" |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `failed` | the pharmacy gave up, or the parcel is lost | final; a person should call |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '`carrier` is `usps`, `ups`, `fedex`, `dhl` or `other`',
      'clinical/sandbox/pharmacy.test.ts',
      '%j',
    ],
    [
      'A patient who still wants treatment needs a new case',
      'contract/derive/state-machines.test.ts',
      'state machines: a case is final where nothing leads on, and its state names its event',
    ],
    [
      '| `reason` is null on a failed order | the sandbox gives none |',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      '`url` is null unless the pharmacy gives one',
      'clinical/sandbox/pharmacy.test.ts',
      'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
    ],
    [
      '| `at_pharmacy` | the pharmacy has accepted it | "being prepared" |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `shipped` | handed to the carrier | the tracking number, if there is one |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `delivered` | the carrier says it has arrived | final |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `blocked` | the pharmacy has stopped it, and `reason` says why | "delayed", and',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      'In live mode the clinic does on its board, or [a connected',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '`reason` is written by the pharmacy for you.',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      "`delivered` is the carrier's word.",
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      'They are in [`GET /v1/events`](/docs/events).',
      'sweeps/record-claims.test.ts',
      'events: every page names events that exist',
    ],
  ],
}
