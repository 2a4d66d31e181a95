// The reads of the usage page.
import { Type } from 'typebox'
import { moment } from '../../shapes.ts'
import { defineReads } from './read.ts'

export const billingReads = defineReads({
  countCharges: {
    method: 'GET',
    tag: 'Portal',
    scope: 'billing:read',
    mode: 'both',
    tool: false,
    status: 200,
    path: '/portal/charges/counts',
    summary: 'Read charges for each of the last twelve months, by kind. Empty in test mode.',
    returns: Type.Object({
      months: Type.Array(
        Type.Object({
          start: moment(),
          kinds: Type.Array(
            Type.Object({
              kind: Type.String(),
              currency: Type.String(),
              count: Type.Integer({ description: 'Charges minus reversals.' }),
              amount: Type.Integer({ description: 'In minor units, net of reversals.' }),
            }),
          ),
        }),
      ),
    }),
  },
})
