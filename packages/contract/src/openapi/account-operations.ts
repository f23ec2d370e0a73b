import { accountChangeBody, accountCreateBody } from '../admin-account-requests.ts'
import { adminListParameters } from '../parameters.ts'
import { body, bodyParameters, changeErrors, common, idOf } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

export const accountBodies: Record<string, Schema> = {
  AccountCreate: bodyParameters(accountCreateBody),
  AccountChange: bodyParameters(accountChangeBody),
}

const account = idOf('account', 'acct_1')

export const accountOperations: Paths = {
  '/admin/v1/accounts': {
    get: operation({
      ...common,
      id: 'listAccounts',
      summary: 'List accounts',
      description: 'Lists the accounts of all brands, oldest first, in pages.',
      parameters: queryParameters(adminListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of accounts.',
          schema: reference('schemas', 'AccountList'),
          examples: { page: examples.accountList },
        }),
      },
      errors: ['BadQuery'],
    }),
    post: operation({
      ...common,
      id: 'createAccount',
      summary: 'Create an account',
      description:
        'Creates an account without credits and keys. A request with a name that exists in the brand returns that account.',
      body: body('AccountCreate', { name: 'Studio North' }),
      responses: {
        200: jsonResponse({ description: 'The existing account.', schema: reference('schemas', 'Account'), examples: {} }),
        201: jsonResponse({ description: 'The new account.', schema: reference('schemas', 'Account'), examples: {} }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/accounts/{id}': {
    get: operation({
      ...common,
      id: 'getAccount',
      summary: 'Show an account',
      description: 'Returns one account with its balance and limits.',
      parameters: [account],
      responses: {
        200: jsonResponse({
          description: 'The account.',
          schema: reference('schemas', 'Account'),
          examples: { account: examples.account },
        }),
      },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeAccount',
      summary: 'Change an account',
      description:
        'Renames, suspends, reopens or closes the account, or sets its limits. Omitted fields do not change. The account of ' +
        'the requesting key cannot be suspended or closed.',
      parameters: [account],
      body: body('AccountChange', { tasks_in_flight_max: 20, over_limit: 'wait' }),
      responses: { 200: jsonResponse({ description: 'The account.', schema: reference('schemas', 'Account'), examples: {} }) },
      errors: [...changeErrors, 'Conflict'],
    }),
  },
  '/admin/v1/accounts/{id}/keys': {
    get: operation({
      ...common,
      id: 'listKeys',
      summary: "List an account's keys",
      description: 'Lists all keys of the account, including revoked ones, without their secrets.',
      parameters: [account],
      responses: { 200: jsonResponse({ description: 'The keys.', schema: reference('schemas', 'ApiKeyList'), examples: {} }) },
      errors: ['ResourceNotFound'],
    }),
    post: operation({
      ...common,
      id: 'createKey',
      summary: 'Create a key',
      description:
        'Creates a key. Only this response contains its secret. The key is valid immediately in this process, and within a ' +
        'second in other processes.',
      parameters: [account],
      body: body('KeyCreate', { name: 'website', scopes: ['tasks:write', 'tasks:read'], spent_per_day_max: 50 }),
      responses: { 201: jsonResponse({ description: 'The key.', schema: reference('schemas', 'IssuedApiKey'), examples: {} }) },
      errors: [...changeErrors, 'Conflict'],
    }),
  },
}
