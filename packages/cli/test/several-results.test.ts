import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

const model = {
  id: 'variations',
  object: 'image',
  parameters: { prompt: {}, resolution: { enum: ['1K'] }, n: { maximum: 4 }, seed: {}, watermark: {} },
  required: ['prompt'],
  price: { per_image: 0.05 },
}
const names = ['kite-1.png', 'kite-2.png', 'kite-3.png', 'kite-4.png']
let service: StartedService

beforeAll(async () => {
  service = await startService()
  await service.client.request({ method: 'POST', path: '/admin/v1/models', body: model })
})
afterAll(() => service.close())

const generate = (...options: string[]) => service.run(['generate', 'x', '--model', 'variations', ...options])

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) => (entry.isFile() ? [entry.name] : []))

/** Waits until all thumbnails are stored: the scratch folder is then empty. */
const expectThumbnailsGenerated = () => expect.poll(() => filesIn(join(service.dataDir, 'scratch'))).toEqual([])

it('framegate generate saves every variation of a task, and each has its own seed', async () => {
  const { exitCode, stdout } = await generate('--param', 'n=4', '--seed', '7', '-o', 'kite.png', '--json')
  expect(exitCode).toBe(0)
  const task = JSON.parse(stdout)
  expect(task.paths.map((path: string) => path.slice(path.lastIndexOf('/') + 1))).toEqual(names)
  expect(task).toMatchObject({ status: 'completed', amount: 0.2, seed: 7, result_url: task.results[0].url })
  const facts = { type: 'image/png', width: 1024, height: 1024, seconds: null }
  expect(task.results).toMatchObject([7, 8, 9, 10].map((seed) => Object.assign({ seed }, facts)))
  const images = names.map((name) => readFileSync(join(service.cwd, name)))
  expect(task.results.map(({ bytes }: { bytes: number }) => bytes)).toEqual(images.map(({ length }) => length))
  expect(new Set(images.map((image) => image.toString('base64'))).size).toBe(4)
  await expectThumbnailsGenerated()
}, 120_000)

it('a variation has the same bytes as a single image with its seed', async () => {
  const { exitCode } = await generate('--seed', '9', '-o', 'alone.png')
  expect(exitCode).toBe(0)
  expect(readFileSync(join(service.cwd, 'alone.png')).equals(readFileSync(join(service.cwd, 'kite-3.png')))).toBe(true)
})

it('the hold, the charge and the quote of a task depend on its number of results', async () => {
  const request = { model: 'variations', prompt: 'x', n: 3 }
  expect(await service.client.tasks.quote(request)).toMatchObject({ amount: 0.15 })
  const task = await service.client.tasks.createAndWait(request, { timeoutSeconds: 120 })
  const entries = []
  for await (const entry of await service.client.credits.entries({ task: task.id }))
    entries.push([entry.kind, entry.amount, entry.held])
  expect(entries).toEqual([
    ['settle', 0, -0.15],
    ['hold', -0.15, 0.15],
  ])
  expect(task.parameters).toMatchObject({ n: 3 })
})

it('a number of results above the maximum of the model is rejected', async () => {
  const { exitCode, stderr } = await generate('--param', 'n=5', '-o', 'more.png')
  expect(exitCode).not.toBe(0)
  expect(stderr).toContain('n must be')
})

it('every variation with a watermark differs from the one without', async () => {
  await generate('--param', 'n=2', '--seed', '7', '--watermark', '-o', 'marked.png')
  for (const number of [1, 2]) {
    const [plain, marked] = [`kite-${number}.png`, `marked-${number}.png`].map((name) => readFileSync(join(service.cwd, name)))
    expect(marked?.equals(plain ?? Buffer.alloc(0))).toBe(false)
  }
})

it('a backup and framegate media verify cover every file of a task', async () => {
  await expectThumbnailsGenerated()
  const copy = join(service.cwd, 'copy')
  const { exitCode } = await runFramegate(['backup', copy, '--data-dir', service.dataDir], { cwd: service.cwd })
  expect(exitCode).toBe(0)
  expect(filesIn(join(copy, 'media')).toSorted()).toEqual(filesIn(join(service.dataDir, 'media')).toSorted())
  const { stderr } = await runFramegate(['media', 'verify', '--data-dir', copy], { cwd: service.cwd })
  // Ten results and their thumbnails.
  const count = filesIn(join(copy, 'media')).length
  expect(count).toBeGreaterThan(10)
  expect(stderr).toMatch(new RegExp(`^${count} of ${count} files \\(\\d+ bytes\\) were read, 0 are damaged\\.\n$`))
})

it('framegate tasks download saves all results of a task', async () => {
  const task = await service.client.tasks.createAndWait({ model: 'variations', prompt: 'x', n: 2 }, { timeoutSeconds: 120 })
  const { exitCode, stdout } = await service.run(['tasks', 'download', task.id, '-o', 'boat.png'])
  expect([exitCode, stdout]).toEqual([0, 'boat-1.png\nboat-2.png\n'])
})
