import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { auditEntry } from '../../../admin/audit-log.ts'
import { acquireRequest } from '../../../auth/acquire-request.ts'
import { LocalBucket } from '../../../auth/request-bucket.ts'
import type { ExtraStatements } from '../../../db/statement.ts'
import { AppError } from '../../../lib/app-error.ts'
import { jsonContentType } from '../../responses/send-error.ts'
import { authorize, principalOf, type RequireAccepted } from '../../authorize.ts'
import { sendCsv } from '../../responses/csv-responses.ts'
import { belongsToFirstBrand } from '../../is-operator.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'

/**
 * Rate limit of each operator key in each process, in addition to the key's own limit. It is high
 * enough for scripts, but prevents a faulty script from starving the service's clients.
 */
const requestsPerSecondMax = 50

export interface AdminRequest {
  request: FastifyRequest
  reply: FastifyReply
  params: Readonly<Record<string, string>>
  /** Number of the API key of the request. */
  keyNo: number
  /**
   * Returns a function that creates the audit entry of a change, for the transaction of the change.
   * The argument of the returned function is the id of the changed object.
   */
  audit: (action: string, before: unknown, after: unknown) => ExtraStatements
}

export type AddAdminRoute = (
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
  path: string,
  /** Returns a value that is sent as JSON, or a `CsvResponse`. */
  handler: (request: AdminRequest) => Promise<unknown>,
  /** Checks the Accept header. Default: the client must accept JSON. */
  requireAccepted?: RequireAccepted,
) => void

/** A response body that is sent as CSV. */
export class CsvResponse {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

function keyOfOtherBrand(): AppError {
  return new AppError('key_scope_missing', "The operator's API accepts only keys of the installation's first brand.")
}

/**
 * Returns a function that adds routes below `/admin/v1`. The routes admit keys of the first brand
 * with the scope `admin`, and have their own rate limit.
 */
export function createAddAdminRoute(
  app: FastifyInstance,
  dependencies: Pick<HttpDependencies, 'brands' | 'clock' | 'config' | 'keys' | 'store' | 'threads'>,
): AddAdminRoute {
  const { config, keys, brands, store, clock, threads } = dependencies
  const buckets = new Map<number, LocalBucket>()

  function limitRequests(keyNo: number): void {
    const bucket = buckets.get(keyNo) ?? new LocalBucket()
    buckets.set(keyNo, bucket)
    if (acquireRequest(bucket, clock(), requestsPerSecondMax).isAllowed) return
    throw new AppError(
      'rate_limited',
      `An operator key may send at most ${requestsPerSecondMax} requests per second; send fewer.`,
      {
        headers: { 'retry-after': '1' },
      },
    )
  }

  return (method, path, handler, requireAccepted) => {
    app.route<{ Params: Record<string, string> }>({
      method: method === 'GET' ? ['GET', 'HEAD'] : method,
      url: `${config.basePath}/admin/v1${path}`,
      onRequest: authorize(keys, 'admin', requireAccepted),
      async handler(request, reply) {
        const principal = principalOf(request)
        const { keyNo } = principal
        if (!belongsToFirstBrand(principal, brands)) throw keyOfOtherBrand()
        limitRequests(keyNo)
        // Applies the changes of other processes, which may have served the operator's previous
        // request.
        await store.applyConfigChanges()
        const response = await handler({
          request,
          reply,
          params: request.params,
          keyNo,
          audit: (action, before, after) => (target) => [
            auditEntry(store.database, { keyNo, action, target, before, after }, clock()),
          ],
        })
        if (method !== 'GET') await threads.applyConfigChanges()
        if (response instanceof CsvResponse) return sendCsv(reply, response.text)
        return reply.header('content-type', jsonContentType).send(JSON.stringify(response))
      },
    })
  }
}
