import { entryFilterParameters, entryListParameters, usageParameters } from '../parameters.ts'
import { csvResponse } from './csv-response.ts'
import { reference, type Paths } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

const entriesResponse = jsonResponse({
  description: 'A page of entries.',
  schema: reference('schemas', 'CreditEntryList'),
  examples: { page: examples.creditEntries },
})

const usageResponse = jsonResponse({
  description: 'The usage.',
  schema: reference('schemas', 'Usage'),
  examples: { usage: examples.usage },
})

export const creditOperations: Paths = {
  '/v2/credits': {
    get: operation({
      id: 'getCredits',
      tag: 'Credits',
      summary: 'Show the balance',
      description:
        'Credits are held when a task or forwarded request is accepted. When a task completes, its result is charged, never ' +
        'more than the held amount. When it fails or is cancelled, the whole hold is released. A forwarded request is charged ' +
        'for its tokens, even if its response breaks off or the client disconnects. If it fails without a response, the whole ' +
        'hold is released.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      responses: {
        200: jsonResponse({
          description: 'The balance.',
          schema: reference('schemas', 'Credits'),
          examples: { credits: examples.credits },
        }),
      },
    }),
  },
  '/v2/credits/entries': {
    get: operation({
      id: 'listCreditEntries',
      tag: 'Credits',
      summary: 'List ledger entries',
      description:
        'Lists the ledger entries of the account, newest first, in pages. The sum of `amount` over all entries is the balance, ' +
        'and the sum of `held` is the amount of held credits. Entries that are written while you read do not change the ' +
        'following pages.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(entryListParameters),
      responses: { 200: entriesResponse },
      errors: ['BadQuery'],
    }),
  },
  '/v2/credits/entries.csv': {
    get: operation({
      id: 'exportCreditEntries',
      tag: 'Credits',
      summary: 'Export ledger entries',
      description:
        'Returns all entries that match the filters as CSV, newest first, without pages. If more than 10,000 entries match, ' +
        'the request is rejected with `invalid_parameter`.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(entryFilterParameters),
      responses: { 200: csvResponse('The entries.') },
      errors: ['BadQuery'],
    }),
  },
  '/v2/usage': {
    get: operation({
      id: 'getUsage',
      tag: 'Credits',
      summary: 'Show usage',
      description:
        'Returns the usage of the account by day, model or key. A task or forwarded request is counted once it has ended, on ' +
        'the day on which it was accepted. If the report would have more than 10,000 rows, the request is rejected with ' +
        '`invalid_parameter`.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(usageParameters),
      responses: { 200: usageResponse },
      errors: ['BadQuery'],
    }),
  },
  '/v2/usage.csv': {
    get: operation({
      id: 'exportUsage',
      tag: 'Credits',
      summary: 'Export usage',
      description: 'Returns the rows of the usage report as CSV, without the total.',
      source: 'an addition of Framegate.',
      key: 'tasks:read',
      parameters: queryParameters(usageParameters),
      responses: { 200: csvResponse('The usage.') },
      errors: ['BadQuery'],
    }),
  },
}
