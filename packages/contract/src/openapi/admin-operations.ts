import { accountChangeBody, accountCreateBody } from '../admin-account-requests.ts'
import { adjustmentBody, grantBody } from '../admin-credit-requests.ts'
import { brandChangeBody, brandCreateBody, brandModelBody } from '../admin-brand-requests.ts'
import { keyChangeBody, keyCreateBody, keyRotateBody } from '../admin-key-requests.ts'
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

const changeErrors = ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'UnsupportedMediaType'] as const

const brand = idOf('brand', 'brand_default')
const shownBrand = jsonResponse({ description: 'The brand.', schema: reference('schemas', 'Brand'), examples: {} })

export const adminOperations: Paths = {
  '/admin/v1/brands': {
    get: operation({
      ...common,
      id: 'listBrands',
      summary: 'List brands',
      description: 'Lists all brands with their hosts, models and limits, oldest first.',
      responses: { 200: jsonResponse({ description: 'The brands.', schema: reference('schemas', 'BrandList'), examples: {} }) },
    }),
    post: operation({
      ...common,
      id: 'createBrand',
      summary: 'Create a brand',
      description:
        'Creates a brand, which initially shows the catalogue unchanged. A request with an existing name returns that brand, ' +
        'unchanged.',
      body: body('BrandCreate', { name: 'Northern Lights', hosts: ['video.example.com'] }),
      responses: { 200: shownBrand, 201: shownBrand },
      errors: ['BadAdminBody', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
  '/admin/v1/brands/{id}': {
    get: operation({
      ...common,
      id: 'getBrand',
      summary: 'Show a brand',
      description: 'Returns one brand with its hosts, models and limits.',
      parameters: [brand],
      responses: { 200: shownBrand },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeBrand',
      summary: 'Change a brand',
      description:
        'Changes settings of the brand, such as its name, hosts, result links, appearance or limits. Omitted fields do not ' +
        'change.',
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
      description: 'Lists all models, including hidden ones, with their visibility, title and price in this brand.',
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
      description: 'Returns the visibility, title and price of the model in this brand.',
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
      description: 'Makes this brand the default, which serves all hosts that do not belong to a brand. The request has no body.',
      parameters: [brand],
      responses: { 200: shownBrand },
      errors: ['BadAdminBody', 'ResourceNotFound', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
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
  '/admin/v1/keys/{id}': {
    get: operation({
      ...common,
      id: 'getKey',
      summary: 'Show a key',
      description: 'Returns one key, without its secret.',
      parameters: [idOf('key')],
      responses: { 200: jsonResponse({ description: 'The key.', schema: reference('schemas', 'ApiKey'), examples: {} }) },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeKey',
      summary: 'Change a key',
      description: 'Changes the name, scopes, models, limits or expiry of the key. Omitted fields do not change.',
      parameters: [idOf('key')],
      body: body('KeyChange', { requests_per_second_max: 20 }),
      responses: { 200: jsonResponse({ description: 'The key.', schema: reference('schemas', 'ApiKey'), examples: {} }) },
      errors: [...changeErrors],
    }),
    delete: operation({
      ...common,
      id: 'revokeKey',
      summary: 'Revoke a key',
      description: 'Permanently invalidates the key, immediately in this process, and within a second in other processes.',
      parameters: [idOf('key')],
      responses: {
        200: jsonResponse({ description: 'The revoked key.', schema: reference('schemas', 'ApiKey'), examples: {} }),
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
        'Creates a new secret for the key. Only this response contains the secret. Earlier secrets remain valid for ' +
        '`overlap_seconds`.',
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
      description: "Lists all changes that were made through the operator's API, newest first, in pages.",
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
        'Lists the latest log lines of the process that sends the response, newest first. The process keeps about 2 MB of ' +
        'them. To follow the log, repeat the request with `after`.',
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
        'Recomputes every balance from the entries, every hold from the tasks, and the unspent amount of every grant with an ' +
        'expiry. The check takes about five seconds per million entries. It does not block other requests.',
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
