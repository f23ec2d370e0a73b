import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { wavFile } from '../../server/test/wav-file.ts'
import { startFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
const names = ['front.png', 'side.png', 'note.txt']
beforeAll(async () => {
  service = await startService()
  names.forEach((name, index) => {
    writeFileSync(join(service.cwd, name), name.endsWith('.png') ? plainPng(64, 48 + index) : 'a note')
  })
})
afterAll(async () => service.close())

it('framegate assets upload prints the reference that a request uses for the image', async () => {
  const { exitCode, stdout, stderr } = await service.run(['assets', 'upload', 'front.png'])
  expect([exitCode, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/^asset:asset_[0-9a-f]{32}\n$/)
  const secondUpload = await service.run(['assets', 'upload', 'front.png', '--name', 'again'])
  expect([secondUpload.exitCode, secondUpload.stdout]).toEqual([0, stdout])
  const generation = await service.run([
    'generate',
    'a robot',
    '--model',
    'imgA-5.0',
    '--reference',
    stdout.trim(),
    '-o',
    'robot.png',
  ])
  expect([generation.exitCode, generation.stdout]).toEqual([0, 'robot.png\n'])
})

it('framegate assets upload of several files reports those that are not images', async () => {
  const { exitCode, stdout, stderr } = await service.run(['assets', 'upload', 'side.png', 'note.txt', 'none.png', '--json'])
  expect(exitCode).toBe(2)
  expect(JSON.parse(stdout)).toMatchObject([{ object: 'asset', name: 'side.png', width: 64, height: 49 }])
  const errors = stderr
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { error: object }).error)
  expect(errors).toEqual([
    expect.objectContaining({
      code: 'invalid_parameter',
      message: expect.stringMatching(/^note\.txt: file: this is a file of unknown/),
    }),
    expect.objectContaining({ code: 'wrong_usage', message: expect.stringMatching(/^none\.png cannot be read/) }),
  ])
  const uploadRun = await service.run(['assets', 'upload', 'side.png', 'note.txt'])
  expect(uploadRun.stderr).toMatch(/^note\.txt: Error \(invalid_parameter\): file: this is a file of unknown type/m)
  const namedRun = await service.run(['assets', 'upload', 'front.png', 'side.png', '--name', 'x'])
  expect([namedRun.exitCode, namedRun.stderr]).toEqual([2, expect.stringContaining('--name can be used with a single file only')])
})

it('framegate assets upload of a folder fails with one sentence', async () => {
  const { exitCode, stderr } = await service.run(['assets', 'upload', '.'])
  expect([exitCode, stderr]).toEqual([2, '. cannot be read; give the path of a file or a URL.\n'])
})

it('framegate assets upload continues an interrupted upload of a large file', async () => {
  const bytes = wavFile(40 * 1024 * 1024)
  writeFileSync(join(service.cwd, 'tone.wav'), bytes)
  const unfinished = async () =>
    (await service.client.request<{ items: { received_bytes: number }[] }>({ method: 'GET', path: '/v2/assets/uploads' })).items
  const env = { FRAMEGATE_URL: service.baseUrl, FRAMEGATE_API_KEY: service.apiKey }
  const interruptedRun = startFramegate(['assets', 'upload', 'tone.wav'], { cwd: service.cwd, env })
  await expect.poll(async () => (await unfinished())[0]?.received_bytes ?? 0, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0)
  interruptedRun.child.kill('SIGKILL')
  await interruptedRun.ended
  const [unfinishedUpload] = await unfinished()
  expect(unfinishedUpload?.received_bytes).toBeLessThan(bytes.byteLength)

  const { exitCode, stdout, stderr } = await service.run(['assets', 'upload', 'tone.wav'])
  expect([exitCode, stderr]).toEqual([0, expect.stringMatching(/^tone\.wav: continuing an earlier upload at [1-9]\d* %\.\n$/)])
  const asset = await service.client.assets.get(stdout.trim().slice('asset:'.length))
  expect(asset).toMatchObject({ name: 'tone.wav', sha256: createHash('sha256').update(bytes).digest('hex') })
  expect(await unfinished()).toEqual([])
  await service.client.assets.delete(asset)
})

it('framegate assets list shows uploads, and framegate assets delete removes them', async () => {
  const listed = await service.run(['assets', 'list'])
  expect(listed.stdout).toMatch(
    /^ID +TYPE +PIXELS +SECONDS +BYTES +CREATED +NAME\nasset_\w+ +image\/png +64 x 49 .+ side\.png\n.+ front\.png\n$/,
  )
  const { stdout } = await service.run(['assets', 'list', '--limit', '1', '--json'])
  const { items, has_more } = JSON.parse(stdout) as { items: [{ id: string }]; has_more: boolean }
  const [{ id }] = items
  expect(has_more).toBe(true)
  const deleted = await service.run(['assets', 'delete', `asset:${id}`, 'asset_none'])
  expect([deleted.exitCode, deleted.stdout]).toEqual([2, `${id} deleted\n`])
  expect(deleted.stderr).toContain('asset_none: Error (asset_not_found)')
  expect((await service.run(['assets', 'list', '--json'])).stdout).not.toContain(id)
})
