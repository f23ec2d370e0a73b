import { cpSync, readdirSync, readFileSync, readlinkSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { runCommand, runFramegate, startFramegate } from './run-framegate.ts'
import { startService, type StartedService } from './started-service.ts'

let service: StartedService
let copies: string[]

beforeAll(async () => {
  service = await startService()
  copies = ['one', 'two', 'three'].map((name) => join(service.cwd, name))
  for (const prompt of ['x', 'y', 'z', 'w']) {
    const task = await service.client.tasks.createAndWait({ model: 'imgA-5.0', prompt }, { timeoutSeconds: 120 })
    expect((await fetch(task.thumbnail_url ?? '')).status).toBe(200)
  }
  const form = new FormData()
  form.append('file', new Blob([plainPng(32, 32)], { type: 'image/png' }), 'frame.png')
  const headers = { authorization: `Bearer ${service.apiKey}` }
  expect((await fetch(`${service.baseUrl}/v2/assets`, { method: 'POST', headers, body: form })).status).toBe(201)
  const [first = '', ...otherCopies] = copies
  expect(await runFramegate(['backup', first, '--data-dir', service.dataDir], { cwd: service.cwd })).toMatchObject({
    exitCode: 0,
  })
  for (const otherCopy of otherCopies) cpSync(first, otherCopy, { recursive: true })
}, 180_000)
afterAll(() => service.close())

const verify = (dataDir: string, ...options: string[]) =>
  runCommand(['media', 'verify', '--data-dir', dataDir, ...options], { cwd: service.cwd })

const filesIn = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'media'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith('-thumbnail.webp'))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted((left, right) => (nameOf(left) < nameOf(right) ? -1 : 1))

const nameOf = (file: string): string => file.slice(file.lastIndexOf('/') + 1)

it('framegate media verify finds every file of a running service unchanged', async () => {
  const { exitCode, stdout, stderr } = await verify(service.dataDir)
  expect([exitCode, stdout]).toEqual([0, ''])
  expect(stderr).toMatch(/^9 of 9 files \(\d+ bytes\) were read, 0 are damaged\.\n$/)
})

it('framegate media verify names missing, shorter and replaced files, and exits with 1', async () => {
  const [dataDir = ''] = copies
  const [asset = '', missing = '', shorter = '', replaced = '', removed = ''] = filesIn(dataDir)
  rmSync(missing)
  truncateSync(shorter, 1_000)
  const { exitCode: exitCodeBefore } = await verify(dataDir)
  expect(exitCodeBefore).toBe(1)
  const database = new DatabaseSync(join(dataDir, 'framegate.db'), { readOnly: true })
  const sizeOf = (file: string): number =>
    Number(database.prepare('select size_bytes from results where object_key = ?').get(nameOf(file))?.['size_bytes'])
  writeFileSync(replaced, Buffer.alloc(sizeOf(replaced)))
  rmSync(removed)
  writeFileSync(asset, Buffer.alloc(10))
  const { exitCode, stdout } = await verify(dataDir, '--json')
  expect(exitCode).toBe(1)
  const { found, ...figures } = JSON.parse(stdout) as { found: Record<string, unknown>[] }
  expect(figures).toMatchObject({ files: 9, damaged: 5, complete: true })
  const task = (file: string): string => nameOf(file).slice(0, nameOf(file).indexOf('.'))
  expect(found.slice(0, 4)).toEqual([
    expect.objectContaining({ file: nameOf(missing), task: task(missing), problem: 'missing', found_bytes: null }),
    expect.objectContaining({ file: nameOf(shorter), problem: 'size', recorded_bytes: sizeOf(shorter), found_bytes: 1_000 }),
    expect.objectContaining({ file: nameOf(replaced), problem: 'content', found_bytes: sizeOf(replaced) }),
    expect.objectContaining({ file: nameOf(removed), problem: 'missing' }),
  ])
  expect(found[4]).toMatchObject({ file: nameOf(asset), asset: task(asset), problem: 'size', found_bytes: 10 })
  const listed = (await verify(dataDir)).stdout
  expect(listed).toContain(`${nameOf(shorter)}  has 1000 bytes instead of ${sizeOf(shorter)}\n`)
  database.close()
})

it('framegate backup copies thumbnails, and framegate media verify names a damaged one', async () => {
  const [, , dataDir = ''] = copies
  const names = readdirSync(join(dataDir, 'media'), { recursive: true, encoding: 'utf8' })
  const thumbnail = names.find((name) => name.endsWith('-thumbnail.webp')) ?? ''
  truncateSync(join(dataDir, 'media', thumbnail), 100)
  const { found } = JSON.parse((await verify(dataDir, '--json')).stdout) as { found: Record<string, unknown>[] }
  const [name = ''] = thumbnail.split('/').slice(-1)
  expect(found).toEqual([expect.objectContaining({ file: name, task: name.slice(0, -15), problem: 'size', found_bytes: 100 })])
})

it.runIf(process.platform === 'linux')(
  'framegate media verify of a 20 GiB file uses less than 400 MiB of memory, and ends at Ctrl-C',
  async () => {
    const [, dataDir = ''] = copies
    const sizeBytes = 20 * 1024 ** 3
    const file = filesIn(dataDir).find((name) => nameOf(name).startsWith('task_')) ?? ''
    truncateSync(file, sizeBytes)
    const database = new DatabaseSync(join(dataDir, 'framegate.db'))
    database.prepare('update results set size_bytes = ? where object_key = ?').run(sizeBytes, nameOf(file))
    database.close()
    const command = startFramegate(['media', 'verify', '--data-dir', dataDir, '--json'], { cwd: service.cwd })
    const folder = `/proc/${command.child.pid}/fd`
    await vi.waitFor(() => expect(readdirSync(folder).map((fd) => readlinkSync(join(folder, fd)))).toContain(file), {
      timeout: 60_000,
    })
    await sleep(2_000)
    const peakKib = Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${command.child.pid}/status`, 'utf8'))?.[1])
    expect(peakKib).toBeLessThan(400 * 1024)
    command.child.kill('SIGINT')
    const { exitCode, stdout } = await command.ended
    expect(exitCode).toBe(130)
    expect(JSON.parse(stdout)).toMatchObject({ complete: false, damaged: 0, found: [] })
  },
)

it('framegate media verify reports a data folder without a database', async () => {
  const { exitCode, stderr } = await verify(join(service.cwd, 'nowhere'))
  expect([exitCode, stderr]).toEqual([1, expect.stringMatching(/^There is no database in .*nowhere; [^\n]+\n$/)])
})
