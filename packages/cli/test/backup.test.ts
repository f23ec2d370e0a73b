import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Asset, ResumableUpload, Task } from '@framegate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { plainPng } from '../../server/test/plain-png.ts'
import { wavFile } from '../../server/test/wav-file.ts'
import { mayMount, mountSmallDisk } from '../../server/test/small-disk.ts'
import { startServer, type StartedServer } from '../../server/test/started-server.ts'
import { bytesType, tusHeaders, uploadsPath } from '../../server/test/tus-requests.ts'
import { runFramegate, startFramegate, waitFor } from './run-framegate.ts'

let folder: string
let server: StartedServer
/** A backup with two completed tasks. */
let copy: string

beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'framegate-backup-'))
  server = await startServer(path.join(folder, 'data'))
  for (let taskNo = 1; taskNo <= 2; taskNo++) await query(server, (await submit()).id, 60)
  copy = path.join(folder, 'copy')
  expect(await runFramegate(['backup', copy, '--data-dir', path.join(folder, 'data')], { cwd: folder })).toMatchObject({
    exitCode: 0,
  })
})
afterAll(async () => {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
})

const tasks = '/v2/model-center/tasks'
const body = { model: 'imgA-5.0', prompt: 'a paper boat' }

async function submit(): Promise<Task> {
  const response = await server.request('POST', tasks, body)
  expect(response.status).toBe(202)
  return (await response.json()) as Task
}

async function query(queriedServer: StartedServer, id: string, waitSeconds = 0): Promise<Task> {
  return (await (await queriedServer.request('GET', `${tasks}/${id}?wait=${waitSeconds}`)).json()) as Task
}

async function bytesOf(url: string | undefined): Promise<Buffer> {
  const response = await fetch(url ?? '')
  expect(response.status).toBe(200)
  return Buffer.from(await response.arrayBuffer())
}

async function upload(): Promise<Asset> {
  const form = new FormData()
  form.append('file', new Blob([plainPng(32, 32)], { type: 'image/png' }), 'frame.png')
  const headers = { authorization: `Bearer ${server.apiKey}` }
  const response = await fetch(`${server.baseUrl}/v2/assets`, { method: 'POST', headers, body: form })
  return (await response.json()) as Asset
}

async function sendBytes(id: string, file: Buffer, start: number, end: number): Promise<number> {
  const headers = {
    authorization: `Bearer ${server.apiKey}`,
    ...tusHeaders,
    'content-type': bytesType,
    'upload-offset': String(start),
  }
  const body = new Blob([file.subarray(start, end)])
  return (await fetch(`${server.baseUrl}${uploadsPath}/${id}`, { method: 'PATCH', headers, body })).status
}

it("a service that starts on a backup of a running service has the original's tasks, files and unfinished uploads", async () => {
  const endedTask = await query(server, (await submit()).id, 60)
  const image = await bytesOf(endedTask.result_url)
  const asset = await upload()
  const sound = wavFile(20_000)
  const unfinished = (await (
    await server.request('POST', uploadsPath, undefined, { ...tusHeaders, 'upload-length': String(sound.byteLength) })
  ).json()) as ResumableUpload
  expect(await sendBytes(unfinished.id, sound, 0, 15_000)).toBe(204)
  const env = { FRAMEGATE_DATA_DIR: path.join(folder, 'data') }

  // Submits continuously while the copy is made.
  const isDone = new AbortController()
  const accepted: string[] = []
  const submitting = (async () => {
    while (!isDone.signal.aborted) accepted.push((await submit()).id)
  })()
  const queuedTaskId = (await submit()).id
  const liveCopy = path.join(folder, 'live-copy')
  const { exitCode, stdout } = await runFramegate(['backup', liveCopy, '--json'], { cwd: folder, env })
  isDone.abort()
  await submitting
  expect(exitCode).toBe(0)
  const reported = JSON.parse(stdout) as { folder: string; files: number }
  expect(reported).toMatchObject({ folder: liveCopy, file_bytes: expect.any(Number) })
  expect(reported.files).toBeGreaterThanOrEqual(2)
  expect(accepted.length).toBeGreaterThan(3)
  await server.kill()
  rmSync(path.join(folder, 'data'), { recursive: true })

  server = await startServer(liveCopy)
  const restoredTask = await query(server, endedTask.id)
  expect(restoredTask).toMatchObject({ status: 'completed', amount: endedTask.amount, created: endedTask.created })
  expect((await bytesOf(restoredTask.result_url)).equals(image)).toBe(true)
  const restoredAsset = (await (await server.request('GET', `/v2/assets/${asset.id}`)).json()) as Asset
  expect((await bytesOf(restoredAsset.url)).equals(plainPng(32, 32))).toBe(true)
  expect(await sendBytes(unfinished.id, sound, 15_000, sound.byteLength)).toBe(204)
  // The task was queued or in flight at the backup and completes here. `stop` verifies the ledger.
  expect(await query(server, queuedTaskId, 60)).toMatchObject({ status: 'completed' })
})

it('framegate backup prints the reason if it makes no copy', async () => {
  const nonEmptyFolder = path.join(folder, 'full')
  cpSync(copy, nonEmptyFolder, { recursive: true })
  const env = { FRAMEGATE_DATA_DIR: copy }
  const refused = await runFramegate(['backup', nonEmptyFolder], { cwd: folder, env })
  expect(refused).toMatchObject({ exitCode: 1, stdout: '', stderr: expect.stringMatching(/^.*full is not empty; [^\n]+\n$/) })
  const otherDatabase = { ...env, DATABASE_URL: 'postgres://nobody:hush@127.0.0.1:9/framegate' }
  const postgres = await runFramegate(['backup', path.join(folder, 'new')], { cwd: folder, env: otherDatabase })
  expect(postgres).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('The database is PostgreSQL') })
  const noFolderRun = await runFramegate(['backup', path.join(folder, 'new'), '--data-dir', folder], { cwd: folder })
  expect(noFolderRun).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('There is no database in') })
})

describe('interrupted backups', () => {
  let data: string
  let hooks: string

  beforeAll(async () => {
    data = path.join(folder, 'interrupted')
    cpSync(copy, data, { recursive: true })
    // An image from an upstream that is not stored as a result yet.
    mkdirSync(path.join(data, 'kept', 'task_a_1'), { recursive: true })
    writeFileSync(path.join(data, 'kept', 'task_a_1', '0'), 'picture')
    hooks = path.join(folder, 'hooks.mjs')
    writeFileSync(
      hooks,
      `import { syncBuiltinESMExports } from 'node:module'
       import promises from 'node:fs/promises'
       import { setTimeout } from 'node:timers/promises'
       const { copyFile } = promises
       promises.copyFile = async (from, ...more) => {
         if (String(from).includes('/media/')) {
           if (process.env.AT_MEDIA === 'ENOSPC') throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
           process.kill(process.pid, process.env.AT_MEDIA)
           // Otherwise, the backup could end before Node reads the signal.
           await setTimeout(100)
         }
         return copyFile(from, ...more)
       }
       syncBuiltinESMExports()`,
    )
  })

  /** Runs a backup that gets a signal or an error when it copies the first file of `media/`. */
  const backUpWith = (target: string, atMedia: string) =>
    runFramegate(['backup', target], {
      cwd: folder,
      env: { FRAMEGATE_DATA_DIR: data, NODE_OPTIONS: `--import=${hooks}`, AT_MEDIA: atMedia },
    })

  it('an interrupted backup is rejected as a data folder and as the target of another backup', async () => {
    const target = path.join(folder, 'killed')
    await backUpWith(target, 'SIGKILL')
    expect(readdirSync(target)).toContain('framegate.db.partial')
    const startRun = await runFramegate(['serve', '--data-dir', target, '--port', '0'], { cwd: folder })
    expect(startRun).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^.*an incomplete backup[^\n]+\n$/) })
    const secondBackup = await runFramegate(['backup', target], { cwd: folder, env: { FRAMEGATE_DATA_DIR: data } })
    expect(secondBackup).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('contains an incomplete copy') })
  })

  it('a backup stopped by a signal or a full disk leaves nothing behind', async () => {
    const target = path.join(folder, 'given-up')
    expect(await backUpWith(target, 'SIGTERM')).toMatchObject({
      exitCode: 143,
      stdout: '',
      stderr: 'Interrupted. The incomplete copy is removed.\n',
    })
    expect(existsSync(target)).toBe(false)
    mkdirSync(target)
    expect(await backUpWith(target, 'ENOSPC')).toMatchObject({
      exitCode: 1,
      stderr: `The disk of ${target} is full; the incomplete copy was removed.\n`,
    })
    expect(readdirSync(target)).toEqual([])
    expect((await runFramegate(['backup', target], { cwd: folder, env: { FRAMEGATE_DATA_DIR: data } })).exitCode).toBe(0)
    expect(readFileSync(path.join(target, 'kept', 'task_a_1', '0'), 'utf8')).toBe('picture')
    expect(readdirSync(target).toSorted()).toEqual(['framegate.db', 'kept', 'media', 'seal.key'])
  })

  it('a backup into the data folder is rejected', async () => {
    symlinkSync(data, path.join(folder, 'link'))
    for (const target of [data, path.join(data, 'copies', 'one'), path.join(folder, 'link', 'copy')]) {
      const refused = await runFramegate(['backup', target], { cwd: folder, env: { FRAMEGATE_DATA_DIR: data } })
      expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is inside the data folder') })
    }
    expect(existsSync(path.join(data, 'copies'))).toBe(false)
  })
})

it('a backup to the path of an existing file is rejected with that reason', async () => {
  const target = path.join(folder, 'a-file')
  writeFileSync(target, '')
  const run = await runFramegate(['backup', target], { cwd: folder, env: { FRAMEGATE_DATA_DIR: copy } })
  expect(run).toMatchObject({ exitCode: 1, stderr: `${target} cannot be used (EEXIST): a file or a folder has this name.\n` })
})

it.runIf(process.platform === 'linux')(
  'framegate backup and framegate generate to a new folder below /proc fail, and the error names the folder',
  async () => {
    const env = { FRAMEGATE_DATA_DIR: copy }
    const backupRun = await runFramegate(['backup', '/proc/copies/one'], { cwd: folder, env })
    expect(backupRun).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(/^\/proc\/copies cannot be used \(ENOENT\)[^\n]+\n$/),
    })
    const generateRun = await runFramegate(['generate', 'kite', '-o', '/proc/results/'], { cwd: folder, env })
    expect(generateRun).toMatchObject({
      exitCode: 2,
      stderr: 'The result cannot be written to /proc/results/: there is no such folder.\n',
    })
  },
)

it('a backup names a database that it cannot read', async () => {
  const dataDir = path.join(folder, 'unreadable')
  mkdirSync(path.join(dataDir, 'framegate.db'), { recursive: true })
  const run = await runFramegate(['backup', path.join(folder, 'new')], { cwd: folder, env: { FRAMEGATE_DATA_DIR: dataDir } })
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(`${dataDir}/framegate.db cannot be read or written`) })
})

describe.skipIf(process.platform === 'win32')('a data folder that the user may not open', () => {
  let dataDir: string
  const run = async (...args: string[]) =>
    runFramegate(args, { cwd: folder, node: restrictedNode(folder), env: { FRAMEGATE_DATA_DIR: dataDir } })

  beforeAll(() => {
    dataDir = path.join(folder, 'of-another-user')
    cpSync(copy, dataDir, { recursive: true })
    chmodSync(dataDir, 0o000)
  })
  afterAll(() => chmodSync(dataDir, 0o700))

  it.each([
    ['backup', 'new'],
    ['export', 'new.ndjson'],
  ])('framegate %s names the missing permission, instead of saying that there is no database', async (...args) => {
    const outcome = await run(...args)
    expect(outcome).toMatchObject({ exitCode: 1, stderr: expect.stringMatching(/^\S+\/of-another-user.*permission denied/) })
    expect(outcome.stderr).not.toContain('no database')
    expect(existsSync(path.join(folder, args[1]))).toBe(false)
  })

  it('framegate serve names the folder and the remedy', async () => {
    expect(await run('serve')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining(
        `The data folder ${dataDir} is not writable: permission denied. The service runs as the user`,
      ),
    })
  })
})

it.runIf(mayMount)('a backup to a disk without free inodes names the database that it cannot write', async () => {
  // The disk has room for the folder and for one file, but not for SQLite's journal.
  using disk = mountSmallDisk(path.join(folder, 'small'), 10, 3)!
  const [dataDir, target] = [path.join(folder, 'full-source'), path.join(disk.folder, 'copy')]
  cpSync(copy, dataDir, { recursive: true })
  const run = await runFramegate(['backup', target], { cwd: folder, env: { FRAMEGATE_DATA_DIR: dataDir } })
  const problem = `${target}/framegate.db.partial cannot be read or written`
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining(problem) })
  expect(existsSync(target)).toBe(false)
})

it('a failed export leaves no file, so that it can be repeated', async () => {
  const file = path.join(folder, 'export.ndjson')
  const run = await runFramegate(['export', file, '--data-dir', path.join(folder, 'nothing')], { cwd: folder })
  expect(run).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('nothing to export') })
  expect(existsSync(file)).toBe(false)
})

describe('an incomplete export', () => {
  let source: string
  beforeAll(() => {
    source = path.join(folder, 'source')
    cpSync(copy, source, { recursive: true })
    const database = new DatabaseSync(path.join(source, 'framegate.db'))
    // Enough rows that the export takes much longer than the signal.
    database.exec(`
      insert into audit_log (at, key_no, action, target, after)
      with recursive numbers (no) as (select 1 union all select no + 1 from numbers where no < 150000)
      select 1, 1, 'account.update', 'acct_' || no, printf('"%0300d"', no) from numbers`)
    database.close()
  })

  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('an export stopped by %s leaves no file', async (signal, exitCode) => {
    const file = path.join(folder, `${signal}.ndjson`)
    const command = startFramegate(['export', file, '--data-dir', source], { cwd: folder })
    await waitFor(command, () => existsSync(file) && statSync(file).size > 0)
    command.child.kill(signal)
    expect(await command.ended).toEqual({ exitCode, stdout: '', stderr: 'Interrupted. The export is incomplete.\n' })
    expect(existsSync(file)).toBe(false)
  })

  it.runIf(mayMount)('an export to a full disk names the file and leaves none', async () => {
    using disk = mountSmallDisk(path.join(folder, 'disk'), 1) ?? expect.fail('nothing is mounted')
    const file = path.join(disk.folder, 'export.ndjson')
    expect(await runFramegate(['export', file, '--data-dir', source], { cwd: folder })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `${file} cannot be used (ENOSPC): the disk is full.\n`,
    })
    expect(existsSync(file)).toBe(false)
  })

  it('an export whose reader closes the pipe fails with one sentence', async () => {
    const command = startFramegate(['export', '-', '--data-dir', source], { cwd: folder })
    command.child.stdout?.destroy()
    expect(await command.ended).toMatchObject({
      exitCode: 1,
      stderr: 'The output was closed before the end of the export.\n',
    })
  })
})

it('a service does not start on a data folder whose database is missing, and creates no new database', async () => {
  const emptiedFolder = path.join(folder, 'lost')
  cpSync(copy, emptiedFolder, { recursive: true })
  rmSync(path.join(emptiedFolder, 'framegate.db'))
  const startRun = await runFramegate(['serve', '--data-dir', emptiedFolder, '--port', '0'], { cwd: folder })
  expect(startRun).toMatchObject({
    exitCode: 1,
    stderr: expect.stringMatching(/^The database framegate\.db is missing in .* which contains "seal\.key", "media"[^\n]+\n$/),
  })
  expect(existsSync(path.join(emptiedFolder, 'framegate.db'))).toBe(false)
})

/** Returns a Node executable that is bound by the modes of files and folders, even for root. */
function restrictedNode(parent: string): string {
  if (process.getuid?.() !== 0) return process.execPath
  const file = path.join(parent, 'restricted-node')
  const script = `#!/bin/sh\nexec setpriv --bounding-set=-dac_override,-dac_read_search ${process.execPath} "$@"\n`
  writeFileSync(file, script, { mode: 0o755 })
  return file
}
