// The guide to pharmacies, each with its test.
import type { Proofs } from '../../proof.ts'

export const pharmacies: Proofs = {
  'docs/pharmacies.md': [
    [
      'Each attempt carries the same idempotency key, the id of the prescription',
      'clinical/pharmacy/transmit.test.ts',
      'an answer that is lost is asked for again under the same key',
    ],
    [
      'A delivery before its shipment is refused until the shipment has come',
      'clinical/pharmacy/update.test.ts',
      'a delivery that overtakes its shipment is refused, and counts when it comes again',
    ],
    [
      'A refusal ends the attempts at once',
      'clinical/pharmacy/transmit.test.ts',
      '%d stops it, with what the pharmacy says on one line',
    ],
    [
      'So it is never sent and also filled by hand',
      'clinical/pharmacy/interleaving.test.ts',
      'any course: one order at the pharmacy at most, and only legal states',
    ],
    [
      'So an order never goes back from `shipped` to `at_pharmacy`',
      'clinical/pharmacy/update.test.ts',
      'an older update, and one that cannot move the order any more, are ignored and audited',
    ],
    [
      '| has connected no pharmacy | wait on the board of its console, until its own pharmacy staff moves them |',
      'clinical/pharmacy/transmit.test.ts',
      'without a connection an order waits on the board, and nothing is to be sent',
    ],
    [
      '| has connected a pharmacy | are sent there, and move by what the pharmacy reports |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      'A worker then sends each signed prescription as one signed request',
      'clinical/pharmacy/transmit.test.ts',
      'is intended with the signature, sent with what is dispensed, and accepted once',
    ],
    [
      "The console answers with a secret, which it shows once, and with the address for the pharmacy's updates",
      'console/pages/administration/pharmacy.test.ts',
      'a pharmacy is connected, its secret shown once and replaced, and disconnected',
    ],
    [
      'enters a name and an https address',
      'console/pages/administration/pharmacy.test.ts',
      'an address must be public, with https',
    ],
    [
      'staff cannot ship, block or give it up',
      'clinical/console/transmissions.test.ts',
      'an order that is to be sent, or was given up, cannot be moved by hand',
    ],
    [
      'Its reason is shown to staff',
      'clinical/console/transmissions.test.ts',
      'an order that was given up shows why, and is sent again',
    ],
    [
      '| *Do it by hand* | it is never sent again, and is dispensed from the board |',
      'clinical/console/transmissions.test.ts',
      'an order that is taken over is not sent any more, and is moved by hand',
    ],
    [
      'One that repeats another, or is older than the last that counted, moves nothing',
      'clinical/pharmacy/update.test.ts',
      'an update counts once, also when it is sent twice at the same time',
    ],
    [
      '| disconnects | is marked *Not sent* and waits on the board |',
      'clinical/pharmacy/transmit.test.ts',
      'is not sent to a private address, nor over a connection that has ended',
    ],
    [
      'No call moves a live order, and none names a pharmacy',
      'sweeps/table-claims.test.ts',
      'pharmacies: in live mode every operation on an order reads it',
    ],
    [
      'An order that is shipped passes through `at_pharmacy`, and you get that event too',
      'clinical/sandbox/pharmacy.test.ts',
      'shipCase passes through at_pharmacy, sets tracking and fills the prescription',
    ],
    [
      'The pharmacy reports each step as a signed request',
      'clinical/pharmacy/update.test.ts',
      'an unknown connection, a wrong, a missing and an old signature: the same 401',
    ],
    [
      'Each dispensable line becomes one prescription with one order, in the same moment',
      'clinical/sandbox/decide.test.ts',
      'twenty lines make twenty prescriptions and orders, in plan order',
    ],
    [
      'A connection counts for what is signed from then on',
      'clinical/pharmacy/transmit.test.ts',
      'a connection counts for what is signed from then on: an earlier order stays on the board',
    ],
    [
      'Earlier orders stay on the board',
      'clinical/pharmacy/transmit.test.ts',
      'a connection counts for what is signed from then on: an earlier order stays on the board',
    ],
    [
      'Nothing in an order names the pharmacy or says whether it is an outside one',
      'clinical/pharmacy/transmit.test.ts',
      'an order that was sent has the members of one on the board, and none names a pharmacy',
    ],
    [
      'Staff with the pharmacy role open *Orders* in the console',
      'console/review.test.ts',
      'a case is claimed, asked about, signed with another plan, and its order moved to the end',
    ],
    [
      '| *Unblock* | `at_pharmacy` | its `reason` is cleared |',
      'clinical/sandbox/pharmacy.test.ts',
      'a blocked order has a reason, which shipping removes',
    ],
    [
      'Then the order is `at_pharmacy`, and staff see the reference',
      'clinical/pharmacy/transmit.test.ts',
      'is intended with the signature, sent with what is dispensed, and accepted once',
    ],
    [
      'After the last one the order is marked *Not sent* on the board',
      'clinical/pharmacy/transmit.test.ts',
      'stops after the last attempt of its schedule',
    ],
    [
      '| *Send again* | it goes to the pharmacy that the clinic is connected to now |',
      'clinical/console/transmissions.test.ts',
      'an order that was given up is sent again to the pharmacy that is connected by then',
    ],
    [
      'You see `created` for all that time, and no event',
      'clinical/pharmacy/transmit.test.ts',
      'an answer that is lost is asked for again under the same key',
    ],
    [
      'One prescription is one order at the pharmacy',
      'clinical/pharmacy/interleaving.test.ts',
      'any course: one order at the pharmacy at most, and only legal states',
    ],
    [
      '| it has accepted it, or takes it up again | `order.at_pharmacy.v1` | `at_pharmacy` |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '| it cannot go on | `order.blocked.v1` | `blocked`, with `reason` |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '| it has shipped | `order.shipped.v1`, `prescription.updated.v1` | `shipped`, with `tracking` if it sent one |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '| it has arrived | `order.delivered.v1` | `delivered` |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      'Updates may come twice, late or out of order',
      'clinical/pharmacy/update.test.ts',
      'an older update, and one that cannot move the order any more, are ignored and audited',
    ],
    [
      'Email, answers, photos and messages stay with the clinic',
      'sweeps/care-claims.test.ts',
      'pharmacies: the guide lists what is sent of a patient',
    ],
    [
      'The pharmacy accepts with its own reference for the order',
      'clinical/pharmacy/transmit.test.ts',
      '%s is tried again, and never accepted',
    ],
    [
      '| *Ship* | `shipped` | carrier and tracking number, if there is one; the prescription',
      'sweeps/care-claims.test.ts',
      'pharmacies: the guide names the buttons of the board, and what each makes of an',
    ],
    [
      '| *Delivered* | `delivered` | only after *Ship* |',
      'sweeps/care-claims.test.ts',
      'pharmacies: the guide names the buttons of the board, and what each makes of an',
    ],
    [
      '| *Block* | `blocked` | `reason`, which you read |',
      'sweeps/care-claims.test.ts',
      'pharmacies: the guide names the buttons of the board, and what each makes of an',
    ],
    [
      '| *Give up* | `failed` | an active prescription is `cancelled` with it; a `reason` if',
      'sweeps/care-claims.test.ts',
      'pharmacies: the guide names the buttons of the board, and what each makes of an',
    ],
    [
      '| it gives up | `order.failed.v1` | `failed` |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '| `created` for hours | the pharmacy does not answer, or staff has not shipped yet |',
      'clinical/pharmacy/transmit.test.ts',
      'without a connection an order waits on the board, and nothing is to be sent',
    ],
    [
      '| `at_pharmacy` for days | the pharmacy sends no updates | ask the clinic, which can',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '| `blocked`, then `at_pharmacy` | the pharmacy took it up again | clear your alert |',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      '| `failed` and the prescription `cancelled` | the pharmacy gave up | a person calls',
      'clinical/sandbox/pharmacy.test.ts',
      'failCase cancels an active prescription and does not change a filled one',
    ],
    [
      '| `shipped` without `tracking` | the carrier\'s number was not given | say "on its',
      'clinical/pharmacy/update.test.ts',
      'an order is blocked, resumed, shipped and delivered, as on the board',
    ],
    [
      'staff read that the pharmacy may have the order, and to ask there first',
      'console/pages/orders/transmission.test.tsx',
      'a pharmacy whose answer was lost may have the order, so staff ask there first',
    ],
    [
      'The board is where an order is sent again or done by hand',
      'clinical/console/transmissions.test.ts',
      'an order that was given up is sent again',
    ],
  ],
}
