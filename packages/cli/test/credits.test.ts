import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
beforeAll(async () => {
  service = await startService()
})
afterAll(async () => service.close())

it('framegate credits verify reports the accounts, entries and differences of the ledger', async () => {
  const { id } = await service.client.tasks.create({ model: 'vidDq3-turbo', prompt: 'x', simulate: { outcome: 'stuck' } })
  const outcome = await service.run(['credits', 'verify'])
  expect(outcome).toMatchObject({ exitCode: 0, stdout: '1 account, 2 entries, 0 differences\n', stderr: '' })
  const { stdout } = await service.run(['credits', 'verify', '--json'])
  expect(JSON.parse(stdout)).toEqual({ accounts: 1, entries: 2, holds: 1, differences: 0, found: [] })
  await service.client.tasks.cancel(id)
})

it('framegate credits verify rejects an unknown key', async () => {
  const { exitCode, stderr } = await service.run(['credits', 'verify'], { FRAMEGATE_API_KEY: 'fg_live_wrong' })
  expect([exitCode, stderr]).toEqual([1, expect.stringContaining('invalid_api_key')])
})

it('framegate credits entries lists the changes of the balance', async () => {
  const { id } = await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'x', simulate: { outcome: 'stuck' } })
  await service.client.tasks.cancel(id)
  const { exitCode, stdout } = await service.run(['credits', 'entries', '--limit', '2'])
  expect(exitCode).toBe(0)
  const [headings, release, hold] = stdout.split('\n')
  expect(headings).toMatch(/^CREATED +KIND +AMOUNT +HELD +BALANCE +TASK, REQUEST OR NOTE$/)
  expect(release).toMatch(new RegExp(String.raw`^\S+Z +release +\+0\.04 +-0\.04 +1000000 +${id}$`))
  expect(hold).toMatch(new RegExp(String.raw`^\S+Z +hold +-0\.04 +\+0\.04 +999999\.96 +${id}$`))

  const json = async (...options: string[]) =>
    JSON.parse((await service.run(['credits', 'entries', '--json', ...options])).stdout).items
  const all = await json('--limit', '1000')
  expect(all.at(-1)).toMatchObject({ object: 'credit_entry', kind: 'grant', amount: 1_000_000, note: 'first start' })
  expect(await json('--account', 'acct_default', '--limit', '1000')).toEqual(all)
  expect(await json('--task', id)).toEqual(all.slice(0, 2))
  expect(await json('--kind', 'grant', '--since', '2020-01-01')).toEqual(all.slice(-1))
  expect(await service.run(['credits', 'entries', '--until', '2020-01-01'])).toMatchObject({
    exitCode: 0,
    stdout: '',
    stderr: 'No entries match the filters. Without filters, framegate credits entries shows the newest entries.\n',
  })
  expect((await service.run(['credits', 'entries', '--account', 'acct_0'])).stderr).toContain('resource_not_found')
})

it('framegate credits balance shows the balance of the account of the key, without the scope admin', async () => {
  const { stdout } = await service.run(['accounts', 'create', 'Studio North', '--json'])
  const { id } = JSON.parse(stdout) as { id: string }
  const { stdout: key } = await service.run(['keys', 'create', '--account', id, '--scopes', 'tasks:read'])
  await service.run(['credits', 'grant', '--account', id, '2.5'])
  const clientEnv = { FRAMEGATE_API_KEY: key.trim() }
  expect(await service.run(['credits', 'balance'], clientEnv)).toMatchObject({
    exitCode: 0,
    stdout: '2.5 credits, and 0 held\n',
    stderr: '',
  })
  expect((await service.run(['credits', 'balance', '--account', id], clientEnv)).exitCode).toBe(1)
})

it('framegate credits entries shows the model and the tokens of a chat', async () => {
  const request = {
    id: 'req_1',
    model: 'text-chat',
    input_tokens: 12,
    cached_input_tokens: 0,
    output_tokens: 34,
    estimated: false,
  }
  const entry = { kind: 'settle', amount: 0, held: -0.5, balance_after: 9, task: null, request, note: null, created: 0 }
  const server = createServer((_, response) =>
    response
      .setHeader('Content-Type', 'application/json')
      .end(JSON.stringify({ object: 'list', items: [entry], has_more: false, next_cursor: null })),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const { stdout } = await service.run(['credits', 'entries'], { FRAMEGATE_URL: url })
  expect(stdout).toMatch(/ text-chat, 12 input and 34 output tokens, req_1$/m)
  server.closeAllConnections()
  server.close()
})
