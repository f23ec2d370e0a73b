import { attemptResolveBody } from '../admin-attempt-requests.ts'
import { attemptListParameters } from '../parameters.ts'
import { body, common, bodyParameters } from './admin-body.ts'
import { attemptExamples as examples } from './attempt-examples.ts'
import { reference, type Example, type Parameter, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const attempt: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the attempt: the id of the task, followed by `_` and the number of the attempt.',
  schema: { type: 'string' },
  example: examples.lost.value.id,
}

const attemptResponse = (shownExamples: Record<string, Example>) =>
  jsonResponse({ description: 'The attempt.', schema: reference('schemas', 'Attempt'), examples: shownExamples })

export const attemptBodies: Record<string, Schema> = { AttemptResolve: bodyParameters(attemptResolveBody) }

export const attemptOperations: Paths = {
  '/admin/v1/attempts': {
    get: operation({
      ...common,
      id: 'listAttempts',
      summary: 'List attempts',
      description:
        'Lists the attempts of all accounts, newest first, in pages. `unresolved=true` selects the attempts that an operator ' +
        'must still resolve: the upstream may have charged for them, but no account has paid.',
      parameters: queryParameters(attemptListParameters),
      responses: {
        200: jsonResponse({
          description: 'A page of attempts.',
          schema: reference('schemas', 'AttemptList'),
          examples: { page: examples.list },
        }),
      },
      errors: ['BadQuery'],
    }),
  },
  '/admin/v1/attempts/{id}': {
    get: operation({
      ...common,
      id: 'getAttempt',
      summary: 'Show an attempt',
      description: 'Returns the attempt with the message of the upstream.',
      parameters: [attempt],
      responses: { 200: attemptResponse({ lost: examples.lost }) },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/attempts/{id}/resolve': {
    post: operation({
      ...common,
      id: 'resolveAttempt',
      summary: 'Resolve an attempt',
      description:
        'Records a resolution, which removes the attempt from the list of unresolved attempts. Balances do not change; to add ' +
        'or remove credits, use an adjustment. A repeated request changes nothing. A second, different resolution is rejected, ' +
        'and so is the resolution of an attempt that does not need one.',
      parameters: [attempt],
      body: body('AttemptResolve', examples.body.value),
      responses: { 200: attemptResponse({ resolved: examples.resolved }) },
      errors: ['BadAdminBody', 'ResourceNotFound', 'Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
    }),
  },
}
