import { entryParameters, type CreditEntry } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { entriesCsv } from '../credits/entry-view.ts'
import { listEntries, type EntryPageQuery } from '../credits/list-entries.ts'
import { jsonContentType } from './answer-error.ts'
import { authorize, principalOf } from './authorize.ts'
import { listOf } from './list-text.ts'
import { invalidParameter, readQueryParameters } from './query-parameters.ts'
import { readEntryFilters } from './read-entry-filters.ts'
import type { HttpContext } from './services.ts'

const csvRowsMax = 10_000

export function addEntriesRoute(app: FastifyInstance, { config, keys, store, clock }: HttpContext): void {
  app.route<{ Querystring: Record<string, unknown> }>({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/v2/credits/entries`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const { format, ...given } = readQueryParameters(request.query, entryParameters)
      const { accountNo } = principalOf(request)
      const query = { accountNo, accountId: await idOf(accountNo), ...readEntryFilters(given) }
      if (format === 'csv') {
        requireNoPage(request.query)
        return reply.header('content-type', 'text/csv; charset=utf-8').send(entriesCsv(await everyEntry(query)))
      }
      const { entries, nextCursor } = await listEntries(store, query, clock())
      return reply.header('content-type', jsonContentType).send(JSON.stringify(listOf(entries, nextCursor)))
    },
  })

  async function idOf(accountNo: number): Promise<string> {
    return (await store.query.selectFrom('accounts').select('id').where('no', '=', accountNo).executeTakeFirstOrThrow()).id
  }

  async function everyEntry(query: EntryPageQuery): Promise<CreditEntry[]> {
    const { entries, nextCursor } = await listEntries(store, { ...query, limit: csvRowsMax }, clock())
    if (nextCursor === null) return entries
    throw invalidParameter('created_after', `These are more than ${csvRowsMax} entries; ask for a shorter time.`)
  }
}

function requireNoPage(given: Readonly<Record<string, unknown>>): void {
  for (const name of ['limit', 'cursor']) {
    if (Object.hasOwn(given, name)) throw invalidParameter(name, `${name} is for pages; csv is all that the filters let through.`)
  }
}
