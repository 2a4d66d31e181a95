// Articles about orders and pharmacies, each with its test.
import type { Proofs } from '../../proof.ts'

export const pharmacyArticles: Proofs = {
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
      'sweeps/table-claims.test.ts',
      'orders: the guide lists the events of each control',
    ],
    [
      'The order is not taken up again, and no button of yours makes another',
      'sweeps/table-claims.test.ts',
      'pharmacies: in live mode every operation on an order reads it',
    ],
    [
      'A blocked order does not move by itself',
      'clinical/sandbox/run-autopilot.test.ts',
      'skips held and waiting cases, blocked orders and other integrations',
    ],
    [
      'If every line is of the second kind, for example a product sold without a',
      'clinical/sandbox/decide.test.ts',
      'a plan without dispensable lines approves the case without prescriptions or orders',
    ],
    [
      '| `at_pharmacy` | the pharmacy has accepted it and is working | the pharmacy | yes |',
      'clinical/sandbox/pharmacy.test.ts',
      'in %s after %s is in %s',
    ],
    [
      '| `blocked` | the pharmacy stopped it, and `reason` says why | someone who can remove',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      '`order.created.v1`, `order.at_pharmacy.v1`, `order.shipped.v1`, `order.delivered.v1`,',
      'sweeps/record-claims.test.ts',
      'events: every page names events that exist',
    ],
    [
      '`reason` is free text from the pharmacy.',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      'Each event carries the status after its change and its moment.',
      'clinical/webhooks/delivery/deliver.test.ts',
      'a retry embeds the updated resource, or that it was deleted, with the status of the',
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
    [
      'There is no message that cancels what a connected pharmacy already has',
      'sweeps/record-claims.test.ts',
      'pharmacies: the page says who sends a prescription',
    ],
  ],
}
