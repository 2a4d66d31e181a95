// What is said of prescriptions and orders, each with its test.
import type { Proofs } from '../proof.ts'

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
      'gateway/sweeps/table-claims.test.ts',
      'orders: the guide lists the events of each control',
    ],
    [
      'No call of yours moves an order or a prescription',
      'gateway/sweeps/table-claims.test.ts',
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
  ],
  'articles/pharmacy-orders-explained.md': [
    [
      '| `dispensable: true` | one prescription and one order |',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      '**An approval without an order is possible.**',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case without prescriptions or orders',
    ],
    [
      "the patient's address *when the order was created*",
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      'When an order ships, its prescription becomes `filled`, and `prescription.updated.v1` says so',
      'clinical/sandbox/pharmacy.test.ts',
      'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
    ],
    [
      'If the parcel is lost afterwards, the prescription stays `filled`',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'Leaving `blocked` clears the reason',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    ['A failed order is final', 'clinical/sandbox/pharmacy.test.ts', 'in %s after %s is in %s'],
    [
      'A block that ends is followed by `order.at_pharmacy.v1`',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      'the case stays `approved`, with its plan',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      'When an order fails before it ships, its prescription is `cancelled`',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      '`tracking` may be null on a shipped order',
      'clinical/sandbox/run-autopilot.test.ts',
      'approves, ships and delivers what is due, one step a run, each with its events',
    ],
    [
      '`tracking.url` may be null too, with a number present',
      'clinical/sandbox/pharmacy.test.ts',
      'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
    ],
    [
      'Each line says a medication, a quantity, refills, days of supply, directions, and whether it is `dispensable`',
      'clinical/sandbox/decide.test.ts',
      'a plan may differ from the request and is completed from the catalog',
    ],
    [
      '| `dispensable: false` | nothing more: it is on the record, and the pharmacy never fills it |',
      'clinical/sandbox/decide.test.ts',
      'a requested medication that is not dispensable is in the plan without a prescription',
    ],
    [
      '**One case may have several orders.** Two lines make two orders',
      'clinical/sandbox/decide.test.ts',
      'twenty lines make twenty prescriptions and orders, in plan order',
    ],
    [
      "An order is the pharmacy's work on one prescription",
      'clinical/prescriptions/read.test.ts',
      'prescriptions: a prescription and its order refer to each other',
    ],
    [
      'A patient who moves a day later has a new address on their record and the old one on the parcel',
      'clinical/sandbox/decide.test.ts',
      'an order keeps the address that the patient had at approval',
    ],
    [
      '| `created` | the prescription exists; the pharmacy has not taken it up | the pharmacy | yes |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `shipped` | the parcel was handed over | the carrier | it may still fail |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `delivered` | the carrier says it arrived | the patient | no, it is final |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `failed` | it will not arrive from this order | you | no, it is final |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      'In the sandbox, four controls play the pharmacy: `ship`, `deliver`, `block` and `fail`',
      'gateway/sweeps/table-claims.test.ts',
      'orders: the guide lists the events of each control',
    ],
    [
      'The order is not taken up again, and no button of yours makes another',
      'gateway/sweeps/table-claims.test.ts',
      'pharmacies: in live mode every operation on an order reads it',
    ],
    [
      'A blocked order does not move by itself',
      'clinical/sandbox/run-autopilot.test.ts',
      'skips held and waiting cases, blocked orders and other integrations',
    ],
  ],
  'articles/who-may-fill-this.md': [
    [
      'in live mode `GET /v1/medications` lists it, and a case with another medication is refused',
      'clinical/medications/formulary.test.ts',
      'live: a case that names another medication is refused with what to call, and not filed',
    ],
    [
      'An approval writes a prescription and an order',
      'clinical/sandbox/decide.test.ts',
      'the plan defaults to the requested medications; each line has a prescription and an order',
    ],
    [
      "Without a connection, the clinic's staff move the order by hand on the board of their console",
      'clinical/pharmacy/transmit.test.ts',
      'without a connection an order waits on the board, and nothing is to be sent',
    ],
    [
      'its prescription is canceled if it was still active',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      'Which pharmacy it is, a case does not choose',
      'clinical/pharmacy/transmit.test.ts',
      'an order that was sent has the members of one on the board, and none names a pharmacy',
    ],
  ],
}
