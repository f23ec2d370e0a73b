import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => service.close())

it('goes through the books', async () => {
  const { id } = await service.client.tasks.create({ model: 'vidDq3-turbo', prompt: 'x', simulate: { outcome: 'stuck' } })
  const said = await service.run(['credits', 'verify'])
  expect(said).toMatchObject({ exitCode: 0, stdout: '1 account, 2 entries, 0 differences\n', stderr: '' })
  const { stdout } = await service.run(['credits', 'verify', '--json'])
  expect(JSON.parse(stdout)).toEqual({ accounts: 1, entries: 2, holds: 1, differences: 0, found: [] })
  await service.client.tasks.cancel(id)
})

it("refuses a key that is not an operator's", async () => {
  const { exitCode, stderr } = await service.run(['credits', 'verify'], { FRAMEGATE_API_KEY: 'fg_live_wrong' })
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('invalid_api_key')])
})
