import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'

/** A fresh service, queried by its operator and by an account without any tasks. */
let service: StartedService
let account: string
let environment: Record<string, string>
beforeAll(async () => {
  service = await startService()
  const createdAccount = await service.run(['accounts', 'create', 'Studio North', '--json'])
  account = (JSON.parse(createdAccount.stdout) as { id: string }).id
  const { stdout: key } = await service.run(['keys', 'create', '--account', account])
  environment = { FRAMEGATE_API_KEY: key.trim() }
}, 60_000)
afterAll(async () => service.close())

async function explanationOf(args: string[], env: Record<string, string> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await service.run(args, env)
  expect([args.join(' '), exitCode, stdout]).toEqual([args.join(' '), 0, ''])
  return stderr
}

describe('an explanation of an empty list on stderr', () => {
  it.each([
    ['tasks list', 'The account has no tasks yet. Submit one with framegate generate'],
    ['tasks list --status failed', 'No tasks match the filters. Without filters, framegate tasks list shows the newest tasks.'],
    ['assets list', 'Upload a file with framegate assets upload FILE.'],
    ['credits entries', 'An operator grants credits with framegate credits grant.'],
    ['credits entries --kind grant', 'Without filters, framegate credits entries shows the newest entries.'],
    ['usage', 'No task of the account has ended in this period ('],
    ['profiles list', 'Add one with framegate profiles add.'],
  ])('framegate %s explains an empty list of an account on stderr', async (line, expected) => {
    expect(await explanationOf(line.split(' '), environment)).toContain(expected)
  })

  it.each([
    ['prices list', 'Set a price with framegate prices set'],
    ['attempts unresolved', 'No attempt needs a review.'],
    ['attempts unresolved --reason late', 'No attempt with the reason late needs a review.'],
    ['tasks held', 'No task is on hold. Only tasks of an installation that was restored from a backup can be on hold.'],
    ['tasks release --all', 'No task is on hold'],
    ['routes test', 'No route is set, so there is no provider to test. framegate doctor tests the embedded driver.'],
    ['routes test text-translate', 'No route is set for text-translate, so there is no provider to test.'],
  ])('framegate %s explains an empty list of an operator on stderr', async (line, expected) => {
    expect(await explanationOf(line.split(' '))).toContain(expected)
  })

  it('framegate routes test of a model that the embedded driver serves says that no route is set', async () => {
    const output = await explanationOf(['routes', 'test', 'vidDq3-turbo'])
    expect(output).toContain('No route is set for vidDq3-turbo, so there is no provider to test.')
    expect(output).toContain('framegate routes explain "vidDq3-turbo" shows whether that driver serves a task.')
    const routesExplanation = await service.run(['routes', 'explain', 'vidDq3-turbo'])
    expect(routesExplanation).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining('The next task takes the route embedded.'),
    })
  })

  it('framegate keys list of an account without keys names the command that creates one', async () => {
    const { stdout } = await service.run(['accounts', 'create', 'Studio South', '--json'])
    const { id } = JSON.parse(stdout) as { id: string }
    expect(await explanationOf(['keys', 'list', '--account', id])).toBe(
      `The account has no keys. Create one with framegate keys create --account ${id}.\n`,
    )
  })
})

it('an explanation of an empty list with --cursor says nothing about items before the cursor', async () => {
  for (let i = 0; i < 2; i++) await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'a red fox' })
  const { stdout } = await service.run(['tasks', 'list', '--limit', '1', '--json'])
  const { next_cursor: cursor } = JSON.parse(stdout) as { next_cursor: string }
  expect(await explanationOf(['tasks', 'list', '--cursor', cursor], environment)).toBe(
    'The list has no items after this cursor. Without --cursor, the command shows the newest ones.\n',
  )
})

it('an empty list with --json is JSON on stdout, and stderr stays empty', async () => {
  for (const args of [
    ['prices', 'list'],
    ['attempts', 'unresolved'],
    ['tasks', 'held'],
    ['routes', 'test'],
  ]) {
    const { exitCode, stdout, stderr } = await service.run([...args, '--json'])
    expect([exitCode, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toEqual(expect.anything())
  }
})
