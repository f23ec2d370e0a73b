import { reference, type Paths } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'

export const adminOperations: Paths = {
  '/admin/v1/credits/verify': {
    get: operation({
      id: 'verifyCredits',
      tag: 'Operation',
      summary: 'Go through the books',
      description:
        'Recomputes every balance from the entries, every hold from the tasks, and what is left of every grant that expires. Takes ' +
        'some five seconds for each million entries, and lets nobody wait meanwhile.',
      source: 'an addition of Framegate.',
      key: 'admin',
      answers: {
        200: jsonResponse({
          description: 'What was found.',
          schema: reference('schemas', 'CreditsCheck'),
          examples: { balanced: examples.creditsCheck },
        }),
      },
    }),
  },
}
