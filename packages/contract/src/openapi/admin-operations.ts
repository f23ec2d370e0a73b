import {
  accountChangeBody,
  accountCreateBody,
  adjustmentBody,
  brandChangeBody,
  brandCreateBody,
  brandModelBody,
  grantBody,
  keyChangeBody,
  keyCreateBody,
  keyRotateBody,
} from '../admin-requests.ts'
import { adminListParameters, entryListParameters, logParameters } from '../parameters.ts'
import { body, common, bodyParameters } from './admin-body.ts'
import { reference, type Parameter, type Paths, type Schema } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters, shared } from './parameters.ts'

function idOf(resource: 'account' | 'brand' | 'key', example?: string): Parameter {
  return {
    name: 'id',
    in: 'path',
    required: true,
    description: `The id of the ${resource}.`,
    schema: { type: 'string' },
    ...(example !== undefined && { example }),
  }
}

const account = idOf('account', 'acct_1')

export const adminBodies: Record<string, Schema> = {
  BrandCreate: bodyParameters(brandCreateBody),
  BrandChange: bodyParameters(brandChangeBody),
  BrandModel: bodyParameters(brandModelBody),
  AccountCreate: bodyParameters(accountCreateBody),
  AccountChange: bodyParameters(accountChangeBody),
  KeyCreate: bodyParameters(keyCreateBody),
  KeyChange: bodyParameters(keyChangeBody),
  KeyRotate: bodyParameters(keyRotateBody),
  Grant: bodyParameters(grantBody),
  Adjustment: bodyParameters(adjustmentBody),
}

const changeErrors = ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'WrongType'] as const

const brand = idOf('brand', 'brand_default')
const shownBrand = jsonResponse({ description: 'The brand.', schema: reference('schemas', 'Brand'), examples: {} })

export const adminOperations: Paths = {
  '/admin/v1/brands': {
    get: operation({
      ...common,
      id: 'listBrands',
      summary: 'List brands',
      description: 'All brands with their hosts, models and limits, oldest first.',
      responses: { 200: jsonResponse({ description: 'The brands.', schema: reference('schemas', 'BrandList'), examples: {} }) },
    }),
    post: operation({
      ...common,
      id: 'createBrand',
      summary: 'Create a brand',
      description: 'A new brand shows the catalogue unchanged. A request with an existing name returns that brand, unchanged.',
      body: body('BrandCreate', { name: 'Northern Lights', hosts: ['video.example.com'] }),
      responses: { 200: shownBrand, 201: shownBrand },
      errors: ['BadAdminBody', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/brands/{id}': {
    get: operation({
      ...common,
      id: 'getBrand',
      summary: 'Show a brand',
      description: 'One brand with its hosts, models and limits.',
      parameters: [brand],
      responses: { 200: shownBrand },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeBrand',
      summary: 'Change a brand',
      description:
        'Changes the name, hosts, result links, color, logo, visibility of other models or limits of the brand. Omitted fields stay unchanged.',
      parameters: [brand],
      body: body('BrandChange', { result_origin: 'https://media.example.com' }),
      responses: { 200: shownBrand },
      errors: [...changeErrors],
    }),
  },
  '/admin/v1/brands/{id}/models': {
    get: operation({
      ...common,
      id: 'listBrandModels',
      summary: 'List the models of a brand',
      description: 'All models with their visibility, title and price in this brand, including hidden ones.',
      parameters: [brand, ...queryParameters(adminListParameters)],
      responses: {
        200: jsonResponse({ description: 'A page of models.', schema: reference('schemas', 'BrandModelList'), examples: {} }),
      },
      errors: ['BadQuery', 'ResourceNotFound'],
    }),
    post: operation({
      ...common,
      id: 'setBrandModel',
      summary: 'Grant, show or hide a model',
      description: 'Sets the visibility and the title of a model in this brand.',
      parameters: [brand],
      body: body('BrandModel', { model: 'imgA_5.0Pro', visibility: 'invocable' }),
      responses: { 200: shownBrand },
      errors: [...changeErrors],
    }),
  },
  '/admin/v1/brands/{id}/models/{model}': {
    get: operation({
      ...common,
      id: 'getBrandModel',
      summary: 'Show a model of a brand',
      description: 'The visibility, title and price of the model in this brand.',
      parameters: [
        brand,
        {
          name: 'model',
          in: 'path',
          required: true,
          description: 'The Model ID.',
          schema: { type: 'string' },
          example: 'imgA-5.0',
        },
      ],
      responses: {
        200: jsonResponse({
          description: 'The model.',
          schema: reference('schemas', 'BrandModelView'),
          examples: { model: examples.brandModel },
        }),
      },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/brands/{id}/default': {
    post: operation({
      ...common,
      id: 'makeBrandDefault',
      summary: 'Make a brand the default',
      description: 'The default brand serves every host that belongs to no brand. The request has no body.',
      parameters: [brand],
      responses: { 200: shownBrand },
      errors: ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/accounts': {
    get: operation({
      ...common,
      id: 'listAccounts',
      summary: 'List accounts',
      description: 'All accounts of all brands, oldest first, in pages.',
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
      description: 'A new account has no credits and no keys. A request with an existing name in the brand returns that account.',
      body: body('AccountCreate', { name: 'Studio North' }),
      responses: {
        200: jsonResponse({ description: 'The existing account.', schema: reference('schemas', 'Account'), examples: {} }),
        201: jsonResponse({ description: 'The new account.', schema: reference('schemas', 'Account'), examples: {} }),
      },
      errors: ['BadAdminBody', 'BodyTooLarge', 'WrongType'],
    }),
  },
  '/admin/v1/accounts/{id}': {
    get: operation({
      ...common,
      id: 'getAccount',
      summary: 'Show an account',
      description: 'One account with its balance and limits.',
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
        'Renames, suspends, reopens or closes the account, or sets its limits. Omitted fields stay unchanged. The account of ' +
        'the requesting key can be neither suspended nor closed.',
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
      description: 'All keys of the account, including revoked ones, without their secrets.',
      parameters: [account],
      responses: { 200: jsonResponse({ description: 'The keys.', schema: reference('schemas', 'ApiKeyList'), examples: {} }) },
      errors: ['ResourceNotFound'],
    }),
    post: operation({
      ...common,
      id: 'createKey',
      summary: 'Create a key',
      description:
        'Only this response contains the secret. The key is valid immediately in this process, and within a second in other processes.',
      parameters: [account],
      body: body('KeyCreate', { name: 'website', scopes: ['tasks:write', 'tasks:read'], spent_per_day_max: 50 }),
      responses: { 201: jsonResponse({ description: 'The key.', schema: reference('schemas', 'IssuedApiKey'), examples: {} }) },
      errors: [...changeErrors],
    }),
  },
  '/admin/v1/accounts/{id}/grants': {
    post: operation({
      ...common,
      id: 'grantCredits',
      summary: 'Grant credits',
      description:
        'Adds credits, permanently or until they expire. Send a `reference` or an `Idempotency-Key`, so that a repeated ' +
        'request grants only once.',
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
      errors: [...changeErrors],
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
        'Adds or removes credits, with a reason. A balance never falls below zero. Send an `Idempotency-Key`, as with a grant.',
      parameters: [account, ...shared('IdempotencyKey')],
      body: body('Adjustment', { amount: -50, note: 'granted twice' }),
      responses: {
        200: jsonResponse({
          description: 'The account with its new balance.',
          schema: reference('schemas', 'Account'),
          examples: {},
        }),
      },
      errors: ['BalanceTooSmall', ...changeErrors],
    }),
  },
  '/admin/v1/accounts/{id}/entries': {
    get: operation({
      ...common,
      id: 'listAccountEntries',
      summary: 'List the ledger of an account',
      description: 'The ledger entries that the account itself can read, newest first, in pages.',
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
  '/admin/v1/keys/{id}': {
    get: operation({
      ...common,
      id: 'getKey',
      summary: 'Show a key',
      description: 'One key, without its secret.',
      parameters: [idOf('key')],
      responses: { 200: jsonResponse({ description: 'The key.', schema: reference('schemas', 'ApiKey'), examples: {} }) },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeKey',
      summary: 'Change a key',
      description: 'Changes the name, scopes, models, limits or expiry of the key. Omitted fields stay unchanged.',
      parameters: [idOf('key')],
      body: body('KeyChange', { requests_per_second_max: 20 }),
      responses: { 200: jsonResponse({ description: 'The key.', schema: reference('schemas', 'ApiKey'), examples: {} }) },
      errors: [...changeErrors],
    }),
    delete: operation({
      ...common,
      id: 'revokeKey',
      summary: 'Revoke a key',
      description: 'Makes the key permanently invalid, immediately in this process, and within a second in other processes.',
      parameters: [idOf('key')],
      responses: {
        200: jsonResponse({ description: 'The key, revoked.', schema: reference('schemas', 'ApiKey'), examples: {} }),
      },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/keys/{id}/rotate': {
    post: operation({
      ...common,
      id: 'rotateKey',
      summary: 'Rotate a key',
      description:
        'Creates a new secret of the key. Only this response contains the secret. Earlier secrets stay valid for the overlap.',
      parameters: [idOf('key')],
      body: body('KeyRotate', { overlap_seconds: 3600 }),
      isBodyOptional: true,
      responses: {
        200: jsonResponse({
          description: 'The key and its new secret.',
          schema: reference('schemas', 'IssuedApiKey'),
          examples: {},
        }),
      },
      errors: [...changeErrors],
    }),
  },
  '/admin/v1/audit': {
    get: operation({
      ...common,
      id: 'listChanges',
      summary: 'List the audit log',
      description: "Every change that was made through the operator's API, newest first, in pages.",
      parameters: queryParameters(adminListParameters),
      responses: {
        200: jsonResponse({ description: 'A page of changes.', schema: reference('schemas', 'AuditLog'), examples: {} }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/admin/v1/log': {
    get: operation({
      ...common,
      id: 'listLogLines',
      summary: 'List the latest log lines',
      description:
        'The last lines that the responding process has logged, newest first, at most about 2 MB of them. To follow the log, repeat ' +
        'the request with `after`.',
      parameters: queryParameters(logParameters),
      responses: {
        200: jsonResponse({ description: 'A page of lines.', schema: reference('schemas', 'Log'), examples: {} }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/admin/v1/credits/verify': {
    get: operation({
      ...common,
      id: 'verifyCredits',
      summary: 'Check the ledger',
      description:
        'Recomputes every balance from the entries, every hold from the tasks, and the unspent rest of every grant that expires. The check ' +
        'takes about five seconds per million entries and blocks no other requests.',
      responses: {
        200: jsonResponse({
          description: 'The result of the check.',
          schema: reference('schemas', 'CreditsCheck'),
          examples: { balanced: examples.creditsCheck },
        }),
      },
    }),
  },
}
