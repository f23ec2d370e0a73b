import { mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from '@framegate/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { waitFor, startFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'
import { hasTerminal, runOnTerminal, finalScreen } from './terminal.ts'

const absentId = 'task_00000000000000000000000000000000'
const model = 'imgA-5.0'
const onePixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

let service: StartedService
let completedTask: Task
let failedTask: Task
let stuckTask: Task

beforeAll(async () => {
  service = await startService()
  const { tasks } = service.client
  completedTask = await tasks.createAndWait({ model, prompt: 'a paper boat', seed: 5 })
  failedTask = await tasks.create({ model, prompt: 'x', simulate: { outcome: 'content_policy' } })
  await tasks.wait(failedTask).catch(() => {})
  stuckTask = await tasks.create({ model, prompt: 'x', simulate: { outcome: 'stuck' } })
}, 60_000)
afterAll(async () => service.close())

const environment = () => ({ FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey })

describe('framegate tasks', () => {
  it('framegate tasks list shows tasks newest first, as a table or JSON, and filters them by status and time', async () => {
    const { exitCode, stdout, stderr } = await service.run(['tasks', 'list'])
    expect([exitCode, stderr]).toEqual([0, ''])
    const [headings, ...rows] = stdout.trimEnd().split('\n')
    expect(headings).toMatch(/^ID +STATUS +PROGRESS +CREDITS +CREATED +MODEL +PROMPT$/)
    expect(rows.map((row) => row.split(/\s+/)[0])).toEqual([stuckTask.id, failedTask.id, completedTask.id])
    expect(rows.at(-1)).toMatch(/ imgA-5\.0 +a paper boat$/)
    const json = await service.run(['tasks', 'list', '--status', 'completed', '--limit', '200', '--json'])
    expect((JSON.parse(json.stdout) as { items: Task[] }).items.map(({ id }) => id)).toEqual([completedTask.id])
    const future = await service.run(['tasks', 'list', '--since', '2999-01-01'])
    expect(future).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'No tasks match the filters. Without filters, framegate tasks list shows the newest tasks.\n',
    })
  })

  it('framegate tasks get shows a task as text or as the JSON of the response', async () => {
    const { stdout } = await service.run(['tasks', 'get', completedTask.id])
    expect(stdout).toMatch(/^status +completed$/m)
    expect(stdout).toMatch(/^seed +5$/m)
    expect(stdout).toMatch(/^result +http/m)
    expect(JSON.parse((await service.run(['tasks', 'get', completedTask.id, '--json'])).stdout)).toMatchObject({
      id: completedTask.id,
      seed: 5,
    })
    const several = await service.run(['tasks', 'get', completedTask.id, failedTask.id, '--json'])
    expect(JSON.parse(several.stdout)).toEqual([
      expect.objectContaining({ id: completedTask.id }),
      expect.objectContaining({ id: failedTask.id }),
    ])
  })

  it('framegate tasks timeline shows the events of a task', async () => {
    const { exitCode, stdout } = await service.run(['tasks', 'timeline', failedTask.id])
    expect(exitCode).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^AT +EVENT +DETAILS$/)
    expect(lines.slice(1).map((line) => line.split(/ {2,}/)[1])).toEqual([
      'accepted',
      'held',
      'attempt started',
      'attempt ended',
      'failed',
      'released',
    ])
    service.damage("update task_attempts set state = 'not_accepted' where state = 'failed'")
    const changed = await service.run(['tasks', 'timeline', failedTask.id])
    expect(changed.stdout).toMatch(/attempt ended +attempt 1 at embedded, not accepted by the upstream,/m)
    const json = await service.run(['tasks', 'timeline', completedTask.id, '--json'])
    expect(JSON.parse(json.stdout)).toMatchObject({ object: 'timeline', task: completedTask.id, events: { length: 6 } })
  })

  it('framegate usage shows the usage of the account', async () => {
    const { exitCode, stdout } = await service.run(['usage', '--by', 'model'])
    expect(exitCode).toBe(0)
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^MODEL +COMPLETED +FAILED +CREDITS +SECONDS$/)
    expect(lines.at(-1)).toMatch(/^TOTAL +1 +1 +0\.04 +0$/)
    expect(JSON.parse((await service.run(['usage', '--json'])).stdout).total).toMatchObject({ completed: 1, failed: 1 })
    expect(await service.run(['usage', '--by', 'week'])).toMatchObject({ exitCode: 2, stdout: '' })
  })

  it.skipIf(!hasTerminal)('framegate tasks list fits the prompts into the width of a terminal', async () => {
    const prompt = 'A lighthouse on a cliff in a storm at dusk, in oil, with a small boat below'
    const longTask = await service.client.tasks.create({ model, prompt, simulate: { outcome: 'stuck' } })
    const { stdout } = await runOnTerminal(['tasks', 'list'], { cwd: service.cwd, env: environment() })
    const lines = finalScreen(stdout)
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(100)
    expect(lines.find((line) => line.startsWith(longTask.id))).toMatch(/ A lighthouse on a .*…$/)
    expect(lines.find((line) => line.startsWith(completedTask.id))).toMatch(/ a paper boat$/)
    await service.client.tasks.cancel(longTask)
  })

  it('framegate tasks get shows the parameters of a task', async () => {
    const task = await service.client.tasks.create({
      model,
      prompt: 'a fox\nin the snow',
      reference_images: [`data:image/png;base64,${onePixel}`],
      simulate: { outcome: 'stuck' },
    })
    const { stdout } = await service.run(['tasks', 'get', task.id])
    expect(stdout).toMatch(/^prompt +a fox in the snow$/m)
    expect(stdout).toMatch(/^aspect_ratio +1:1$/m)
    expect(stdout).toMatch(/^watermark +false$/m)
    expect(stdout).toMatch(/^reference_images +image\/png, 70 bytes, SHA-256 [0-9a-f]{64}$/m)
    expect(stdout).toMatch(/^simulate +{"outcome":"stuck"}$/m)
    await service.client.tasks.cancel(task)
  })

  it('the framegate tasks commands exit with 2 for an unknown task', async () => {
    for (const verb of ['get', 'timeline', 'wait', 'cancel', 'download']) {
      const { exitCode, stdout, stderr } = await service.run(['tasks', verb, absentId])
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(stderr).toContain('Error (task_not_found)')
    }
  })

  it.concurrent('framegate tasks wait exits with 0 if all completed, 1 if one failed, 3 after the timeout', async () => {
    expect(await service.run(['tasks', 'wait', completedTask.id])).toEqual({
      exitCode: 0,
      stdout: `${completedTask.id} completed\n`,
      stderr: '',
    })
    const mixed = await service.run(['tasks', 'wait', completedTask.id, failedTask.id, stuckTask.id, '--timeout', '1', '--json'])
    expect(mixed.exitCode).toBe(1)
    expect((JSON.parse(mixed.stdout) as Task[]).map(({ status }) => status)).toEqual(['completed', 'failed', 'processing'])
    expect(mixed.stderr).toContain(`The task ${failedTask.id} failed: `)
    const slow = await service.run(['tasks', 'wait', stuckTask.id, '--timeout', '1'])
    expect([slow.exitCode, slow.stdout]).toEqual([3, `${stuckTask.id} processing\n`])
    expect(slow.stderr).toContain('Wait longer with --timeout')
  })

  it.concurrent('Ctrl-C ends framegate tasks wait and leaves the task running', async () => {
    const command = startFramegate(['tasks', 'wait', stuckTask.id], { cwd: service.cwd, env: environment() })
    await waitFor(command, () => command.stderr().includes('processing'))
    command.child.kill('SIGINT')
    expect(await command.ended).toMatchObject({ exitCode: 130, stdout: '' })
    expect((await service.client.tasks.get(stuckTask.id)).status).toBe('processing')
  })

  it.skipIf(!hasTerminal).concurrent('framegate tasks wait rewrites one line on a terminal', async () => {
    const args = ['tasks', 'wait', stuckTask.id, '--timeout', '1']
    const { exitCode, stdout } = await runOnTerminal(args, { cwd: service.cwd, env: environment() })
    expect(exitCode).toBe(3)
    expect(stdout).toContain('processing')
    expect(stdout).toContain('\x1b[J')
    expect(finalScreen(stdout)).toEqual([`${stuckTask.id} processing`, expect.stringContaining('continues')])
  })

  it.skipIf(!hasTerminal).concurrent(
    'framegate tasks wait updates the progress on a terminal at least every two seconds',
    async () => {
      const task = await service.client.tasks.create({ model, prompt: 'x', simulate: { seconds: 12 } })
      const { exitCode, stdout } = await runOnTerminal(['tasks', 'wait', task.id], { cwd: service.cwd, env: environment() })
      expect(exitCode).toBe(0)
      const percents = new Set([...stdout.matchAll(/(\d+) %/g)].map(([, percent]) => percent))
      expect(percents.size).toBeGreaterThanOrEqual(6)
      expect(finalScreen(stdout)).toEqual([`${task.id} completed`])
    },
  )

  it.concurrent('framegate tasks wait prints progress on stderr, and the outcome once on stdout', async () => {
    const task = await service.client.tasks.create({ model, prompt: 'x', simulate: { seconds: 2 } })
    const { stdout, stderr } = await service.run(['tasks', 'wait', task.id])
    expect(stdout).toBe(`${task.id} completed\n`)
    expect(stderr).toMatch(/ processing \d+ %$/m)
    expect(stderr).not.toContain('completed')
  })

  it('framegate tasks download saves results, and reports tasks without a result', async () => {
    const { exitCode, stdout } = await service.run(['tasks', 'download', completedTask.id, '-o', 'boat.jpg', '--json'])
    expect(exitCode).toBe(0)
    const { path } = JSON.parse(stdout) as { path: string }
    expect(path).toBe(join(service.cwd, 'boat.png'))
    expect(readFileSync(path).toString('latin1', 1, 4)).toBe('PNG')
    const mixed = await service.run(['tasks', 'download', failedTask.id, stuckTask.id, completedTask.id])
    expect([mixed.exitCode, mixed.stdout]).toEqual([1, `imga-5-0-${completedTask.id.slice(-8)}.png\n`])
    expect(mixed.stderr).toContain(`The task ${failedTask.id} failed: `)
    expect(mixed.stderr).toContain(`Wait for it with framegate tasks wait ${stuckTask.id}`)
    expect(statSync(join(service.cwd, mixed.stdout.trim())).size).toBeGreaterThan(1_000)
  })

  it('framegate tasks cancel continues after a task that had ended', async () => {
    const task = await service.client.tasks.create({ model, prompt: 'x', simulate: { outcome: 'stuck' } })
    const { exitCode, stdout, stderr } = await service.run(['tasks', 'cancel', completedTask.id, task.id])
    expect([exitCode, stdout]).toEqual([1, `${task.id} cancelled\n`])
    expect(stderr).toContain('Error (task_already_ended)')
    expect(await service.client.tasks.get(task.id)).toMatchObject({ status: 'failed', error_code: 'cancelled' })
  })

  it('framegate tasks delete continues after an unknown ID', async () => {
    const task = await service.client.tasks.create({ model, prompt: 'x', simulate: { outcome: 'stuck' } })
    const { exitCode, stdout, stderr } = await service.run(['tasks', 'delete', absentId, task.id])
    expect([exitCode, stdout]).toEqual([2, `${task.id} deleted\n`])
    expect(stderr).toContain('task_not_found')
    expect((await service.run(['tasks', 'get', task.id])).stderr).toContain('task_not_found')
    const secondRun = await service.run(['tasks', 'delete', task.id, '--json'])
    expect(JSON.parse(secondRun.stdout)).toEqual({ id: task.id, object: 'task', deleted: true })
  })

  it('framegate tasks delete with filters sends as many requests as needed', async () => {
    const { tasks } = service.client
    const request = { model: 'vidC2Stable', prompt: 'x', simulate: { outcome: 'stuck' } } as const
    await Promise.all(Array.from({ length: 101 }, () => tasks.create(request)))
    const { exitCode, stdout, stderr } = await service.run(['tasks', 'delete', '--model', request.model])
    expect([exitCode, stdout, stderr]).toEqual([0, '101 tasks deleted\n', '100 tasks deleted so far\n'])
    const noneRun = await service.run(['tasks', 'delete', '--model', request.model, '--json'])
    expect(JSON.parse(noneRun.stdout)).toEqual({ object: 'deleted_tasks', deleted: 0, has_more: false, next_cursor: null })
    for (const args of [[], [completedTask.id, '--all'], [completedTask.id, '--account', 'acct_1']]) {
      expect(await service.run(['tasks', 'delete', ...args])).toMatchObject({ exitCode: 2, stdout: '' })
    }
    expect((await tasks.get(completedTask.id)).status).toBe('completed')
  })

  it('a wrong command, option or value exits with 2 and suggests a valid one', async () => {
    const suggestions: [string[], string][] = [
      [['taks', 'list'], '(Did you mean tasks?)'],
      [['tasks', 'lst'], '(Did you mean list?)'],
      [['tasks', 'list', '--stauts', 'failed'], '(Did you mean --status?)'],
      [['tasks', 'list', '--status', 'done'], 'Allowed choices are queued, processing, completed, failed.'],
      [['tasks', 'list', '--since', 'yesterday'], 'It must be a time such as'],
      [['tasks', 'list', '--since', '1.12.2026'], 'It must be a time such as'],
      [['models', 'show', 'vidDq3-trubo'], 'vidDq3-turbo'],
    ]
    for (const [args, expected] of suggestions) {
      const { exitCode, stdout, stderr } = await service.run(args)
      expect([exitCode, stdout]).toEqual([2, ''])
      expect(stderr).toContain(expected)
    }
  })
})

it('framegate generate --count generates variations that differ in seed and image', async () => {
  mkdirSync(join(service.cwd, 'boats'))
  const { exitCode, stdout } = await service.run([
    'generate',
    'a paper boat',
    '--count',
    '2',
    '--model',
    model,
    '-o',
    'boats/',
    '--json',
  ])
  expect(exitCode).toBe(0)
  const [first, second] = JSON.parse(stdout) as { seed: number; path: string }[]
  expect(second?.seed).toBe((first?.seed ?? 0) + 1)
  expect(readdirSync(join(service.cwd, 'boats'))).toHaveLength(2)
  expect(readFileSync(first?.path ?? '').equals(readFileSync(second?.path ?? ''))).toBe(false)
})

describe('framegate models and quote', () => {
  it('framegate models list shows the models', async () => {
    const { exitCode, stdout } = await service.run(['models', 'list', '--object', 'image'])
    expect([exitCode, stdout.trimEnd().split('\n').length]).toEqual([0, 3])
    expect(stdout).toMatch(/^imgA_5\.0Pro +image +no +per image 0\.08 \(1K\), 0\.16 \(2K\) +ImgA 5\.0 Pro$/m)
    const json = (JSON.parse((await service.run(['models', 'list', '--json'])).stdout) as { items: unknown[] }).items
    expect(json.length).toBe(42)
  })

  it('framegate models show lists the parameters of a model: type, default, allowed values', async () => {
    const { exitCode, stdout } = await service.run(['models', 'show', 'vidDq3-turbo'])
    expect(exitCode).toBe(0)
    expect(stdout).toMatch(/^PARAMETER +TYPE +DEFAULT +ALLOWED +MEANING$/m)
    expect(stdout).toMatch(/^prompt +string +required +1 to 5000 characters +Description of the result\.$/m)
    expect(stdout).toMatch(/^aspect_ratio +string +"16:9" +.*9:16.* Ratio of width to height of the result\.$/m)
    expect(stdout).toMatch(/^seconds +integer +\d+ +\d+/m)
    expect(stdout).not.toMatch(/ undefined| null/)
    const json = JSON.parse((await service.run(['models', 'show', 'vidK O3 Video Generation', '--json'])).stdout)
    expect(json).toMatchObject({ id: 'vidK O3 Video Generation', parameters: { type: 'object' } })
  })

  it('framegate quote shows the price of a task without creating it', async () => {
    const { exitCode, stdout, stderr } = await service.run(['quote', 'a kite', '--model', model, '--resolution', '2K'])
    expect(exitCode).toBe(0)
    const quote = JSON.parse((await service.run(['quote', 'a kite', '--model', model, '--resolution', '2K', '--json'])).stdout)
    expect(quote).toMatchObject({ object: 'quote', amount: Number(stdout), available: true, reason: null })
    expect(stderr).toMatch(/^aspect_ratio +1:1$/m)
    const refused = await service.run(['quote', 'a kite', '--model', 'imgA_5.0Pro'])
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('brand_model_missing') })
    expect((await service.client.tasks.list()).items.filter(({ model }) => model === 'imgA_5.0Pro')).toEqual([])
  })
})

describe('framegate in a pipe', () => {
  it('framegate exits without a message if the reader of its output closes the pipe', async () => {
    const command = startFramegate(['models', 'list', '--json'], { cwd: service.cwd, env: environment() })
    command.child.stdout?.destroy()
    expect(await command.ended).toMatchObject({ exitCode: 0, stderr: '' })
  })

  it('framegate writes neither colors nor cursor codes into a pipe', async () => {
    const env = { FORCE_COLOR: '', TERM: 'xterm-256color' }
    for (const args of [['tasks', 'wait', completedTask.id], ['models', 'list'], ['--help'], ['generate', 'x', '-o', 'x.png']]) {
      const { stdout, stderr } = await service.run(args, env)
      expect(stdout + stderr).not.toContain('\x1b')
    }
  })
})
