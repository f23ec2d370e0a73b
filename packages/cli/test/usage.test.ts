import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
beforeAll(async () => {
  service = await startService()
  const { id } = await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'x', simulate: { seconds: 0 } })
  await service.client.tasks.wait(id)
  const { id: cancelled } = await service.client.tasks.create({
    model: 'vidDq3-turbo',
    prompt: 'x',
    simulate: { outcome: 'stuck' },
  })
  await service.client.tasks.cancel(cancelled)
})
afterAll(async () => service.close())

it('framegate usage --all shows usage, revenue, cost and margin, with names next to IDs', async () => {
  const { exitCode, stdout } = await service.run(['usage', '--all', '--by', 'account,model'])
  expect(exitCode).toBe(0)
  const [headings, image, video, total] = stdout.split('\n')
  expect(headings).toMatch(/^ACCOUNT +MODEL +TASKS +FAILED +CREDITS +COST +MARGIN +CORRECTIONS$/)
  expect(image).toMatch(/^\S.* \(acct_default\) +imgA-5\.0 +1 +0 +0\.04 +0 +0\.04 +0$/)
  expect(video).toMatch(/^\S.* \(acct_default\) +vidDq3-turbo +1 +1 +0 +0 +0 +0$/)
  expect(total).toMatch(/^TOTAL +2 +1 +0\.04 +0 +0\.04 +0$/)
})

it('framegate usage --all reports that costs are unknown', async () => {
  service.damage(`
    insert into route_snapshots (no, digest, definition, created_at, name, upstream) values (7, 'x', '{}', 0, 'fast', 'north');
    insert into usage_totals (day, brand_no, model, route_no, completed, failed, charged, produced_ms, cost, cost_unknown)
    select day, brand_no, model, 7, 0, 0, 0, 0, 10000, 2 from usage_totals limit 1`)
  try {
    const { stdout } = await service.run(['usage', '--all', '--by', 'upstream', '--from', '2026-01-01', '--to', '2026-12-31'])
    expect(stdout).toMatch(/^embedded .*\nnorth +0 +0 +0 +at least 0\.01 +at most -0\.01 +0$/m)
    expect(stdout).toMatch(/\n\nThe cost of 2 jobs at upstreams is unknown\. /)
  } finally {
    service.damage('delete from usage_totals where route_no = 7')
  }
})

it('framegate usage --all --json prints the usage report', async () => {
  const { stdout } = await service.run(['usage', '--all', '--by', 'route', '--json'])
  expect(JSON.parse(stdout)).toMatchObject({ object: 'usage_report', total: { tasks: 2, amount: 0.04, margin: 0.04 } })
})

it('framegate usage accepts --to and --until for the last day', async () => {
  for (const option of ['--to', '--until']) {
    const { stdout } = await service.run(['usage', '--from', '2026-01-01', option, '2026-01-31', '--json'])
    expect(JSON.parse(stdout)).toMatchObject({ object: 'usage', from: '2026-01-01', until: '2026-01-31' })
  }
})

it('framegate usage rejects filters for all accounts without --all', async () => {
  const { exitCode, stderr } = await service.run(['usage', '--brand', 'brand_default'])
  expect([exitCode, stderr]).toEqual([2, '--brand, --account and --model need --all.\n'])
})
