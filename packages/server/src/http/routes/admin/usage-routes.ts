import { formatParameter, usageOfAllDimensions, usageOfAllParameters, type UsageOfAll } from '@framegate/contract'
import {
  readUsageReport,
  totalOf,
  usageReportCsv,
  type UsageReportQuery,
  type UsageItem,
} from '../../../credits/read-usage-report.ts'
import { dateOf } from '../../../lib/dates.ts'
import { requestsCsv, requireCsvAccepted, requireJsonOrCsvAccepted } from '../../responses/csv-responses.ts'
import { invalidParameter, readQueryParameters, type QueryOf } from '../../parameters/query-parameters.ts'
import { readDays } from '../../parameters/read-days.ts'
import type { HttpDependencies } from '../../http-dependencies.ts'
import { CsvResponse, type AddAdminRoute } from './admin-route.ts'

const itemsMax = 50_000

export function addUsageRoutes(add: AddAdminRoute, { store, clock }: Pick<HttpDependencies, 'store' | 'clock'>): void {
  add(
    'GET',
    '/usage',
    async ({ request }) => {
      const report = await readReport(readQueryParameters(request.query, { ...usageOfAllParameters, ...formatParameter }))
      return requestsCsv(request) ? csvOf(report) : jsonOf(report)
    },
    requireJsonOrCsvAccepted,
  )

  add(
    'GET',
    '/usage.csv',
    async ({ request }) => csvOf(await readReport(readQueryParameters(request.query, usageOfAllParameters))),
    requireCsvAccepted,
  )

  async function readReport(parameters: QueryOf<typeof usageOfAllParameters>): Promise<Report> {
    const { fromDay, lastDay } = readDays({ from: parameters.from, to: parameters.to }, 'to', clock())
    const { brand, account, model, by = 'day' } = parameters
    const dimensions = by.split(',')
    const query = {
      fromDay,
      lastDay,
      by: usageOfAllDimensions.filter((name) => dimensions.includes(name)),
      brand,
      account,
      model,
      limit: itemsMax + 1,
    }
    const items = await readUsageReport(store, query)
    if (items.length > itemsMax) {
      const message = `The report has more than ${itemsMax} items; request fewer days, fewer dimensions in by, or one account.`
      throw invalidParameter('by', message)
    }
    return { query, items }
  }
}

interface Report {
  query: UsageReportQuery
  items: UsageItem[]
}

function csvOf({ query, items }: Report): CsvResponse {
  return new CsvResponse(usageReportCsv(items, query.by))
}

function jsonOf({ query, items }: Report): UsageOfAll {
  const { fromDay, lastDay } = query
  return { object: 'usage_report', from: dateOf(fromDay), to: dateOf(lastDay), items, total: totalOf(items) }
}
