import { entryFilterParameters, entryListParameters, formatParameter, type CreditEntry } from '@framegate/contract'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { entriesCsv } from '../../credits/entry-view.ts'
import { listEntries, type EntryPageQuery } from '../../credits/list-entries.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { requestsCsv, requireCsvAccepted, requireJsonOrCsvAccepted, sendCsv } from '../responses/csv-responses.ts'
import { listOf } from '../responses/list-text.ts'
import { invalidParameter, readQueryParameters, type QueryOf } from '../parameters/query-parameters.ts'
import { readEntryFilters } from '../parameters/read-entry-filters.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

const csvRowsMax = 10_000
const pageParameters = { ...entryListParameters, ...formatParameter }

export function addEntriesRoute(
  app: FastifyInstance,
  { config, keys, store, clock }: Pick<HttpDependencies, 'config' | 'keys' | 'store' | 'clock'>,
): void {
  const url = `${config.basePath}/v2/credits/entries`

  app.route<{ Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, 'tasks:read', requireJsonOrCsvAccepted),
    async handler(request, reply) {
      const { limit, cursor, format: _format, ...filters } = readQueryParameters(request.query, pageParameters)
      if (requestsCsv(request)) {
        requireNoPageParameters(request.query)
        return sendEntries(request, reply, filters)
      }
      const page = { limit, ...(cursor !== undefined && { cursor }) }
      const query = { ...(await accountOf(request)), ...readEntryFilters(filters), ...page }
      const { entries, nextCursor } = await listEntries(store, query, clock())
      return reply.header('content-type', jsonContentType).send(JSON.stringify(listOf(entries, nextCursor)))
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: `${url}.csv`,
    onRequest: authorize(keys, 'tasks:read', requireCsvAccepted),
    handler: (request, reply) => sendEntries(request, reply, readQueryParameters(request.query, entryFilterParameters)),
  })

  async function sendEntries(
    request: FastifyRequest,
    reply: FastifyReply,
    filters: QueryOf<typeof entryFilterParameters>,
  ): Promise<FastifyReply> {
    const query = { ...(await accountOf(request)), ...readEntryFilters(filters) }
    return sendCsv(reply, entriesCsv(await readAllEntries(query)))
  }

  async function accountOf(request: FastifyRequest): Promise<{ accountNo: number; accountId: string }> {
    const { accountNo } = principalOf(request)
    return { accountNo, accountId: await accountIdOf(accountNo) }
  }

  async function accountIdOf(accountNo: number): Promise<string> {
    return (await store.query.selectFrom('accounts').select('id').where('no', '=', accountNo).executeTakeFirstOrThrow()).id
  }

  async function readAllEntries(query: Omit<EntryPageQuery, 'limit'>): Promise<CreditEntry[]> {
    const { entries, nextCursor } = await listEntries(store, { ...query, limit: csvRowsMax }, clock())
    if (nextCursor === null) return entries
    throw invalidParameter('created_after', `The export has more than ${csvRowsMax} entries; request a shorter period.`)
  }
}

function requireNoPageParameters(query: Readonly<Record<string, unknown>>): void {
  for (const name of ['limit', 'cursor']) {
    if (Object.hasOwn(query, name)) throw invalidParameter(name, `${name} cannot be combined with CSV, which has no pages.`)
  }
}
