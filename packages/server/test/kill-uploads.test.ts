import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { ResumableUpload } from '@framegate/contract'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { openSqliteStore } from '../src/db/sqlite/sqlite-store.ts'
import { isLongRun } from '../src/db/store-under-test.ts'
import { systemClock } from '../src/lib/clock.ts'
import { incomingFiles, filesBelow } from './media-files.ts'
import { wavFile } from './wav-file.ts'
import { startServer, type StartedServer } from './started-server.ts'
import { bytesType, tusHeaders, uploadsPath } from './tus-requests.ts'

const killsMax = isLongRun ? 30 : 3
const fileBytes = 28_000_000
const pieceBytes = 8 * 1024 * 1024
/**
 * Maximum time from the start of a request to the kill. By then, the service may have received
 * nothing, or may have received and inspected all of the file.
 */
const runMsMax = 500

let dataDir: string
let server: StartedServer
beforeEach(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'framegate-kill-uploads-'))
  server = await startServer(dataDir)
})
afterEach(async () => {
  await server.kill()
  rmSync(dataDir, { recursive: true, force: true })
})

const showUpload = async (id: string) => (await (await server.request('GET', `${uploadsPath}/${id}`)).json()) as ResumableUpload

/** Sends the rest of the file in one request, which the kill may interrupt anywhere. */
async function sendRest(id: string, bytes: Buffer, offset: number): Promise<number | null> {
  const headers = {
    authorization: `Bearer ${server.apiKey}`,
    ...tusHeaders,
    'content-type': bytesType,
    'upload-offset': String(offset),
  }
  try {
    const body = new Blob([bytes.subarray(offset)])
    return (await fetch(`${server.baseUrl}${uploadsPath}/${id}`, { method: 'PATCH', headers, body })).status
  } catch {
    return null
  }
}

it(
  'an upload continues after each of several kills, loses at most one piece, and leaves no unreferenced file',
  { timeout: 300_000 },
  async () => {
    const bytes = wavFile(fileBytes)
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    let killCount = 0
    for (let fileNo = 0; killCount < killsMax; fileNo++) {
      const created = await server.request('POST', uploadsPath, undefined, {
        ...tusHeaders,
        'upload-length': String(bytes.byteLength),
      })
      const { id } = (await created.json()) as ResumableUpload
      let upload = await showUpload(id)
      for (;;) {
        const receivedBefore = upload.received_bytes
        const sending = sendRest(id, bytes, receivedBefore)
        const killed = killCount < killsMax ? setTimeout(Math.random() * runMsMax).then(() => server.kill()) : null
        const status = await sending
        await killed
        if (killed !== null) {
          killCount += 1
          server = await startServer(dataDir)
          expect(incomingFiles(dataDir)).toEqual([])
        }
        upload = await showUpload(id)
        expect(upload.received_bytes).toBeGreaterThanOrEqual(receivedBefore)
        expect(upload.received_bytes === bytes.byteLength || upload.received_bytes % pieceBytes === 0).toBe(true)
        if (status === 204) expect(upload.received_bytes).toBe(bytes.byteLength)
        if (upload.received_bytes === bytes.byteLength) break
      }
      expect(upload).toMatchObject({ error: null, asset: { sha256, size_bytes: bytes.byteLength } })
      // Deletes every second asset, so that the next upload of the same file creates a new one.
      if (fileNo % 2 === 0) await server.request('DELETE', `/v2/assets/${upload.asset?.id}`)
    }
    // The service sweeps at start-up.
    await server.kill()
    server = await startServer(dataDir)
    await expect
      .poll(() => filesBelow(path.join(dataDir, 'media')).filter((name) => name.startsWith('upload_')), { timeout: 20_000 })
      .toEqual([])
    await server.kill()
    const store = await openSqliteStore({ dataDir, clock: systemClock })
    const rows = await store.database.selectFrom('assets').select(['id', 'removed_at']).execute()
    await store[Symbol.asyncDispose]()
    expect(filesBelow(path.join(dataDir, 'media'))).toEqual(
      rows
        .filter(({ removed_at }) => removed_at === null)
        .map(({ id }) => `${id}.wav`)
        .toSorted(),
    )
  },
)
