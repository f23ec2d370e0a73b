import { usageParameters, type UsageReport } from '@framegate/contract'
import type { FastifyInstance } from 'fastify'
import { dateOf, dayAt, dayOf, readUsage, usageCsv, type UsageDimension, type UsageRow } from '../credits/read-usage.ts'
import { jsonContentType } from './answer-error.ts'
import { authorize, principalOf } from './authorize.ts'
import { invalidParameter, readQueryParameters } from './query-parameters.ts'
import type { HttpContext } from './services.ts'

const dimensions: readonly UsageDimension[] = ['day', 'model', 'key']
const usualDays = 30
const daysMax = 366
const rowsMax = 10_000

export function addUsageRoute(app: FastifyInstance, { config, keys, store, clock }: HttpContext): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: `${config.basePath}/v2/usage`,
    onRequest: authorize(keys, 'tasks:read'),
    async handler(request, reply) {
      const given = readQueryParameters(request.query, usageParameters)
      const untilDay = readDay('until', given.until) ?? dayAt(clock())
      const fromDay = readDay('from', given.from) ?? untilDay - usualDays + 1
      if (fromDay > untilDay) throw invalidParameter('from', 'from must not be after until.')
      if (untilDay - fromDay >= daysMax) throw invalidParameter('from', `from must be at most ${daysMax} days before until.`)
      const by = readBy(given.by ?? 'day')
      const { accountNo } = principalOf(request)
      const rows = await readUsage(store.query, { accountNo, fromDay, untilDay, by, rowsMax })
      if (rows.length > rowsMax) throw invalidParameter('from', `These are more than ${rowsMax} rows; ask for fewer days.`)
      if (given.format === 'csv') return reply.header('content-type', 'text/csv; charset=utf-8').send(usageCsv(rows, by))
      const report: UsageReport = { object: 'usage', from: dateOf(fromDay), until: dateOf(untilDay), rows, total: totalOf(rows) }
      return reply.header('content-type', jsonContentType).send(JSON.stringify(report))
    },
  })
}

function readDay(name: 'from' | 'until', given: string | undefined): number | undefined {
  if (given === undefined) return undefined
  const day = dayOf(given)
  if (day === undefined) throw invalidParameter(name, `${name} must be a day such as 2026-01-15.`)
  return day
}

function readBy(given: string): UsageDimension[] {
  const asked = given.split(',')
  const by = dimensions.filter((dimension) => asked.includes(dimension))
  if (by.length === new Set(asked).size) return by
  throw invalidParameter('by', `by must be a list of ${dimensions.join(', ')}, such as day,model.`)
}

function totalOf(rows: readonly UsageRow[]): UsageReport['total'] {
  const sum = (of: (row: UsageRow) => number): number => rows.reduce((all, row) => all + of(row), 0)
  return {
    completed: sum(({ completed }) => completed),
    failed: sum(({ failed }) => failed),
    // Sums of decimal numbers end in dust.
    charged: Math.round(sum(({ charged }) => charged) * 1e6) / 1e6,
    seconds: Math.round(sum(({ seconds }) => seconds) * 1000) / 1000,
  }
}
