import { adjustmentBody, grantBody } from '../admin-credit-requests.ts'
import { entryListParameters } from '../parameters.ts'
import { body, bodyParameters, changeErrors, common, idOf } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

export const accountCreditBodies: Record<string, Schema> = {
  Grant: bodyParameters(grantBody),
  Adjustment: bodyParameters(adjustmentBody),
}

const account = idOf('account', 'acct_1')

export const accountCreditOperations: Paths = {
  '/admin/v1/accounts/{id}/grants': {
    post: operation({
      ...common,
      id: 'grantCredits',
      summary: 'Grant credits',
      description:
        'Grants credits, with or without an expiry. Send a `reference` or an `Idempotency-Key`, so that a retry does not grant ' +
        'them twice. A key that was used for another account or amount, or for a correction, is rejected.',
      parameters: [account, ...shared('IdempotencyKey')],
      body: body('Grant', { amount: 250, note: 'thank you', reference: 'invoice-2026-017' }),
      responses: {
        200: jsonResponse({
          description: 'The account with its new balance.',
          schema: reference('schemas', 'Account'),
          headers: ['Idempotency-Replayed'],
          examples: {},
        }),
      },
      errors: ['KeyReused', ...changeErrors],
    }),
  },
  '/admin/v1/accounts/{id}/grants/{reference}': {
    get: operation({
      ...common,
      id: 'getGrant',
      summary: 'Show a grant',
      description: 'Returns the grant with this reference to this account.',
      parameters: [
        account,
        {
          name: 'reference',
          in: 'path',
          required: true,
          description: 'The reference of the grant.',
          schema: { type: 'string' },
          example: 'invoice-2026-017',
        },
      ],
      responses: {
        200: jsonResponse({
          description: 'The grant.',
          schema: reference('schemas', 'GrantView'),
          examples: {},
        }),
      },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/accounts/{id}/adjustments': {
    post: operation({
      ...common,
      id: 'adjustCredits',
      summary: 'Correct a balance',
      description:
        'Adds or removes credits, with a reason. The balance cannot become negative. Send an `Idempotency-Key`, so that a ' +
        'retry does not correct the balance twice. A key that was used for another account or amount, or for a grant, is rejected.',
      parameters: [account, ...shared('IdempotencyKey')],
      body: body('Adjustment', { amount: -50, note: 'granted twice' }),
      responses: {
        200: jsonResponse({
          description: 'The account with its new balance.',
          schema: reference('schemas', 'Account'),
          examples: {},
        }),
      },
      errors: ['BalanceTooSmall', 'KeyReused', ...changeErrors],
    }),
  },
  '/admin/v1/accounts/{id}/entries': {
    get: operation({
      ...common,
      id: 'listAccountEntries',
      summary: 'List the ledger of an account',
      description: 'Lists the ledger entries of the account, newest first, in pages. The account itself sees the same entries.',
      parameters: [account, ...queryParameters(entryListParameters)],
      responses: {
        200: jsonResponse({
          description: 'A page of entries.',
          schema: reference('schemas', 'CreditEntryList'),
          examples: {},
        }),
      },
      errors: ['BadQuery', 'ResourceNotFound'],
    }),
  },
}
