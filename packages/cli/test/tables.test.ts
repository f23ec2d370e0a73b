import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'
import { hasTerminal, runOnTerminal } from './terminal.ts'

// These tests show lists of a service with long names, on terminals of several widths.

let service: StartedService
let account: string
beforeAll(async () => {
  service = await startService()
  const create = async (path: string, body: object) =>
    (await service.client.request<{ id: string }>({ method: 'POST', path: `/admin/v1/${path}`, body })).id
  const brand = await create('brands', {
    name: 'Northern Lights Video Productions',
    hosts: ['video.northern-lights.example.com'],
  })
  account = await create('accounts', { name: 'Studio North of the Harbour, second floor', brand })
  await create(`accounts/${account}/keys`, { name: 'the website and everything that is beside it' })
  await create('prices', { model: 'vidDq3-turbo', account, price: { unit: 'second', credits: { '540p': 0.03, '*': 0.05 } } })
  const task = await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'a boat', simulate: { outcome: 'content_policy' } })
  await service.run(['tasks', 'wait', task.id])
  service.damage("update task_attempts set unresolved = 'lost_reply', cost = 0.4, cost_unit = 'USD'")
}, 60_000)
afterAll(async () => service.close())

async function linesOn(columns: number, args: string[]): Promise<string[]> {
  const env = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey }
  const { stdout, exitCode } = await runOnTerminal(args, { cwd: service.cwd, env, columns })
  expect(exitCode, stdout).toBe(0)
  return stdout.trimEnd().split(/\r?\n/)
}

const listWords = (lines: string[]) => new Set(lines.join(' ').trim().split(/\s+/))

const lists = () => [
  ['accounts', 'list'],
  ['brands', 'list'],
  ['keys', 'list', '--account', account],
  ['prices', 'list'],
  ['models', 'list'],
  ['models', 'list', '--brand', 'brand_default'],
  ['models', 'show', 'vidDq3-turbo'],
  ['tasks', 'list'],
  ['credits', 'entries'],
  ['routes', 'list'],
  ['upstreams', 'list'],
  ['attempts', 'unresolved'],
  ['routes', 'test'],
  ['usage', '--by', 'day,model,key'],
]

describe.skipIf(!hasTerminal)('lists on a terminal', () => {
  it.each([80, 100])('no line of a list is wider than a terminal of %i columns', { timeout: 120_000 }, async (columns) => {
    for (const args of lists()) {
      const wide = (await linesOn(columns, args)).filter((line) => line.length > columns)
      expect([args.join(' '), wide]).toEqual([args.join(' '), []])
    }
  })

  it('a list on a narrow terminal omits the least important columns and names them', async () => {
    const lines = await linesOn(80, ['accounts', 'list'])
    expect(lines[0]).toMatch(/^ID +STATUS +BALANCE +HELD +NAME$/)
    expect(lines).toContainEqual(expect.stringMatching(new RegExp(`^${account} +active +0 +0 +Studio North.*…$`)))
    expect(lines.at(-1)).toMatch(/^Hidden columns: BRAND, BRAND NAME\. A wider terminal or --json shows them\.$/)
  })

  it('a list on a terminal of unknown width uses 80 columns', async () => {
    expect(await linesOn(0, ['accounts', 'list'])).toEqual(await linesOn(80, ['accounts', 'list']))
  })

  it('a list on a wide terminal shows every column', async () => {
    const [head] = await linesOn(250, ['accounts', 'list'])
    expect(head).toMatch(/^ID +STATUS +BALANCE +HELD +BRAND +BRAND NAME +NAME$/)
  })

  it('framegate models show wraps texts between words on a terminal, and omits no column but TYPE', async () => {
    const narrowWords = listWords(await linesOn(80, ['models', 'show', 'vidDq3-turbo']))
    const allWords = listWords((await service.run(['models', 'show', 'vidDq3-turbo'])).stdout.split('\n'))
    const omittedWords = [...allWords].filter((word) => !narrowWords.has(word))
    expect(
      omittedWords.filter((word) => !['TYPE', 'string', 'integer', 'boolean', 'list', 'of', 'strings'].includes(word)),
    ).toEqual([])
  })
})

describe('lists in a pipe', () => {
  it('a list in a pipe is complete, even if COLUMNS is small', async () => {
    const { stdout } = await service.run(['accounts', 'list'], { COLUMNS: '40' })
    expect(stdout).toMatch(
      new RegExp(
        `^${account} +active +0 +0 +brand_\\w+ +Northern Lights Video Productions +Studio North of the Harbour, second floor$`,
        'm',
      ),
    )
  })
})

describe('names next to IDs', () => {
  it.each<[string, () => string[], RegExp]>([
    ['the brand of an account', () => ['accounts', 'get', account], /^brand +brand_\w+ \(Northern Lights Video Productions\)$/m],
    ['the owner of a price', () => ['prices', 'list'], / +acct_\w+ \(Studio North of the Harbour, second floor\) +per second/],
    ['the account of an attempt', () => ['attempts', 'unresolved'], /^ID .*ACCOUNT NAME +MODEL ID\ntask_.* Default +imgA-5\.0$/m],
  ])('the name stands beside the ID of %s', async (_what, args, view) => {
    expect((await service.run(args())).stdout).toMatch(view)
  })

  it('framegate keys create and framegate keys get show the name of the account next to its ID', async () => {
    const keyRun = await service.run(['keys', 'create', '--account', account])
    expect(keyRun.stderr).toMatch(new RegExp(`^key_\\w+ of ${account} \\(Studio North of the Harbour, second floor\\)\\. `))
    const id = /^key_\w+/.exec(keyRun.stderr)?.[0] ?? ''
    const name = /^account +acct_\w+ \(Studio North of the Harbour, second floor\)$/m
    expect((await service.run(['keys', 'get', id])).stdout).toMatch(name)
  })
})
