import { keyChangeBody, keyCreateBody, keyRotateBody } from '../admin-key-requests.ts'
import { body, bodyParameters, changeErrors, common, idOf } from './admin-body.ts'
import { reference, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'

export const keyBodies: Record<string, Schema> = {
  KeyCreate: bodyParameters(keyCreateBody),
  KeyChange: bodyParameters(keyChangeBody),
  KeyRotate: bodyParameters(keyRotateBody),
}

const key = idOf('key')

export const keyOperations: Paths = {
  '/admin/v1/keys/{id}': {
    get: operation({
      ...common,
      id: 'getKey',
      summary: 'Show a key',
      description: 'Returns one key, without its secret.',
      parameters: [key],
      responses: { 200: jsonResponse({ description: 'The key.', schema: reference('schemas', 'ApiKey'), examples: {} }) },
      errors: ['ResourceNotFound'],
    }),
    patch: operation({
      ...common,
      id: 'changeKey',
      summary: 'Change a key',
      description: 'Changes the name, scopes, models, limits or expiry of the key. Omitted fields do not change.',
      parameters: [key],
      body: body('KeyChange', { requests_per_second_max: 20 }),
      responses: { 200: jsonResponse({ description: 'The key.', schema: reference('schemas', 'ApiKey'), examples: {} }) },
      errors: [...changeErrors],
    }),
    delete: operation({
      ...common,
      id: 'revokeKey',
      summary: 'Revoke a key',
      description: 'Permanently invalidates the key, immediately in this process, and within a second in other processes.',
      parameters: [key],
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
      parameters: [key],
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
}
