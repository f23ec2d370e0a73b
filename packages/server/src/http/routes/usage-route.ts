import { formatParameter, usageDimensions, usageParameters, type UsageReport } from '@framegate/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readUsage, usageCsv, type UsageDimension, type UsageRow } from '../../credits/read-usage.ts'
import { dateOf } from '../../lib/dates.ts'
import { creditsOf, microCreditsOf } from '../../credits/micro-credits.ts'
import { jsonContentType } from '../responses/send-error.ts'
import { authorize, principalOf } from '../authorize.ts'
import { requestsCsv, requireCsvAccepted, requireJsonOrCsvAccepted, sendCsv } from '../responses/csv-responses.ts'
import { invalidParameter, readQueryParameters, type QueryOf } from '../parameters/query-parameters.ts'
import { readDays } from '../parameters/read-days.ts'
import type { HttpDependencies } from '../http-dependencies.ts'

const rowsMax = 10_000

export function addUsageRoute(
  app: FastifyInstance,
  { config, keys, store, clock }: Pick<HttpDependencies, 'config' | 'keys' | 'store' | 'clock'>,
): void {
  const url = `${config.basePath}/v2/usage`

  app.route({
    method: ['GET', 'HEAD'],
    url,
    onRequest: authorize(keys, 'tasks:read', requireJsonOrCsvAccepted),
    async handler(request, reply) {
      const { rows, by, ...days } = await readReport(
        request,
        readQueryParameters(request.query, { ...usageParameters, ...formatParameter }),
      )
      if (requestsCsv(request)) return sendCsv(reply, usageCsv(rows, by))
      const report: UsageReport = { object: 'usage', ...days, rows, total: totalOf(rows) }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(report))
    },
  })

  app.route({
    method: ['GET', 'HEAD'],
    url: `${url}.csv`,
    onRequest: authorize(keys, 'tasks:read', requireCsvAccepted),
    async handler(request, reply) {
      const { rows, by } = await readReport(request, readQueryParameters(request.query, usageParameters))
      return sendCsv(reply, usageCsv(rows, by))
    },
  })

  async function readReport(request: FastifyRequest, query: QueryOf<typeof usageParameters>) {
    const { fromDay, lastDay } = readDays({ from: query.from, until: query.until }, 'until', clock())
    const dimensions = readDimensions(query.by ?? 'day')
    const { accountNo } = principalOf(request)
    const rows = await readUsage(store.query, { accountNo, fromDay, lastDay, by: dimensions, limit: rowsMax + 1 })
    if (rows.length > rowsMax) throw invalidParameter('from', `The report has more than ${rowsMax} rows; request fewer days.`)
    return { from: dateOf(fromDay), until: dateOf(lastDay), rows, by: dimensions }
  }
}

function readDimensions(text: string): UsageDimension[] {
  const names = text.split(',')
  return usageDimensions.filter((dimension) => names.includes(dimension))
}

function totalOf(rows: readonly UsageRow[]): UsageReport['total'] {
  const sum = (valueOf: (row: UsageRow) => number): number => rows.reduce((total, row) => total + valueOf(row), 0)
  return {
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    // Sums micro-credits, because sums of decimal fractions are not exact.
    charged: creditsOf(sum(({ charged }) => microCreditsOf(charged))),
    seconds: Math.round(sum(({ seconds }) => seconds) * 1000) / 1000,
    input_tokens: sum((row) => row.input_tokens),
    cached_input_tokens: sum((row) => row.cached_input_tokens),
    output_tokens: sum((row) => row.output_tokens),
  }
}
