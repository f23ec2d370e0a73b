import { attemptResolveBody } from '../admin-requests.ts'
import { attemptListParameters } from '../parameters.ts'
import { body, common, shownBody } from './admin-body.ts'
import { attemptExamples as examples } from './attempt-examples.ts'
import { reference, type Example, type Parameter, type Paths, type Schema } from './document-types.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const attempt: Parameter = {
  name: 'id',
  in: 'path',
  required: true,
  description: 'The id of the attempt: that of its task, `_` and its number.',
  schema: { type: 'string' },
  example: examples.lost.value.id,
}

const shown = (shownExamples: Record<string, Example>) =>
  jsonResponse({ description: 'The attempt.', schema: reference('schemas', 'Attempt'), examples: shownExamples })

export const attemptBodies: Record<string, Schema> = { AttemptResolve: shownBody(attemptResolveBody) }

export const attemptOperations: Paths = {
  '/admin/v1/attempts': {
    get: operation({
      ...common,
      id: 'listAttempts',
      summary: 'List attempts',
      description:
        'Of every account, newest first, a page at a time. With `unresolved=true` those that may have cost something for which nobody ' +
        'was charged, and that nobody has looked at yet.',
      parameters: queryParameters(attemptListParameters),
      answers: {
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
      description: 'With what the upstream said of it.',
      parameters: [attempt],
      answers: { 200: shown({ lost: examples.lost }) },
      errors: ['ResourceNotFound'],
    }),
  },
  '/admin/v1/attempts/{id}/resolve': {
    post: operation({
      ...common,
      id: 'resolveAttempt',
      summary: 'Resolve an attempt',
      description:
        'Takes it off the list of those that somebody has to look at. It changes no balance: give or take credits by an adjustment. The ' +
        'same again changes nothing; another resolution than before, or one of an attempt that needs none, is refused.',
      parameters: [attempt],
      body: body('AttemptResolve', examples.body.value),
      answers: { 200: shown({ resolved: examples.resolved }) },
      errors: ['BadAdminBody', 'ResourceNotFound', 'Conflict', 'BodyTooLarge', 'WrongType'],
    }),
  },
}
