import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startService, type StartedService } from './started-service.ts'

// `--json` prints one line of JSON to stdout for a result, and one to stderr for each error.

let service: StartedService
beforeAll(async () => {
  service = await startService()
}, 60_000)
afterAll(async () => service.close())

const unreachable = { FRAMEGATE_URL: 'http://127.0.0.1:9/api' }

async function errorsOf(args: string[], env: Record<string, string> = {}) {
  const { exitCode, stdout, stderr } = await service.run([...args, '--json'], env)
  const errors = stderr
    .trimEnd()
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => (JSON.parse(line) as { error: Record<string, unknown> }).error)
  return { exitCode, stdout, errors }
}

describe('errors with --json', () => {
  it('a service error with --json is printed as JSON on stderr', async () => {
    expect(await errorsOf(['tasks', 'get', 'task_none'])).toEqual({
      exitCode: 2,
      stdout: '',
      errors: [
        {
          code: 'task_not_found',
          message: 'This account has no task with this id.',
          param: null,
          errors: [],
          status: 404,
          request_id: expect.stringMatching(/^req_/),
          exit_code: 2,
        },
      ],
    })
    const { errors } = await errorsOf(['quote', '--model', 'vendorVidC2', '--seconds', '5', 'two horses'])
    expect(errors[0]).toMatchObject({ code: 'invalid_parameter', param: 'seconds', errors: [{ pointer: '/seconds' }] })
  })

  it('a command-line error with --json has the code wrong_usage', async () => {
    for (const [args, expected] of [
      [['tasks', 'list', '--stauts', 'failed'], /^unknown option '--stauts'.*Did you mean --status/s],
      [['tasks', 'get'], /missing required argument/],
      [['profiles', 'use', 'none'], /^There is no profile "none"/],
    ] as const) {
      const { exitCode, stdout, errors } = await errorsOf([...args])
      expect([exitCode, stdout, errors]).toEqual([
        2,
        '',
        [
          expect.objectContaining({
            code: 'wrong_usage',
            message: expect.stringMatching(expected),
            status: null,
            request_id: null,
          }),
        ],
      ])
    }
  })

  it('a server that does not respond gives the code connection_failed with --json', async () => {
    const { exitCode, errors } = await errorsOf(['accounts', 'list'], unreachable)
    expect([exitCode, errors.at(-1)]).toEqual([
      1,
      expect.objectContaining({ code: 'connection_failed', status: null, exit_code: 1 }),
    ])
  })

  it('a command with several IDs and --json prints an error for each', async () => {
    const { exitCode, stdout, errors } = await errorsOf(['assets', 'delete', 'asset_one', 'asset_two'])
    expect([exitCode, stdout, errors.map(({ code }) => code)]).toEqual([2, '', ['asset_not_found', 'asset_not_found']])
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('asset_one'),
      expect.stringContaining('asset_two'),
    ])
  })

  it('framegate tasks release --json prints an error for each task that is not on hold', async () => {
    const { exitCode, stdout, errors } = await errorsOf(['tasks', 'release', 'task_one', 'task_two'])
    expect([exitCode, stdout, errors.map(({ code }) => code)]).toEqual([2, '', ['resource_not_found', 'resource_not_found']])
    expect(await errorsOf(['tasks', 'fail', '--all'])).toEqual({ exitCode: 0, stdout: '[]\n', errors: [] })
  })

  it('framegate tasks wait --json prints a failed task on stdout and its error on stderr', async () => {
    const { id } = await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'x', simulate: { outcome: 'content_policy' } })
    const { exitCode, stdout, errors } = await errorsOf(['tasks', 'wait', id])
    expect([exitCode, JSON.parse(stdout)]).toEqual([1, expect.objectContaining({ id, status: 'failed' })])
    expect(errors).toEqual([expect.objectContaining({ code: 'content_policy', message: expect.stringContaining(id) })])
  })
})

async function list(...options: string[]) {
  const { stdout } = await service.run(['tasks', 'list', '--json', ...options])
  return JSON.parse(stdout) as { items: { id: string }[]; has_more: boolean; next_cursor: string }
}

describe('lists with --json', () => {
  it.each(
    [
      ['tasks', 'list'],
      ['tasks', 'held'],
      ['assets', 'list'],
      ['models', 'list'],
      ['models', 'list', '--brand', 'brand_default'],
      ['accounts', 'list'],
      ['keys', 'list', '--account', 'acct_default'],
      ['brands', 'list'],
      ['prices', 'list'],
      ['upstreams', 'list'],
      ['routes', 'list'],
      ['attempts', 'unresolved'],
      ['credits', 'entries', '--limit', '1000'],
      ['profiles', 'list'],
    ].map((args) => ({ args, command: args.join(' ') })),
  )('framegate $command --json prints a list as the API returns it', async ({ args }) => {
    const { stdout } = await service.run([...args, '--json'])
    expect(JSON.parse(stdout)).toEqual({ object: 'list', items: expect.any(Array), has_more: false, next_cursor: null })
  })

  it('framegate tasks list --cursor continues after the previous list, even if a list needs several requests', async () => {
    const ids: string[] = []
    for (let count = 0; count < 105; count++) {
      ids.unshift((await service.client.tasks.create({ model: 'imgA-5.0', prompt: 'x', simulate: { seconds: 3600 } })).id)
    }
    const first = await list('--limit', '103')
    expect([first.items.map(({ id }) => id), first.has_more]).toEqual([ids.slice(0, 103), true])
    const second = await list('--limit', '2', '--cursor', first.next_cursor)
    expect(second.items.map(({ id }) => id)).toEqual(ids.slice(103))
    const third = await list('--cursor', second.next_cursor)
    expect([third.items.every(({ id }) => !ids.includes(id)), third.has_more]).toEqual([true, false])
  })
})
