import { adminListParameters, logParameters } from '../parameters.ts'
import { common } from './admin-body.ts'
import { reference, type Paths } from './document-types.ts'
import { examples } from './examples.ts'
import { jsonResponse } from './json-response.ts'
import { operation } from './operation.ts'
import { queryParameters } from './parameters.ts'

/** The audit log, the log and the check of the ledger. */
export const auditOperations: Paths = {
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
